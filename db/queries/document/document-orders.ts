// Queries on documents to be made.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { COME_BY_THEMSELVES } from '../../../domain/document/kinds.ts';
import { DocumentOrder } from '../../entities/document/document-order.ts';
import { Command } from '../../entities/platform/command.ts';
import type { Database } from '../../orm.ts';
import { lockRow, readRows, writeColumns } from '../../plain-table.ts';
import { preparedRows } from '../../prepared.ts';
import { ANY_SCOPE, organizationOf } from '../../scope.ts';
import { currentTemplateVersion } from './document-templates.ts';

/** A document to be made. A waiting caller makes it itself; no worker is sent for it in the meantime. */
export type NewOrder = Pick<DocumentOrder, 'id' | 'kind' | 'entityType' | 'entityId' | 'input' | 'createdBy'> & {
  facts?: DocumentOrder['facts'];
  templateVersion?: string | null;
};

const CALLER_WAITS_MS = 60_000;
/** Time for the run that recorded the refusal to end: until then, another start would join it and print nothing. */
const RUN_ENDS_MS = 3_000;

const PLACED = {
  name: 'placed order',
  text: `insert into document_orders (id, org_id, kind, entity_type, entity_id, input, facts, template_version,
      created_by, due_at, created_at)
    values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9, now() + $10 * interval '1 millisecond', now())
    on conflict (id) do nothing`,
};

/** Writes an order unless it exists. One that no caller waits for is due immediately. */
export async function placeOrder(em: EntityManager, order: NewOrder, dueInMs = CALLER_WAITS_MS): Promise<void> {
  const { id, kind, entityType, entityId, input, facts = null, templateVersion = null, createdBy } = order;
  const texts = [JSON.stringify(input), facts && JSON.stringify(facts)];
  const values = [kind, entityType, entityId, ...texts, templateVersion, createdBy, dueInMs];
  await preparedRows(em, PLACED, [id, organizationOf(em), ...values]);
}

/** Reads an order and locks it until the transaction ends, or null. */
export function lockOrder(em: EntityManager, id: string): Promise<Readonly<DocumentOrder> | null> {
  return lockRow(em, DocumentOrder, id);
}

/** Writes changes to a locked order immediately and returns the updated order. */
export function changeOrder(
  em: EntityManager,
  order: Readonly<DocumentOrder>,
  changes: Partial<Pick<DocumentOrder, 'facts' | 'templateVersion' | 'supersedes' | 'failure' | 'madeAt' | 'dueAt'>>,
): Promise<Readonly<DocumentOrder>> {
  return writeColumns<DocumentOrder>(em, DocumentOrder, order, changes);
}

/** Reads the orders of documents. */
export function ordersOf(em: EntityManager, documentIds: readonly string[]): Promise<DocumentOrder[]> {
  return em.find(DocumentOrder, { id: { $in: [...documentIds] } });
}

/** Reopens an order that failed. It uses today's template, which may have been fixed. */
export async function reopenOrder(
  em: EntityManager,
  order: Readonly<DocumentOrder>,
  dueAt = order.dueAt,
): Promise<Readonly<DocumentOrder>> {
  const { kind, facts } = order;
  const hasTemplate = kind !== 'rendered' && facts !== null;
  const templateVersion = hasTemplate ? await currentTemplateVersion(em, kind) : order.templateVersion;
  return changeOrder(em, order, { failure: null, templateVersion, dueAt });
}

/** Requeues the automatic documents that could not be made. Returns their number. */
export async function sendAgainForRefused(em: EntityManager, kinds = COME_BY_THEMSELVES): Promise<number> {
  const among = kinds.filter((kind) => COME_BY_THEMSELVES.includes(kind));
  const condition = 'org_id = $1 and kind = any($2) and made_at is null and failure is not null order by id for update';
  const refused = await readRows(em, DocumentOrder, condition, [among]);
  for (const order of refused) await reopenOrder(em, order, new Date(Date.now() + RUN_ENDS_MS));
  return refused.length;
}

/** Counts, in all organizations, the automatic documents that have not been made. */
export async function countUnmade(em: EntityManager): Promise<{ refused: number; late: number }> {
  const [row] = await em.execute<{ refused: string; late: string }[]>(
    `select count(*) filter (where failure is not null) as refused,
        count(*) filter (where failure is null and created_at < now() - interval '1 hour') as late
      from document_orders where made_at is null and kind in (?)`,
    [COME_BY_THEMSELVES],
  );
  return { refused: Number(row?.refused ?? 0), late: Number(row?.late ?? 0) };
}

/** The id under which it is recorded that a claim letter was sent, or why not. */
export function letterMessageId(documentId: string): string {
  return `claim-letter.${documentId}@notices.bindery`;
}

/** Counts the status letters of a day that were neither sent nor known to have failed. */
export async function statusLettersUnderWay(em: EntityManager, on: BusinessDate): Promise<number> {
  const orders = await em.find(DocumentOrder, { kind: 'claim_status', input: { on } }, { fields: ['id'] });
  const ids = orders.map(({ id }) => letterMessageId(id));
  return ids.length - (await em.count(Command, { id: { $in: ids } }));
}

/** A waiting order. */
export interface DueOrder {
  orgId: string;
  documentId: string;
}

/**
 * Claims waiting orders for a while, in the order in which they are to be made: organizations take turns, and one's
 * notices and claim letters come first (db/migrations/0311).
 */
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

const GIVEN_BACK = {
  name: 'orders given back',
  text: `update document_orders set due_at = now() where org_id = $1 and id = any($2) and made_at is null`,
};

/** Releases the claims of orders not yet sent for. */
export async function giveBackOrders(database: Database, orders: readonly DueOrder[]): Promise<void> {
  for (const [orgId, own] of Map.groupBy(orders, (order) => order.orgId)) {
    const ids = own.map(({ documentId }) => documentId);
    await database.forOrg(orgId, (em) => preparedRows(em, GIVEN_BACK, [orgId, ids]));
  }
}
