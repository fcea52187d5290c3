// Files that are passed on: a run's payments for the bank, and the commission records of a producer's statement. A
// missing row would not be paid or checked, so the files hold every row, and longer ones are refused.
import test from 'ava';
import { addDays, firstDayOf, monthAfter, monthOf } from '../../../domain/dates.ts';
import { Rows } from '../../faults/bind.ts';
import { testToday } from '../../support/fixed/today.ts';
import { allPages, bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { refused } from './billed-invoice.ts';

const TODAY = testToday();
const YESTERDAY = addDays(TODAY, -1);
const PAYOUTS = '/v1/commissions/payouts';
const CSV = { headers: { accept: 'text/csv' } };

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const rows = () => new Rows(platform.testDatabase.ownerUrl);

let written = 0;

/** Inserts payouts to a producer approved on a given day, and returns their ids. */
async function paid(house: House, producerId: string, count: number, day: string): Promise<string[]> {
  const first = written + 1;
  written += count;
  const ids = await rows().query<{ id: string }>(
    `insert into remittances (id, org_id, kind, payee, through, amount_cents, netted_cents, cash_cents, parts, status,
       prepared_by, decided_by, decided_at, paid_on)
     select 'pyo_' || lpad(n::text, 26, '0'), $1, 'commission', $2, $5, n, 0, n, '[]', 'paid', 'one', 'other', now(), $5
     from generate_series($3::int, $4::int) n returning id`,
    [house.orgId, producerId, first, written, day],
  );
  return ids.map(({ id }) => id);
}

/** The first cell of each row of a table. */
const idsOf = (text: string): string[] =>
  text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',', 1)[0] ?? '');

test('the payment file of a day has each payment of that day once, however many there are, and no other', async (t) => {
  const house = await newHouse(platform);
  const finance = house.as('finance_analyst');
  const producerId = await house.addProducer('Lone Star');
  const before = await paid(house, producerId, 101, YESTERDAY);
  const today = await paid(house, producerId, 1_001, TODAY);
  const file = async (query: Record<string, string>) => idsOf((await finance.get(PAYOUTS, { ...CSV, query })).text);

  t.deepEqual((await file({ paidFrom: TODAY, paidTo: TODAY })).toSorted(), today);
  t.deepEqual((await file({ paidTo: YESTERDAY, limit: '5' })).toSorted(), before);
  t.deepEqual((await file({})).toSorted(), [...before, ...today]);
  t.deepEqual(await file({ paidFrom: addDays(TODAY, 1) }), []);
  const [netted = '', ...others] = before;
  await rows().query(
    'update remittances set netted_cents = amount_cents, amount_cents = 0, cash_cents = 0 where id = $1',
    [netted],
  );
  t.deepEqual((await file({ paidTo: YESTERDAY })).toSorted(), others, 'nothing is paid where all of it was netted');
  t.deepEqual(await file({ paidFrom: TODAY, status: 'rejected' }), []);
  const listed = await allPages(finance, PAYOUTS, { paidFrom: YESTERDAY, paidTo: YESTERDAY, limit: 100 });
  t.deepEqual(listed.map(({ id }) => id).toSorted(), before);
  for (const path of ['/v1/remittances', '/v1/ledger/transfers']) {
    const query = { paidFrom: TODAY, paidTo: TODAY };
    t.deepEqual(bodyOf(await finance.get(path, { query })), { data: [], nextCursor: null });
  }
});

test('a payment file of more than 10,000 payments is refused whole, and a day of it is not', async (t) => {
  const house = await newHouse(platform);
  const finance = house.as('finance_analyst');
  const producerId = await house.addProducer();
  await paid(house, producerId, 9_999, YESTERDAY);
  const today = await paid(house, producerId, 1, TODAY);
  t.is(idsOf((await finance.get(PAYOUTS, CSV)).text).length, 10_000);
  await paid(house, producerId, 1, YESTERDAY);
  refused(t, await finance.get(PAYOUTS, CSV), 400, 'validation_failed', {
    field: 'paidFrom',
    rule: 'max',
    max: 10_000,
  });
  t.deepEqual(idsOf((await finance.get(PAYOUTS, { ...CSV, query: { paidFrom: TODAY } })).text), today);
});

test('a statement shows 1,000 records and says whether these are all; its table has every one, oldest first', async (t) => {
  const house = await newHouse(platform);
  const producerId = await house.addProducer();
  const producer = await house.asProducer(producerId);
  const { policyId, invoices } = await bound(house.as('underwriter'), { producerId });
  const path = `/v1/producers/${producerId}/statements`;
  const earn = (from: number, to: number, day: string) =>
    rows().query<{ id: string }>(
      `insert into commission_records (id, org_id, type, policy_id, invoice_id, producer_id, source_type, source_id,
         gross_premium_cents, agent_commission_cents, mga_commission_cents, carrier_net_cents, tier, rates, recorded_on)
       select 'cmr_' || lpad(n::text, 26, '0'), $1, 'earned', $2, $3, $4, 'payment', n::text, 8, 1, 1, 6, 1,
         '{"agentRate": "0.125", "mgaRate": "0.125"}', $7
       from generate_series($5::int, $6::int) n`,
      [house.orgId, policyId, invoices[0].id, producerId, from, to, day],
    );
  await earn(1, 1_000, TODAY);
  t.like(bodyOf(await producer.get(path)), { recordCount: 1_000, isComplete: true });
  await earn(1_001, 1_003, TODAY);
  await earn(1_004, 1_004, firstDayOf(monthAfter(monthOf(TODAY))));

  const statement = bodyOf(await producer.get(path));
  t.like(statement, { recordCount: 1_003, isComplete: false, earned: 10.03 });
  t.is(statement.records.length, 1_000);
  const every = Array.from({ length: 1_003 }, (_, n) => `cmr_${String(n + 1).padStart(26, '0')}`);
  t.deepEqual(idsOf((await producer.get(path, CSV)).text), every);
});
