// Closed months are binding for everyone who posts, whatever the application says.

import type { EntityManager } from '@mikro-orm/postgresql';
import anyTest, { type TestFn } from 'ava';
import type { LedgerPeriod } from '../../../db/entities/billing/ledger-period.ts';
import { newId } from '../../../db/ids.ts';
import { writeNewRows } from '../../../db/new-rows.ts';
import type { Database } from '../../../db/orm.ts';
import { postEntry } from '../../../db/queries/billing/ledger.ts';
import { accountTotals } from '../../../db/queries/billing/ledger-lists.ts';
import {
  findPeriod,
  holdPostings,
  keepBalances,
  lockPeriod,
  persistClosed,
} from '../../../db/queries/billing/periods/ledger-periods.ts';
import { receiptEntry } from '../../../domain/billing/ledger/entries.ts';
import { eventually } from '../../support/eventually.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

function post(em: EntityManager, date: string): string {
  const source = { sourceType: 'payment', sourceId: newId('payment'), date, description: 'Receipt' } as const;
  return postEntry(em, receiptEntry('check', 10_000), source)?.id ?? '';
}

async function close(em: EntityManager, month: string, lastDay: string) {
  await holdPostings(em);
  return persistClosed(em, { month, lastDay, by: 'usr_1', at: new Date() });
}

/** The balances stored for a month, once they are summed. */
async function kept(database: Database, orgId: string, period: LedgerPeriod) {
  await database.transaction(orgId, (em) => keepBalances(em, period));
  return (await database.forOrg(orgId, (em) => findPeriod(em, period.month)))?.balances;
}

const datesOf = (em: EntityManager) =>
  em.execute<{ id: string; date: string; original: string | null }[]>(
    'select id, date::text, original_date::text as original from ledger_entries order by date, id',
  );

test('an entry for a closed month, or one before it, is dated the first open day and keeps the day that was meant', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const other = await addOrganization(database);
  await database.transaction(orgId, async (em) => post(em, '2026-01-31'));
  const closed = await database.transaction(orgId, (em) => close(em, '2026-01', '2026-01-31'));
  t.deepEqual(await kept(database, orgId, closed), [
    { account: 1010, cents: 10_000 },
    { account: 2070, cents: -10_000 },
  ]);
  for (const date of ['2026-01-31', '2025-06-30', '2026-02-01']) {
    await database.transaction(orgId, async (em) => post(em, date));
  }
  await database.transaction(other, async (em) => post(em, '2026-01-31'));
  const rows = await database.forOrg(orgId, datesOf);
  t.deepEqual(
    rows.map(({ date, original }) => [date, original]),
    [
      ['2026-01-31', null],
      ['2026-02-01', '2026-01-31'],
      ['2026-02-01', '2025-06-30'],
      ['2026-02-01', null],
    ],
  );
  t.is((await database.forOrg(orgId, (em) => accountTotals(em, '2026-01-31'))).get(1010)?.debitCents, 10_000);
  t.deepEqual(
    (await database.forOrg(other, datesOf)).map(({ date, original }) => [date, original]),
    [['2026-01-31', null]],
  );
});

test('a month that closes waits for the entry that is being posted, and counts it', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const written = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const posting = database.transaction(orgId, async (em) => {
    post(em, '2026-01-31');
    await writeNewRows(em);
    written.resolve();
    await mayCommit.promise;
  });
  await written.promise;
  const closing = database.transaction(orgId, (em) => close(em, '2026-01', '2026-01-31'));
  const waits = `select 1 from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  const look = async () => (await database.forOrg(orgId, (em) => em.execute(waits))).length > 0;
  await eventually(look, { what: 'the close to wait' });
  mayCommit.resolve();
  await posting;
  t.is((await kept(database, orgId, await closing))?.length, 2);
  t.deepEqual(
    (await database.forOrg(orgId, datesOf)).map(({ date }) => date),
    ['2026-01-31'],
  );
});

test('the balances of a month that was opened again while they were summed are not kept', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const closed = await database.transaction(orgId, (em) => close(em, '2026-01', '2026-01-31'));
  await database.transaction(orgId, async (em) => {
    const reopened = { reopenedBy: 'usr_2', reopenedAt: new Date(), reopenReason: 'Late.' };
    Object.assign((await findPeriod(em, '2026-01')) ?? {}, { status: 'reopened', ...reopened });
    await em.flush();
  });
  t.is(await kept(database, orgId, closed), null);
});

test('a month opens again although its balances are about to be kept', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const closed = await database.transaction(orgId, (em) => close(em, '2026-01', '2026-01-31'));
  const waits = `select 1 from pg_locks where locktype in ('tuple', 'transactionid') and not granted
    and pid in (select pid from pg_stat_activity where datname = current_database())`;
  let isOver = false;
  const look = async () => isOver || (await database.forOrg(orgId, (em) => em.execute(waits))).length > 0;
  const keeping = await database.transaction(orgId, async (em) => {
    const period = await lockPeriod(em, '2026-01');
    const balances = kept(database, orgId, closed).finally(() => {
      isOver = true;
    });
    await eventually(look, { what: 'the balances to wait, or to be kept' });
    const reopened = { reopenedBy: 'usr_2', reopenedAt: new Date(), reopenReason: 'Late.' };
    Object.assign(period ?? {}, { status: 'reopened', ...reopened });
    await em.flush();
    return { balances };
  });
  t.is(await keeping.balances, null);
  t.is((await database.forOrg(orgId, (em) => findPeriod(em, '2026-01')))?.status, 'reopened');
});
