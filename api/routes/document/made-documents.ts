// A document that a caller waits for: ordered, made by the document worker, and read. A repeat under its
// Idempotency-Key gets the same one. Contract 3.5.
import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Document } from '../../../db/entities/document/document.ts';
import { timedId } from '../../../db/ids.ts';
import { type NewOrder, placeOrder } from '../../../db/queries/document/document-orders.ts';
import { findDocument } from '../../../db/queries/document/documents.ts';
import { type AuditFact, writeAudit } from '../../../db/queries/platform/audit.ts';
import { uuidOf } from '../../../domain/ids.ts';
import type { Actor } from '../../../domain/permissions.ts';
import { refundMark } from '../../../plans/document/refund-parts.ts';
import type { Lifecycle } from '../../engine/lifecycle.ts';
import { commandBuilder } from '../../spine/command.ts';
import type { CommandBuilder, OrganizationDatabase } from '../../spine/route.ts';
import { present } from '../rows.ts';
import { inPrintingTurn } from './document-turns.ts';

interface Maker {
  db: OrganizationDatabase;
  lifecycle: Pick<Lifecycle, 'makeDocument'>;
  command: CommandBuilder;
}

interface Making {
  /** The audit row of the order. */
  audited?: AuditFact;
  /** Rejects an order before it is placed, within the same turn, so that a caller waits for one turn instead of two. */
  check?: () => Promise<unknown>;
}

/**
 * Returns the document of an order, making it now unless it exists.
 * @throws DomainError what `Lifecycle.makeDocument` and `check` throw, rate_limited
 */
export async function madeDocument(
  order: NewOrder,
  { db, lifecycle, command }: Maker,
  { audited, check }: Making = {},
): Promise<Document> {
  const earlier = await db.read((em) => findDocument(em, order.id));
  if (earlier !== null) return earlier;
  // Under the call's id, a run that failed to print would answer every repeat, whatever is running by then.
  const making = { ...command({}, order.id), updateId: randomUUID() };
  await inPrintingTurn(making.orgId, async () => {
    await check?.();
    await db.transaction(async (em) => {
      await placeOrder(em, order);
      if (audited) writeAudit(em, audited);
    });
    await lifecycle.makeDocument(making);
  });
  return present(await db.read((em) => findDocument(em, order.id)));
}

/** The command of a caller who only reads: simultaneous readers of a document wait for the same one. */
export function readersCommand(
  call: { actor: Actor; requestId: string; orgId: string },
  documentId: string,
): CommandBuilder {
  const seedUuid = uuidOf(documentId);
  return commandBuilder({
    ...call,
    commandId: seedUuid,
    seedUuid,
    attempt: 1,
    isRepeat: false,
    expectedVersion: undefined,
  });
}

/**
 * The order for an invoice in its current state: each of its versions, and each state of its refunds, has one document.
 */
export async function invoiceOrder(
  em: EntityManager,
  { id, version, updatedAt }: Readonly<Invoice>,
  createdBy: string,
): Promise<NewOrder> {
  const documentId = timedId('document', updatedAt, `${id}@${version}${await refundMark(em, id)}`);
  return { id: documentId, kind: 'invoice', entityType: 'invoice', entityId: id, input: { version }, createdBy };
}
