// What an insured may see: every term with the same insured as their token's policy, and what belongs to those terms. A
// row that is not theirs does not exist for them. Contract 3.7 "Portal".
import { type EntityName, type FilterQuery, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { INSURED_KINDS } from '../../../domain/portal/documents.ts';
import { Document } from '../../entities/document/document.ts';
import { organizationOf } from '../../scope.ts';
import { successorsAmong } from '../document/documents.ts';
import { type Page, type PageRequest, pageByCreation, pageOf } from '../pages.ts';

/** The ids of all terms of the insured of policy `$2` in organization `$1`. */
const OWN_TERMS = `select term.id from policies named
  join policies term on term.org_id = named.org_id and term.insured_id = named.insured_id
  where named.org_id = $1 and named.id = $2`;

/** The condition that `policy_id` is one of these. As an array, they are looked up once rather than per row. */
export const IS_OWN = `policy_id = any (array(${OWN_TERMS}))`;

/** The condition that a policy is one of these. */
export const IS_OWN_TERM = `id = any (array(${OWN_TERMS}))`;

/** The condition that a document is the insured's: made by us, since a received file has no template. */
export const IS_OWN_DOCUMENT = `not contains_phi and template_version is not null
  and kind in (${INSURED_KINDS.map((kind) => `'${kind}'`).join(', ')})
  and (entity_type = 'policy' and entity_id = any (array(${OWN_TERMS}))
    or entity_type = 'invoice' and entity_id in (select id from invoices where org_id = $1 and ${IS_OWN}))`;

/** One of the conditions above as a filter, for the insured of a policy. */
export function own<T>(em: EntityManager, policyId: string, condition: string): FilterQuery<T> {
  const values = [organizationOf(em), policyId];
  const ordered = [...condition.matchAll(/\$([12])/g)].map(([, place]) => values[Number(place) - 1] ?? '');
  return { [raw(`(${condition.replaceAll(/\$[12]/g, '?')})`, ordered)]: [] } as FilterQuery<T>;
}

/** Reads a row that belongs to a term of the insured of `policyId`; null for any other. */
export function findOwn<T extends { id: string; policyId: string }>(
  em: EntityManager,
  entity: EntityName<T>,
  { id, policyId }: { id: string; policyId: string },
): Promise<T | null> {
  return em.findOne(entity, { $and: [{ id }, own<T>(em, policyId, IS_OWN)] } as never);
}

/** Reads a document of the insured of `policyId`; null for any other. */
export function findOwnDocument(
  em: EntityManager,
  { id, policyId }: { id: string; policyId: string },
): Promise<Document | null> {
  return em.findOne(Document, { $and: [{ id }, own<Document>(em, policyId, IS_OWN_DOCUMENT)] });
}

/**
 * Reads a page of the rows that meet one of the conditions above and others, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function pageOfOwn<T extends { id: string }>(
  em: EntityManager,
  entity: EntityName<T>,
  { policyId, condition = IS_OWN }: { policyId: string; condition?: string },
  others: FilterQuery<T>[],
  page: PageRequest,
): Promise<Page<T>> {
  return pageOf(em, entity, [own<T>(em, policyId, condition), ...others], page);
}

/**
 * Reads a page of the documents of the insured of a policy, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function pageOfOwnDocuments(
  em: EntityManager,
  policyId: string,
  filter: FilterQuery<Document>,
  page: PageRequest,
): Promise<Page<Document>> {
  return pageByCreation(em, Document, [own<Document>(em, policyId, IS_OWN_DOCUMENT), filter], page);
}

/** Maps these documents to their replacements among a policy's insured's documents, by id. */
export function ownSuccessorsOf(
  em: EntityManager,
  policyId: string,
  documents: readonly Readonly<Document>[],
): Promise<Map<string, string>> {
  return successorsAmong(em, documents, own<Document>(em, policyId, IS_OWN_DOCUMENT));
}

/** Returns whether two policies have the same insured. */
export async function shareInsured(em: EntityManager, policyId: string, termId: string): Promise<boolean> {
  const terms = OWN_TERMS.replace('$1', '?').replace('$2', '?');
  const rows = await em.execute(`${terms} and term.id = ?`, [organizationOf(em), policyId, termId]);
  return rows.length > 0;
}
