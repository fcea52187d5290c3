// Queries on certificates of insurance.
import { type FilterQuery, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Visibility } from '../../../domain/permissions.ts';
import { Certificate } from '../../entities/document/certificate.ts';
import { Document } from '../../entities/document/document.ts';
import type { Database } from '../../orm.ts';
import { readRow, readRows } from '../../plain-table.ts';
import { preparedRows } from '../../prepared.ts';
import { ANY_SCOPE, organizationOf } from '../../scope.ts';
import { assignedOnPolicy } from '../claim/assigned.ts';
import { equalTo, type Page, type PageRequest, pageOf, visibleTo } from '../pages.ts';

/** Reads the certificate of a document, or null. */
export async function certificateOfDocument(
  em: EntityManager,
  documentId: string,
): Promise<Readonly<Certificate> | null> {
  const [found] = await readRows(em, Certificate, 'org_id = $1 and document_id = $2', [documentId]);
  return found ?? null;
}

/** Reads the newest certificate of a policy for a holder, or null. */
export async function newestCertificate(
  em: EntityManager,
  policyId: string,
  holderKey: string,
): Promise<Readonly<Certificate> | null> {
  const condition = 'org_id = $1 and policy_id = $2 and holder_key = $3 order by id desc limit 1';
  const [newest] = await readRows(em, Certificate, condition, [policyId, holderKey]);
  return newest ?? null;
}

/** Reads the newest certificate of a holder that has been printed, or null. */
export async function newestPrintedCertificate(
  em: EntityManager,
  policyId: string,
  holderKey: string,
): Promise<Readonly<Certificate> | null> {
  const isPrinted = 'exists (select from documents d where d.org_id = $1 and d.id = document_id)';
  const condition = `org_id = $1 and policy_id = $2 and holder_key = $3 and ${isPrinted} order by id desc limit 1`;
  const [newest] = await readRows(em, Certificate, condition, [policyId, holderKey]);
  return newest ?? null;
}

const ISSUED = {
  name: 'certificates issued to a holder',
  text: `select count(*)::integer as issued, coalesce(bool_or(notify_holder), false) as "isAwaitingNews"
    from certificates where org_id = $1 and policy_id = $2 and holder_key = $3`,
};

/** Counts the certificates of a policy for a holder, and whether any of them is to be notified. */
export async function certificatesIssued(em: EntityManager, policyId: string, holderKey: string) {
  const values = [organizationOf(em), policyId, holderKey];
  const [row] = await preparedRows<{ issued: number; isAwaitingNews: boolean }>(em, ISSUED, values);
  return row ?? { issued: 0, isAwaitingNews: false };
}

/**
 * Reads a page of printed certificates, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listCertificates(
  em: EntityManager,
  { visibility, policyId }: { visibility: Visibility; policyId?: string | undefined },
  page: PageRequest,
): Promise<Page<Certificate>> {
  const printed = raw(
    (alias) => `exists (select from documents d where d.org_id = ${alias}.org_id and d.id = ${alias}.document_id)`,
  );
  const conditions = [seenBy(visibility), equalTo({ ...(policyId && { policyId }) }), { [printed as never]: [] }];
  return pageOf(em, Certificate, conditions as (FilterQuery<Certificate> | null)[], page);
}

/** An adjuster sees those for policies on which they were assigned a claim. */
function seenBy(visibility: Visibility): FilterQuery<Certificate> | null {
  if (visibility.kind !== 'adjuster') return visibleTo(visibility) as FilterQuery<Certificate> | null;
  const handled = raw(
    (alias) => assignedOnPolicy({ orgId: `${alias}.org_id`, policyId: `${alias}.policy_id` }),
    [visibility.userId],
  );
  return { [handled as never]: [] } as FilterQuery<Certificate>;
}

/**
 * Maps each of these certificates to the next printed one that replaced it, by id: those in between could not be
 * printed.
 */
export function certificatesAfter(em: EntityManager, ids: readonly string[]): Promise<Map<string, string>> {
  return nearestPrinted(em, ids, 'n.supersedes = l.id');
}

/** Maps each of these certificates to the last printed one that it replaces, by id. */
export function certificatesBefore(em: EntityManager, ids: readonly string[]): Promise<Map<string, string>> {
  return nearestPrinted(em, ids, 'n.id = l.supersedes');
}

/** Follows the chain of certificates until it finds a printed one. */
async function nearestPrinted(
  em: EntityManager,
  ids: readonly string[],
  next: 'n.supersedes = l.id' | 'n.id = l.supersedes',
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const printed = 'exists (select from documents d where d.org_id = l.org_id and d.id = l.document_id)';
  const rows = await em.execute<{ first: string; id: string }[]>(
    `with recursive later as (
       select c.org_id, c.id as first, 0 as steps, c.id, c.supersedes, c.document_id
         from certificates c where c.id in (?)
       union all
       select n.org_id, l.first, l.steps + 1, n.id, n.supersedes, n.document_id
         from later l join certificates n on n.org_id = l.org_id and ${next}
         where l.steps = 0 or not ${printed}
     )
     select l.first, l.id from later l where l.steps > 0 and ${printed}`,
    [ids],
  );
  return new Map(rows.map(({ first, id }) => [first, id]));
}

/** Reads the newest printed certificate before the given one, which replaces it, or null. */
export async function certificateReplacedBy(
  em: EntityManager,
  { supersedes }: Pick<Certificate, 'supersedes'>,
): Promise<Readonly<Certificate> | null> {
  const earlier = supersedes === null ? null : await readRow(em, Certificate, supersedes);
  if (earlier === null) return null;
  const isPrinted = (await readRow(em, Document, earlier.documentId)) !== null;
  return isPrinted ? earlier : certificateReplacedBy(em, earlier);
}

/** Reads the valid certificates of a policy whose holders are to be notified when they are no longer valid. */
export async function certificatesToNotify(em: EntityManager, policyId: string): Promise<Certificate[]> {
  const wanted = await em.find(Certificate, { policyId, notifyHolder: true }, { orderBy: { id: 'asc' } });
  const printed = await em.find(Document, { id: { $in: wanted.map(({ documentId }) => documentId) } });
  const there = new Set(printed.map(({ id }) => id));
  const superseded = await certificatesAfter(
    em,
    wanted.map(({ id }) => id),
  );
  return wanted.filter(({ id, documentId }) => there.has(documentId) && !superseded.has(id));
}

/** Finds the organization of a certificate, or null: its holder knows only its number. */
export async function organizationOfCertificate(database: Database, number: string): Promise<string | null> {
  const [row] = await database.forOrg(ANY_SCOPE, (em) =>
    em.execute<{ orgId: string | null }[]>('select organization_of_certificate(?) as "orgId"', [number]),
  );
  return row?.orgId ?? null;
}

/** Reads a printed certificate by its number, or null. */
export async function printedCertificate(em: EntityManager, certificateNumber: string): Promise<Certificate | null> {
  const certificate = await em.findOne(Certificate, { certificateNumber });
  if (certificate === null) return null;
  return (await em.count(Document, { id: certificate.documentId })) === 0 ? null : certificate;
}
