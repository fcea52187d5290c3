// A document that was ordered and does not exist yet: other resources name it before it is made.
import type { EntityManager } from '@mikro-orm/postgresql';
import { DocumentOrder } from '../../../db/entities/document/document-order.ts';
import { readRow } from '../../../db/plain-table.ts';
import { DomainError } from '../../../domain/errors.ts';
import { type Actor, may } from '../../../domain/permissions.ts';
import { orderFacts } from '../../../plans/authority/document-facts.ts';

/**
 * Says why a document is not there, to a reader who may read what it is about.
 * @throws DomainError not_found with `reason`: being_made, or cannot_be_made
 */
export async function ensureNotAwaited(em: EntityManager, id: string, reader: Actor): Promise<void> {
  const order = await readRow(em, DocumentOrder, id);
  // A caller's own page that could not be printed was refused then and there.
  if (order === null || (order.kind === 'rendered' && order.failure !== null)) return;
  if (!may(reader, 'document:read', await orderFacts(em, order))) return;
  const [reason, message] =
    order.failure === null
      ? ['being_made', 'The document is still being made. Try again shortly.']
      : ['cannot_be_made', 'The document could not be made. An administrator must correct its template.'];
  throw new DomainError('not_found', message, { reason });
}
