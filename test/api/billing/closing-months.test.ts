// A month that closes while others are working: postings do not wait for its sums, and none slips in.
import test from 'ava';
import { findPeriod, holdPostings, persistClosed } from '../../../db/queries/billing/periods/ledger-periods.ts';
import { firstDayOf, lastDayOf, monthAfter, monthOf } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { holdTable } from '../../support/held-row.ts';
import { bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

const TODAY = testToday();
const MONTH = monthOf(TODAY);
const JOURNAL = {
  ...{ ledger: 'general', description: 'Fees.', date: TODAY },
  lines: [
    { account: 5010, debit: 12.5 },
    { account: 1030, credit: 12.5 },
  ],
};

let platform: Platform;

// The tests hold tables and inspect locks, so they take turns.
test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test.serial('a posting does not wait for the balances of a month that has closed', async (t) => {
  const house = await newHouse(platform);
  const [billing, approver] = [house.as('billing_admin'), house.as('org_admin', 'usr_approver')];
  const { id } = bodyOf(await billing.post('/v1/ledger/entries', JOURNAL), 201);
  bodyOf(await approver.post(`/v1/ledger/journals/${id}/approve`));
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: firstDayOf(monthAfter(MONTH)) }));

  const lines = await holdTable(platform.testDatabase.ownerUrl, 'ledger_lines', 'access exclusive');
  const closing = billing.post(`/v1/ledger/periods/${MONTH}/close`);
  await lines.isWaitedFor();
  const isFree = `select pg_try_advisory_xact_lock_shared(hashtextextended('ledger_periods:${house.orgId}', 0)) as free`;
  const [held] = await platform.database.forOrg(house.orgId, (em) => em.execute<{ free: boolean }[]>(isFree));
  const closed = await platform.database.forOrg(house.orgId, (em) => findPeriod(em, MONTH));
  await lines.release();
  t.true(held?.free);
  t.is(closed?.status, 'closed');
  const balances = [
    { account: 1030, balance: -12.5 },
    { account: 5010, balance: 12.5 },
  ];
  t.like(bodyOf(await closing), { status: 'closed', balances });

  // As if the second step had never happened.
  await platform.database.transaction(house.orgId, (em) => em.execute('update ledger_periods set balances = null'));
  t.like(bodyOf(await billing.get('/v1/ledger/periods')), { data: [{ month: MONTH, balances }] });
});

test.serial('a journal that is approved while its month closes is not posted to another month', async (t) => {
  const house = await newHouse(platform);
  const { id } = bodyOf(await house.as('billing_admin').post('/v1/ledger/entries', JOURNAL), 201);
  const lastDay = lastDayOf(MONTH);
  const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  const isWaiting = async () =>
    (await platform.database.forOrg(house.orgId, (em) => em.execute<object[]>(waiting))).length > 0;
  const { approving } = await platform.database.transaction(house.orgId, async (em) => {
    await holdPostings(em);
    await persistClosed(em, { month: MONTH, lastDay, by: 'usr_1', at: new Date() });
    const approving = house.as('org_admin', 'usr_approver').post(`/v1/ledger/journals/${id}/approve`);
    await eventually(isWaiting, { what: 'the approval to wait for the close' });
    return { approving };
  });
  const refused = await approving;
  t.is(refused.status, 422, refused.text);
  t.like(refused.body, { error: 'invalid_state_transition', details: { closedThrough: lastDay, date: TODAY } });
  t.deepEqual(bodyOf(await house.as('billing_admin').get('/v1/ledger/entries')).data, []);
});
