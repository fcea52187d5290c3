// Queries on documents that are to be made.
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { COME_BY_THEMSELVES } from '../../../domain/document/kinds.ts';
import { DocumentOrder } from '../../entities/document/document-order.ts';
import { Command } from '../../entities/platform/command.ts';
import type { Database } from '../../orm.ts';
import { ANY_SCOPE, organizationOf } from '../../scope.ts';
import { currentTemplateVersion } from './document-templates.ts';

/** A document that is to be made. A caller who waits makes it themselves; nobody else is sent for it meanwhile. */
export type NewOrder = Pick<DocumentOrder, 'id' | 'kind' | 'entityType' | 'entityId' | 'input' | 'createdBy'> & {
  facts?: DocumentOrder['facts'];
  templateVersion?: string | null;
};

const CALLER_WAITS_MS = 60_000;
/** The run that recorded the refusal ends: while it lasts, another start would join it and print nothing. */
const RUN_ENDS_MS = 3_000;

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

/** Opens an order again that could not be carried out. It takes the template of today, which may have been mended. */
export async function reopenOrder(em: EntityManager, order: DocumentOrder): Promise<void> {
  order.failure = null;
  if (order.kind === 'rendered' || order.facts === null) return;
  order.templateVersion = await currentTemplateVersion(em, order.kind);
}

/** Sends again for the documents that come by themselves and could not be made. Gives how many these are. */
export async function sendAgainForRefused(em: EntityManager, kinds = COME_BY_THEMSELVES): Promise<number> {
  const among = { kind: { $in: kinds.filter((kind) => COME_BY_THEMSELVES.includes(kind)) } };
  const refused = await em.find(
    DocumentOrder,
    { ...among, madeAt: null, failure: { $ne: null } },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  for (const order of refused) {
    await reopenOrder(em, order);
    order.dueAt = new Date(Date.now() + RUN_ENDS_MS);
  }
  await em.flush();
  return refused.length;
}

/** Counts, in all organizations, the documents that come by themselves and have not come. */
export async function countUnmade(em: EntityManager): Promise<{ refused: number; late: number }> {
  const [row] = await em.execute<{ refused: string; late: string }[]>(
    `select count(*) filter (where failure is not null) as refused,
        count(*) filter (where failure is null and created_at < now() - interval '1 hour') as late
      from document_orders where made_at is null and kind in (?)`,
    [COME_BY_THEMSELVES],
  );
  return { refused: Number(row?.refused ?? 0), late: Number(row?.late ?? 0) };
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
