// A document that a received one replaces: a corrected loss run, a signed copy. Both are kept. Contract 3.5.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Document } from '../../../db/entities/document/document.ts';
import { isUniqueViolation } from '../../../db/faults.ts';
import { findSuccessor } from '../../../db/queries/document/documents.ts';
import { DOCUMENT_TYPES } from '../../../domain/document/classification.ts';
import { DomainError, validationError } from '../../../domain/errors.ts';
import { type Actor, ensureMay } from '../../../domain/permissions.ts';
import { documentResource } from './documents.ts';
import type { IngestBody } from './ingest.schemas.ts';

/**
 * Returns the document that document `id` is to replace; its owner need not be named.
 * @throws DomainError validation_failed with `supersedes` if it was not received, or with the field that names another
 * resource; already_exists if another document already replaced it; forbidden
 */
export async function supersededDocument(
  em: EntityManager,
  actor: Actor,
  { id, supersedes, ...named }: Pick<IngestBody, 'entityType' | 'entityId'> & { id: string; supersedes: string },
): Promise<Document> {
  const known = await documentResource.load(em, supersedes, actor);
  if (known === null || !wasReceived(known.document)) {
    throw validationError('supersedes', 'unknown_reference', 'No such document was received.');
  }
  ensureMay(actor, 'document:ingest', known.facts);
  for (const field of ['entityType', 'entityId'] as const) {
    if ((named[field] ?? known.document[field]) === known.document[field]) continue;
    throw validationError(field, 'unknown_reference', 'The document that this one replaces belongs to something else.');
  }
  const successor = await findSuccessor(em, supersedes);
  if (successor !== null && successor.id !== id) throw replacedAlready(successor.id);
  return known.document;
}

/** If two documents replace the same one simultaneously, the second is rejected. */
export function refusedSecond(error: unknown): never {
  throw isUniqueViolation(error, 'documents_superseded_once') ? replacedAlready() : error;
}

/** A document we made names its template, or is of a kind that is never uploaded. */
function wasReceived({ kind, templateVersion }: Document): boolean {
  return templateVersion === null && DOCUMENT_TYPES.some((each) => each === kind);
}

function replacedAlready(id?: string): DomainError {
  const details = { resource: 'document', ...(id !== undefined && { id }) };
  return new DomainError('already_exists', 'Another document has already replaced this one.', details);
}
