// The daily sums next to the rows that they stand for: both give the same answers at every moment, and sums built from
// scratch equal those accumulated step by step.
import anyTest, { type TestFn } from 'ava';
import pg from 'pg';
import { foldPortfolio, rebuildPortfolio } from '../../../db/facts/fold-portfolio.ts';
import { connectDatabase, type Database } from '../../../db/orm.ts';
import type { Dimension } from '../../../db/queries/insight/periods.ts';
import { monthsOf, type Period } from '../../../domain/insight/portfolio.ts';
import { type PortfolioGroup, portfolioGroups } from '../../../plans/insight/portfolio.ts';
import { silentLogger } from '../../support/logger.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../rows.ts';
import { drawFrom, histories, shuffled, type Write } from './book.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test, 4);

const TODAY = '2026-03-10';
const LIVES = 60;
const QUESTIONS: { dimension: Dimension; periods: Period[]; today: string }[] = [
  { dimension: 'none', periods: monthsOf('2023-02-01', TODAY), today: TODAY },
  { dimension: 'state', periods: [{ label: 'year', first: '2025-01-01', last: '2025-12-31' }], today: TODAY },
  { dimension: 'line', periods: [{ label: 'to today', first: '2025-06-17', last: TODAY }], today: TODAY },
  { dimension: 'producer', periods: [{ label: 'days', first: '2024-02-28', last: '2024-03-01' }], today: TODAY },
  { dimension: 'state', periods: [{ label: 'ahead', first: '2025-05-01', last: '2026-01-01' }], today: '2025-06-15' },
  {
    dimension: 'line',
    periods: [{ label: 'after all', first: '2027-01-01', last: '2027-02-01' }],
    today: '2027-01-15',
  },
];

const inOrder = (groups: PortfolioGroup[]) =>
  groups.toSorted((one, other) =>
    JSON.stringify([one.label, one.key]).localeCompare(JSON.stringify([other.label, other.key])),
  );

async function answers(database: Database, orgId: string): Promise<PortfolioGroup[][]> {
  const found: PortfolioGroup[][] = [];
  for (const question of QUESTIONS) {
    found.push(inOrder(await database.forOrg(orgId, (em) => portfolioGroups(em, question))));
  }
  return found;
}

class TakenBack extends Error {}

/** The rows' own answers, as if there were no sums. */
async function answersOfRows(database: Database, orgId: string): Promise<PortfolioGroup[][]> {
  const found: PortfolioGroup[][] = [];
  const asking = database.transaction(orgId, async (em) => {
    await em.execute('delete from portfolio_marks where org_id = ?', [orgId]);
    for (const question of QUESTIONS) found.push(inOrder(await portfolioGroups(em, question)));
    throw new TakenBack();
  });
  await asking.catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error;
  });
  return found;
}

const write = (database: Database, orgId: string, writes: readonly Write[]) =>
  database.transaction(orgId, async (em) => {
    for (const each of writes) {
      await each(em);
      await em.flush();
    }
  });

/** Rows that are issued, voided, inserted before others, and moved to another state. */
const KINDS = ['cancellation', 'endorsement', 'new_business', 'reapplied', 'reinstatement'];

async function kindsOf(database: Database, orgId: string): Promise<string[]> {
  const statement = `select type as kind from policy_transactions union
    select 'reapplied' from policy_transactions where reapplied <> '[]' order by 1`;
  const rows = await database.forOrg(orgId, (em) => em.execute<{ kind: string }[]>(statement));
  return rows.map(({ kind }) => kind);
}

async function sumsOf(database: Database, orgId: string) {
  const read = (statement: string) => database.forOrg(orgId, (em) => em.execute<object[]>(statement));
  return {
    facts: await read(`select * from portfolio_facts f
      where to_jsonb(f) - array['org_id', 'dimension', 'unit', 'starts_on', 'key'] <>
        (select jsonb_object_agg(name, 0) from jsonb_object_keys(to_jsonb(f) - array['org_id', 'dimension', 'unit', 'starts_on', 'key']) name)
      order by dimension, unit, starts_on, key`),
    lags: await read(`select * from quote_lags where quote_count <> 0 or quoted_and_bound_count <> 0
      order by dimension, event_on, origin_on, key`),
  };
}

