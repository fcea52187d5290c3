// Renewal batches and their policies. Contract 3.2 "batch".
import type { EntityManager } from '@mikro-orm/postgresql';
import { addDays, type BusinessDate } from '../../../domain/dates.ts';
import type { BatchCounts, ItemError, ItemOutcome, RenewalResult } from '../../../domain/renewal/renewal-batch.ts';
import { RenewalBatch } from '../../entities/renewal/renewal-batch.ts';
import { findById } from '../../entity-rows.ts';
import { organizationOf } from '../../scope.ts';
import { holdUntilCommit } from '../holds.ts';
import { cursorOf, type Page, type PageRequest, readCursor } from '../pages.ts';

/** A policy with a renewal outcome. */
export interface BatchItem extends RenewalResult {
  policyId: string;
}

/** The policies a batch takes: those expiring within this many days of a date. */
export interface RenewalWindow {
  today: BusinessDate;
  withinDays: number;
}

/** From this many policies on, a plan made for an almost empty list would read the whole list for each one. */
const WORTH_COUNTING = 200;

/** A next term that was itself cancelled leaves the policy renewable, as for a manual renewal. */
const RENEWABLE = `p.org_id = ? and p.status = 'active' and p.non_renewal is null
  and not exists (select from policies n
    where n.org_id = p.org_id and n.renewal_of = p.id and n.status not in ('cancelled', 'lapsed'))
  and not exists (select from renewal_batch_items c
    join renewal_batches r on r.org_id = c.org_id and r.id = c.batch_id and r.status = 'running'
    where c.org_id = p.org_id and c.policy_id = p.id and c.outcome is null)`;

const DUE = `${RENEWABLE} and p.expiration_date between ? and ?`;

/** Reads a batch, or null. */
export function findBatch(em: EntityManager, id: string): Promise<RenewalBatch | null> {
  return findById(em, RenewalBatch, id);
}

/** Reads the batch of a workflow, or null. */
export function batchOfWorkflow(em: EntityManager, workflowId: string): Promise<RenewalBatch | null> {
  return em.findOne(RenewalBatch, { workflowId });
}

/**
 * Adds every policy in the window to the batch, each once; policies that another running batch has yet to renew are
 * left to it. An organization's batches are filled one at a time. @returns how many it now has
 */
export async function takePolicies(em: EntityManager, batchId: string, window: RenewalWindow): Promise<number> {
  await holdUntilCommit(em, 'renewal batches', 'alone');
  await em.execute(
    `insert into renewal_batch_items (org_id, batch_id, policy_id, expiration_date)
     select p.org_id, ?, p.id, p.expiration_date from policies p where ${DUE}
     on conflict do nothing`,
    [batchId, ...dueValues(em, window)],
  );
  const sql = 'select count(*)::int as n from renewal_batch_items where org_id = ? and batch_id = ?';
  const [row] = await em.execute<{ n: number }[]>(sql, [organizationOf(em), batchId]);
  const taken = row?.n ?? 0;
  if (taken >= WORTH_COUNTING) await em.execute('select analyze_batch_items()');
  return taken;
}

/** Has the database analyze the tables that batches have filled since it last did. */
export async function analyzeGrownTables(em: EntityManager): Promise<void> {
  await em.execute('select analyze_grown_tables()');
}

/**
 * Reads a page of policy ids in the window, earliest expiration first.
 * @throws DomainError validation_failed for a bad cursor
 */
export async function dueForRenewal(
  em: EntityManager,
  window: RenewalWindow,
  page: PageRequest,
): Promise<Page<string>> {
  const after = page.cursor ? readCursor(page.cursor) : null;
  const later =
    after === null
      ? ''
      : `and (p.expiration_date, p.id) >
         (select a.expiration_date, a.id from policies a where a.org_id = ? and a.id = ?)`;
  const rows = await em.execute<{ id: string }[]>(
    `select p.id from policies p where ${DUE} ${later} order by p.expiration_date, p.id limit ?`,
    [...dueValues(em, window), ...(after === null ? [] : [organizationOf(em), after]), page.limit + 1],
  );
  const ids = rows.map(({ id }) => id);
  return cut(ids, page.limit, (id) => id);
}

/**
 * The first expiration date, up to a date, of a renewable policy that no daily batch has taken yet and no running batch
 * has yet to renew; null when there is none.
 */
export async function firstUntakenExpiration(em: EntityManager, until: BusinessDate): Promise<BusinessDate | null> {
  const [row] = await em.execute<{ date: BusinessDate }[]>(
    `select p.expiration_date::text as date from policies p
     where ${RENEWABLE} and p.expiration_date <= ?
       and not exists (select from renewal_batch_items i
         join renewal_batches b on b.org_id = i.org_id and b.id = i.batch_id and b.is_daily
         where i.org_id = p.org_id and i.policy_id = p.id)
     order by p.expiration_date limit 1`,
    [organizationOf(em), until],
  );
  return row?.date ?? null;
}

