// Queries on documents that are to be made.
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DocumentOrder } from '../../entities/document/document-order.ts';
import { Command } from '../../entities/platform/command.ts';
import type { Database } from '../../orm.ts';
import { ANY_SCOPE, organizationOf } from '../../scope.ts';

/** A document that is to be made. A caller who waits makes it themselves; nobody else is sent for it meanwhile. */
export type NewOrder = Pick<DocumentOrder, 'id' | 'kind' | 'entityType' | 'entityId' | 'input' | 'createdBy'> & {
  facts?: DocumentOrder['facts'];
  templateVersion?: string | null;
};

const CALLER_WAITS_MS = 60_000;

/** Writes an order, unless it is there. One that nobody waits for is due immediately. */
export async function placeOrder(em: EntityManager, order: NewOrder, dueInMs = CALLER_WAITS_MS): Promise<void> {
  const row = {
    ...{ facts: null, templateVersion: null, supersedes: null, failure: null, madeAt: null, ...order },
    orgId: organizationOf(em),
    dueAt: new Date(Date.now() + dueInMs),
    createdAt: new Date(),
  };
  await em.upsert(DocumentOrder, row, { onConflictFields: ['id'], onConflictAction: 'ignore' });
}

/** Reads an order and locks it until the transaction ends, or null. */
export function lockOrder(em: EntityManager, id: string): Promise<DocumentOrder | null> {
  return em.findOne(DocumentOrder, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Reads the orders of documents. */
export function ordersOf(em: EntityManager, documentIds: readonly string[]): Promise<DocumentOrder[]> {
  return em.find(DocumentOrder, { id: { $in: [...documentIds] } });
}

/** Under which it is recorded that a letter about a claim has gone out, or why it has not. */
export function letterMessageId(documentId: string): string {
  return `claim-letter.${documentId}@notices.bindery`;
}

/** Counts the status letters of a day that have neither gone out nor are known not to. */
export async function statusLettersUnderWay(em: EntityManager, on: BusinessDate): Promise<number> {
  const orders = await em.find(DocumentOrder, { kind: 'claim_status', input: { on } }, { fields: ['id'] });
  const ids = orders.map(({ id }) => letterMessageId(id));
  return ids.length - (await em.count(Command, { id: { $in: ids } }));
}

/** An order that waits. */
export interface DueOrder {
  orgId: string;
  documentId: string;
}

/** Finds orders of any organization that wait, and claims them for a while. */
export function claimDueOrders(
  database: Database,
  { leaseSeconds, most }: { leaseSeconds: number; most: number },
): Promise<DueOrder[]> {
  return database.forOrg(ANY_SCOPE, (em) =>
    em.execute<DueOrder[]>('select org_id as "orgId", document_id as "documentId" from claim_due_orders(?, ?)', [
      leaseSeconds,
      most,
    ]),
  );
}
