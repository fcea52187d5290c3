/**
 * Brings the daily sums of a portfolio up to its rows: adds what has changed since, or builds them from all rows. Both
 * use one snapshot, so a row is in the sums or among the changes, never in both. Decision 0140.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../orm.ts';
import { preparedRows } from '../prepared.ts';
import {
  firstChanges,
  isPortfolioBuilt,
  planForMany,
  sightsOf,
  type UnfoldedChange,
} from '../queries/insight/portfolio-changes.ts';
import { organizationOf } from '../scope.ts';
import { addFlows } from './add-flows.ts';
import { inTurn } from './in-turn.ts';

/** Maximum changes per round: a second or two. */
const CHANGES_OF_A_ROUND = 2_000;
/** Policies, submissions or claims per page when an operator rebuilds; every page adds to the same rows. */
const PAGE = 5_000;
/** The same alongside other work, where statements are limited. */
const PAGE_OF_A_WORKER = 2_000;

export interface FoldingOptions {
  changesOfARound?: number;
}

/**
 * Adds at most one round of changes to the sums; builds the sums if there are none.
 * @returns true if changes may be left
 */
export async function foldPortfolio(
  database: Database,
  orgId: string,
  { changesOfARound = CHANGES_OF_A_ROUND }: FoldingOptions = {},
): Promise<boolean> {
  const isMoreLeft = await inTurn(database, orgId, async (em) => {
    if (!(await isPortfolioBuilt(em))) {
      // Longer than the usual statement timeout, shorter than the limit for a silent connection.
      await em.execute("set local statement_timeout = '30s'");
      await build(em, PAGE_OF_A_WORKER);
      return false;
    }
    const round = await firstChanges(em, changesOfARound);
    if (round.length === 0) return false;
    await planForMany(em, round.length);
    await addFlows(em, await sightsOf(em, round));
    await forget(em, round);
    return round.length === changesOfARound;
  });
  return isMoreLeft === true;
}

/** Rebuilds the sums from all rows. @returns false if another process is working on them */
export async function rebuildPortfolio(database: Database, orgId: string): Promise<boolean> {
  const isDone = await inTurn(database, orgId, async (em) => {
    await build(em, PAGE);
    return true;
  });
  return isDone === true;
}

async function build(em: EntityManager, size: number): Promise<void> {
  const orgId = organizationOf(em);
  // Deletes only the changes visible in this snapshot: their rows are all included below.
  for (const table of ['portfolio_facts', 'quote_lags', 'portfolio_marks', 'portfolio_changes']) {
    await em.execute(`delete from ${table} where org_id = ?`, [orgId]);
  }
  for (const table of ['policies', 'submissions', 'claims']) {
    let last = '';
    for (let ids = await page(em, table, last, size); ids.length > 0; ids = await page(em, table, last, size)) {
      await addFlows(em, { before: null, after: { ids, hidden: [], moved: [] } });
      last = ids.at(-1) ?? last;
    }
  }
  await em.execute('insert into portfolio_marks (org_id) values (?)', [orgId]);
}

async function page(em: EntityManager, table: string, after: string, size: number): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select id from ${table} where org_id = ? and id > ? order by id limit ?`,
    [organizationOf(em), after, size],
  );
  return rows.map(({ id }) => id);
}

const FORGET = {
  name: 'forget portfolio changes',
  text: 'delete from portfolio_changes where org_id = $1 and id = any($2::bigint[])',
};

async function forget(em: EntityManager, changes: readonly UnfoldedChange[]): Promise<void> {
  await preparedRows(em, FORGET, [organizationOf(em), changes.map(({ id }) => id)]);
}