/** Counts a batch's policies by outcome. */
export async function batchCounts(em: EntityManager, batchId: string): Promise<BatchCounts> {
  const rows = await em.execute<{ outcome: ItemOutcome | null; n: number }[]>(
    'select outcome, count(*)::int as n from renewal_batch_items where org_id = ? and batch_id = ? group by outcome',
    [organizationOf(em), batchId],
  );
  const counts = { renewed: 0, referred: 0, failed: 0 };
  for (const { outcome, n } of rows) if (outcome !== null) counts[outcome] = n;
  return counts;
}

interface ItemRow {
  policy_id: string;
  outcome: ItemOutcome;
  renewal_policy_id: string | null;
  error: ItemError | null;
}

/**
 * Reads a page of a batch's policies with an outcome, earliest expiration first.
 * @throws DomainError validation_failed for a bad cursor
 */
export async function itemsWithOutcome(
  em: EntityManager,
  batchId: string,
  page: PageRequest,
): Promise<Page<BatchItem>> {
  const orgId = organizationOf(em);
  const after = page.cursor ? readCursor(page.cursor) : null;
  const later =
    after === null
      ? ''
      : `and (expiration_date, policy_id) > (select expiration_date, policy_id from renewal_batch_items
           where org_id = ? and batch_id = ? and policy_id = ?)`;
  const rows = await em.execute<ItemRow[]>(
    `select policy_id, outcome, renewal_policy_id, error from renewal_batch_items
     where org_id = ? and batch_id = ? and outcome is not null ${later}
     order by expiration_date, policy_id limit ?`,
    [orgId, batchId, ...(after === null ? [] : [orgId, batchId, after]), page.limit + 1],
  );
  const items = rows.map(({ policy_id, outcome, renewal_policy_id, error }) => {
    return { policyId: policy_id, outcome, renewalPolicyId: renewal_policy_id, error };
  });
  return cut(items, page.limit, ({ policyId }) => policyId);
}

/** Reads a batch's next policies without an outcome, after the last one read; null starts from the beginning. */
export async function pendingItems(
  em: EntityManager,
  batchId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const orgId = organizationOf(em);
  const later =
    after === null
      ? ''
      : `and (expiration_date, policy_id) > (select expiration_date, policy_id from renewal_batch_items
           where org_id = ? and batch_id = ? and policy_id = ?)`;
  const rows = await em.execute<{ policy_id: string }[]>(
    `select policy_id from renewal_batch_items where org_id = ? and batch_id = ? and outcome is null ${later}
     order by expiration_date, policy_id limit ?`,
    [orgId, batchId, ...(after === null ? [] : [orgId, batchId, after]), limit],
  );
  return rows.map(({ policy_id }) => policy_id);
}

/** Returns those of the given policies that have no outcome in the batch, in the given order. */
export async function stillPending(
  em: EntityManager,
  batchId: string,
  policyIds: readonly string[],
): Promise<string[]> {
  const rows = await em.execute<{ policy_id: string }[]>(
    `select policy_id from renewal_batch_items
     where org_id = ? and batch_id = ? and outcome is null and policy_id = any(?::text[])`,
    [organizationOf(em), batchId, `{${policyIds.join(',')}}`],
  );
  const pending = new Set(rows.map(({ policy_id }) => policy_id));
  return policyIds.filter((id) => pending.has(id));
}

/** Stores policies' outcomes; an existing outcome stays. */
export async function recordOutcomes(em: EntityManager, batchId: string, items: readonly BatchItem[]): Promise<void> {
  if (items.length === 0) return;
  await em.execute(
    `update renewal_batch_items i
     set outcome = r.outcome, renewal_policy_id = r."renewalPolicyId", error = r.error, updated_at = now()
     from jsonb_to_recordset(?::jsonb) as r ("policyId" text, outcome text, "renewalPolicyId" text, error jsonb)
     where i.org_id = ? and i.batch_id = ? and i.policy_id = r."policyId" and i.outcome is null`,
    [JSON.stringify(items), organizationOf(em), batchId],
  );
}

function dueValues(em: EntityManager, { today, withinDays }: RenewalWindow): string[] {
  return [organizationOf(em), today, addDays(today, withinDays)];
}

/** Rows are ordered by two columns, so the cursor names the last row of the previous page. */
function cut<T>(rows: T[], limit: number, idOf: (row: T) => string): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last !== undefined ? cursorOf(idOf(last)) : null };
}