test('sums and the rows since equal the total of all rows after every write, however late', async (t) => {
  const { database } = t.context;
  const [orgId, other] = [await addOrganization(database), await addOrganization(database)];
  const draw = drawFrom(42);
  const order = shuffled(histories(LIVES, orgId), draw);
  const others = shuffled(histories(8, other), draw);
  await write(database, other, others);
  await foldPortfolio(database, other);
  const ofOther = await answers(database, other);
  const step = Math.ceil(order.length / 12);
  for (let from = 0; from < order.length; from += step) {
    await write(database, orgId, order.slice(from, from + step));
    t.deepEqual(await answers(database, orgId), await answersOfRows(database, orgId), `${from} rows, and more`);
    if (draw(3) > 0) {
      // A round leaves later rows unmerged, even for policies that are in it.
      await foldPortfolio(database, orgId, { changesOfARound: 1 + draw(40) });
      t.deepEqual(await answers(database, orgId), await answersOfRows(database, orgId), `${from} rows, one round`);
      while (await foldPortfolio(database, orgId, { changesOfARound: 500 }));
      t.deepEqual(
        await answers(database, orgId),
        await answersOfRows(database, orgId),
        `${from} rows, and more, folded`,
      );
    }
  }
  await foldPortfolio(database, orgId);
  const together = await sumsOf(database, orgId);
  t.true(together.facts.length > 1_000 && together.lags.length > 10);
  t.deepEqual(await kindsOf(database, orgId), KINDS);
  t.true(await rebuildPortfolio(database, orgId));
  t.deepEqual(await sumsOf(database, orgId), together);
  t.deepEqual(await answers(database, other), ofOther);
  t.true((ofOther[1]?.length ?? 0) > 1);
});

test('the zone of the database moves no figure to another day or month', async (t) => {
  const { database, urls } = t.context;
  const orgId = await addOrganization(database);
  await write(database, orgId, shuffled(histories(12, orgId), drawFrom(7)));
  await foldPortfolio(database, orgId);
  const [expected, sums] = [await answersOfRows(database, orgId), await sumsOf(database, orgId)];
  for (const zone of ['Pacific/Kiritimati', 'America/Los_Angeles']) {
    const owner = new pg.Client({ connectionString: urls.ownerUrl });
    await owner.connect();
    await owner.query(
      `do $$ begin execute format('alter database %I set timezone to ''${zone}''', current_database()); end $$`,
    );
    await owner.end();
    const elsewhere = await connectDatabase({ ...urls, poolSize: 2, logger: silentLogger });
    t.teardown(() => elsewhere.close());
    await rebuildPortfolio(elsewhere, orgId);
    t.deepEqual(await sumsOf(elsewhere, orgId), sums, zone);
    t.deepEqual(await answers(elsewhere, orgId), expected, zone);
  }
});

test('a row that commits while sums are built is in the response, and in the sums the next time', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const [first = [], second = []] = histories(2, orgId);
  await write(database, orgId, first);
  const [isFolded] = await Promise.all([foldPortfolio(database, orgId), write(database, orgId, second)]);
  t.false(isFolded);
  t.deepEqual(await answers(database, orgId), await answersOfRows(database, orgId));
  await foldPortfolio(database, orgId);
  t.deepEqual(await answers(database, orgId), await answersOfRows(database, orgId));
});

test('a figure that moves to another place leaves nothing behind, before it is in the sums and after', async (t) => {
  const { database, urls } = t.context;
  const orgId = await addOrganization(database);
  await write(database, orgId, histories(2, orgId).flat());
  await foldPortfolio(database, orgId);
  const states = async () => new Set((await answers(database, orgId))[1]?.map(({ key }) => key));
  t.true((await states()).has('TX'));
  const owner = new pg.Client({ connectionString: urls.ownerUrl });
  await owner.connect();
  for (const table of ['policies', 'claims', 'submissions']) {
    await owner.query(`update ${table} set state = 'CA' where state = 'TX' and org_id = $1`, [orgId]);
  }
  await owner.end();
  t.false((await states()).has('TX'));
  t.deepEqual(await answers(database, orgId), await answersOfRows(database, orgId));
  while (await foldPortfolio(database, orgId, { changesOfARound: 2 }));
  t.false((await states()).has('TX'));
  t.deepEqual(await answers(database, orgId), await answersOfRows(database, orgId));
});

test('a list with more changes than a response adds comes from the rows, and is folded round by round', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  await write(database, orgId, histories(4, orgId).flat());
  await foldPortfolio(database, orgId);
  await database.forOrg(orgId, (em) =>
    em.execute(
      `insert into portfolio_changes (org_id, entity_id, row_id)
       select ?, 'pol_of_nobody_' || i, 'txn_of_nobody_' || i from generate_series(1, 25000) i`,
      [orgId],
    ),
  );
  t.deepEqual(await answers(database, orgId), await answersOfRows(database, orgId));
  let rounds = 1;
  while (await foldPortfolio(database, orgId)) rounds += 1;
  t.is(rounds, 13);
  t.deepEqual(await answers(database, orgId), await answersOfRows(database, orgId));
});
