/**
 * Brings the daily sums of a portfolio up to its rows: adds what has changed since, or builds them from all rows. Both
 * see one moment of the database, so a row is in the sums or among the changes, never in both. Decision 0140.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../orm.ts';
import { preparedRows } from '../prepared.ts';
import {
  isPortfolioBuilt,
  type PortfolioChange,
  portfolioChanges,
  sightsOf,
} from '../queries/insight/portfolio-changes.ts';
import { organizationOf } from '../scope.ts';
import { addFlows } from './add-flows.ts';

/** Any number, the same in every version: the first half of the lock that guards an organization's sums. */
const FACTS_LOCK = 5_201_940;
/** Changes that one round adds at most: a second or two. */
const CHANGES_OF_A_ROUND = 2_000;
/** Policies, submissions or claims that are built together. */
const PAGE = 5_000;

/**
 * Adds changes to the sums, at most those of one round; builds the sums where there are none.
 * @returns true when changes may be left
 */
export function foldPortfolio(database: Database, orgId: string): Promise<boolean> {
  return inTurn(database, orgId, async (em) => {
    if (!(await isPortfolioBuilt(em))) {
      await build(em);
      return false;
    }
    const changes = await portfolioChanges(em);
    const round = changes.slice(0, CHANGES_OF_A_ROUND);
    if (round.length === 0) return false;
    await addFlows(em, await sightsOf(em, changes, round));
    await forget(em, round);
    return changes.length > round.length;
  });
}

/** Builds the sums again from all rows. @returns false when another process is at work on them */
export function rebuildPortfolio(database: Database, orgId: string): Promise<boolean> {
  return inTurn(database, orgId, async (em) => {
    await build(em);
    return true;
  });
}

/** Works on one moment of the database, alone; returns false when somebody else does. */
function inTurn(database: Database, orgId: string, work: (em: EntityManager) => Promise<boolean>): Promise<boolean> {
  return database.transaction(orgId, async (em) => {
    await em.execute('set transaction isolation level repeatable read');
    await em.execute('set local jit = off');
    // Between its statements the rules may be at work on a page of histories.
    await em.execute('set local idle_in_transaction_session_timeout = 0');
    const [row] = await em.execute<{ held: boolean }[]>('select pg_try_advisory_xact_lock(?, hashtext(?)) as held', [
      FACTS_LOCK,
      orgId,
    ]);
    return row?.held === true && (await work(em));
  });
}

async function build(em: EntityManager): Promise<void> {
  const orgId = organizationOf(em);
  // Of the changes those that this moment shows: their rows are among all that follow.
  for (const table of ['portfolio_facts', 'quote_lags', 'portfolio_marks', 'portfolio_changes']) {
    await em.execute(`delete from ${table} where org_id = ?`, [orgId]);
  }
  for (const table of ['policies', 'submissions', 'claims']) {
    let last = '';
    for (let ids = await page(em, table, last); ids.length > 0; ids = await page(em, table, last)) {
      await addFlows(em, { before: null, after: { ids, hidden: [], moved: [] } });
      last = ids.at(-1) ?? last;
    }
  }
  await em.execute('insert into portfolio_marks (org_id) values (?)', [orgId]);
}

async function page(em: EntityManager, table: string, after: string): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select id from ${table} where org_id = ? and id > ? order by id limit ?`,
    [organizationOf(em), after, PAGE],
  );
  return rows.map(({ id }) => id);
}

const FORGET = {
  name: 'forget portfolio changes',
  text: 'delete from portfolio_changes where org_id = $1 and id = any($2::bigint[])',
};

async function forget(em: EntityManager, changes: readonly PortfolioChange[]): Promise<void> {
  await preparedRows(em, FORGET, [organizationOf(em), changes.map(({ id }) => id)]);
}
