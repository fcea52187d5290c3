// Queries on the document store.
import { type FilterQuery, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type DocumentEntity, documentPath, readableEntities } from '../../../domain/document/document.ts';
import { type Actor, mayCoarse, type Visibility, visibility } from '../../../domain/permissions.ts';
import { Document } from '../../entities/document/document.ts';
import { readRow, readRows } from '../../plain-table.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { assignedOnPolicy } from '../claim/assigned.ts';
import { equalTo, type Page, type PageRequest, pageByCreation } from '../pages.ts';

/** A document whose bytes are already in storage at `documentPath`. */
export interface NewDocument
  extends Pick<Document, 'id' | 'kind' | 'fileName' | 'contentType' | 'sizeBytes' | 'sha256' | 'createdBy'> {
  /** What it was made for; the first of several with the same key stays. Default: its id. */
  key?: string;
  entityType?: DocumentEntity | null;
  entityId?: string | null;
  templateVersion?: string | null;
  containsPhi?: boolean;
  /** The document that this one replaces. */
  supersedes?: Pick<Document, 'id' | 'version'> | null;
}

export interface DocumentFilter {
  entityType?: DocumentEntity;
  entityId?: string;
  kind?: string;
}

const KEPT = {
  name: 'kept document',
  text: `insert into documents (id, org_id, key, kind, entity_type, entity_id, file_name, content_type, size_bytes,
      sha256, storage_key, version, supersedes, template_version, contains_phi, created_by, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, now())
    on conflict (org_id, key) do nothing`,
};

/** Writes the row of a document unless one with its key exists. Returns the stored one. */
export async function keepDocument(em: EntityManager, document: NewDocument): Promise<Readonly<Document>> {
  const { id, kind, fileName, contentType, sizeBytes, sha256, createdBy, supersedes = null } = document;
  const { key = id, entityType = null, entityId = null, templateVersion = null, containsPhi = false } = document;
  const orgId = organizationOf(em);
  const file = [fileName, contentType, sizeBytes, sha256, documentPath(orgId, id)];
  const place = [(supersedes?.version ?? 0) + 1, supersedes?.id ?? null];
  const values = [key, kind, entityType, entityId, ...file, ...place, templateVersion, containsPhi, createdBy];
  await preparedRows(em, KEPT, [id, orgId, ...values]);
  const [kept] = await readRows(em, Document, 'org_id = $1 and key = $2', [key]);
  if (kept === undefined) throw new Error(`${id} was not kept`);
  return kept;
}

/** Reads a document, or null. */
export function findDocument(em: EntityManager, id: string): Promise<Readonly<Document> | null> {
  return readRow(em, Document, id);
}

/** Reads the document that replaced one, or null. */
export async function findSuccessor(em: EntityManager, id: string): Promise<Readonly<Document> | null> {
  const [successor] = await readRows(em, Document, 'org_id = $1 and supersedes = $2', [id]);
  return successor ?? null;
}

/** Maps these documents to their replacements, by id, as far as an actor may read them. */
export async function successorsOf(
  em: EntityManager,
  actor: Actor,
  documents: readonly Readonly<Document>[],
): Promise<Map<string, string>> {
  const seen = seenBy(actor);
  return seen === null ? new Map() : successorsAmong(em, documents, seen);
}

/** Maps these documents to their replacements that meet a condition, by id. */
export async function successorsAmong(
  em: EntityManager,
  documents: readonly Readonly<Document>[],
  condition: FilterQuery<Document>,
): Promise<Map<string, string>> {
  if (documents.length === 0) return new Map();
  const ids = documents.map(({ id }) => id);
  return successorsById(await em.find(Document, { $and: [{ supersedes: { $in: ids } }, condition] }));
}

/** The ids of replacement documents, by the id of what they replaced. */
export function successorsById(successors: readonly Readonly<Document>[]): Map<string, string> {
  return new Map(successors.map(({ id, supersedes }) => [supersedes ?? '', id]));
}

/** Reads the newest document of a kind that belongs to a row, or null. */
export function newestDocument(
  em: EntityManager,
  { entityType, entityId, kind }: Required<DocumentFilter>,
): Promise<Document | null> {
  return em.findOne(Document, { entityType, entityId, kind }, { orderBy: { createdAt: 'desc', id: 'desc' } });
}

/** Reads the document made for a key, or null. */
export function documentMadeFor(em: EntityManager, key: string): Promise<Document | null> {
  return em.findOne(Document, { key });
}

/**
 * Reads a page of the documents an actor may read, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listDocuments(
  em: EntityManager,
  actor: Actor,
  filter: DocumentFilter,
  page: PageRequest,
): Promise<Page<Document>> {
  return pageByCreation(em, Document, [seenBy(actor), equalTo({ ...filter }) as FilterQuery<Document>], page);
}

/** The documents that `may` lets an actor read one by one; null when there can be none. */
function seenBy(actor: Actor): FilterQuery<Document> | null {
  const seen = visibility(actor, 'document:read');
  const ofEntities = readableEntities(actor).flatMap((entityType) => entitiesSeen(entityType, seen) ?? []);
  if (ofEntities.length === 0) return null;
  const unprotected = mayCoarse(actor, 'claim:read_phi') ? {} : { containsPhi: false };
  return { $and: [{ $or: ofEntities }, unprotected] } as FilterQuery<Document>;
}

/** Rows of producers: their tables, and the column with the producer. */
const OF_PRODUCERS = {
  policy: ['policies', 'producer_id'],
  claim: ['claims', 'producer_id'],
  invoice: ['invoices', 'producer_id'],
  submission: ['submissions', 'producer_id'],
  producer: ['producers', 'id'],
} as const;

function isOfProducer(entityType: DocumentEntity): entityType is keyof typeof OF_PRODUCERS {
  return entityType in OF_PRODUCERS;
}

/** The documents of one kind of row that an actor sees; null for none. */
function entitiesSeen(entityType: DocumentEntity | null, seen: Visibility): FilterQuery<Document> | null {
  if (seen.kind === 'all') return { entityType };
  if (entityType === null || !isOfProducer(entityType)) return null;
  if (seen.kind === 'producers') {
    if (seen.producerIds.length === 0) return null;
    const [table, column] = OF_PRODUCERS[entityType];
    return { entityType, ...existing(`${table} e`, 'e.id', `e.${column} in (?)`, [seen.producerIds]) };
  }
  if (seen.kind !== 'adjuster' || (entityType !== 'claim' && entityType !== 'policy')) return null;
  if (entityType === 'claim')
    return { entityType, ...existing('claims e', 'e.id', 'e.adjuster_id = ?', [seen.userId]) };
  const ofAssigned = raw(
    (alias) => assignedOnPolicy({ orgId: `${alias}.org_id`, policyId: `${alias}.entity_id` }),
    [seen.userId],
  );
  return { entityType, [ofAssigned as never]: [] };
}

/** Whether the row a document belongs to exists and meets a condition. */
function existing(table: string, id: string, condition: string, values: unknown[]): Record<string, unknown> {
  const sql = raw(
    (alias) => `exists (select from ${table} where e.org_id = ${alias}.org_id and ${id} = ${alias}.entity_id
      and ${condition})`,
    values,
  );
  return { [sql as never]: [] };
}
