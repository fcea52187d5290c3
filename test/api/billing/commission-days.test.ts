// A producer's statement totals the same month as the ledger: a commission record has its entry's date.
import test from 'ava';
import { addDays, firstDayOf, lastDayOf, type Month, monthAfter, monthOf } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, bound, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

const MONTH = monthOf(testToday());
const [LAST_DAY, NEXT] = [lastDayOf(MONTH), monthAfter(MONTH)];
/** 12.5 percent of the worked example's premium of 3,990.00. Domain 3.5 */
const AGENT = 498.75;

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('commission on a check of last month is of last month, and of the first open day once that month is closed', async (t) => {
  const house = await newHouse(platform);
  const billing = house.as('billing_admin');
  const producerId = await house.addProducer();
  const statement = async (period: Month) =>
    bodyOf(await billing.get(`/v1/producers/${producerId}/statements`, { query: { period } }));
  // Late enough not to lapse before the checks are recorded.
  const risk = { producerId, effectiveDate: addDays(LAST_DAY, 10) };
  const [first, second] = [
    (await bound(house.as('underwriter'), risk)).invoices[0],
    (await bound(house.as('underwriter'), risk)).invoices[0],
  ];
  const pay = async ({ id, total }: { id: string; total: number }) => {
    const check = { amount: total, method: 'check', reference: 'Late', receivedDate: LAST_DAY };
    bodyOf(await billing.post(`/v1/invoices/${id}/pay`, check), 201);
  };
  const isShared = (payable: number) =>
    eventually(async () => (await statement(NEXT)).payable === payable, { what: 'the split' });
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: `${NEXT}-05` }));

  await pay(first);
  await isShared(AGENT);
  t.like(await statement(MONTH), { earned: AGENT, balance: AGENT, payable: AGENT, recordCount: 1 });
  t.like(await statement(NEXT), { openingBalance: AGENT, earned: 0, balance: AGENT, payable: AGENT });

  bodyOf(await billing.post(`/v1/ledger/periods/${MONTH}/close`));
  await pay(second);
  await isShared(2 * AGENT);
  t.like(await statement(MONTH), { earned: AGENT, balance: AGENT, payable: AGENT, recordCount: 1 });
  t.like(await statement(NEXT), { openingBalance: AGENT, earned: AGENT, balance: 2 * AGENT, payable: 2 * AGENT });
  const onDay = { producerId, from: firstDayOf(NEXT), to: firstDayOf(NEXT) };
  t.is(bodyOf(await billing.get('/v1/commissions', { query: onDay })).data.length, 1);
});

test('commission that a cancellation takes back is of the month in which the policy ends, however far the clock advances', async (t) => {
  const house = await newHouse(platform);
  const billing = house.as('billing_admin');
  const producerId = await house.addProducer();
  const statement = async (period: Month) =>
    bodyOf(await billing.get(`/v1/producers/${producerId}/statements`, { query: { period } }));
  const { policyId, invoices } = await bound(house.as('underwriter'), { producerId });
  const [{ id, total }] = invoices;
  bodyOf(await billing.post(`/v1/invoices/${id}/pay`, { amount: total, method: 'check', reference: 'Check 1' }), 201);
  await eventually(async () => (await statement(MONTH)).payable === AGENT, { what: 'the split' });
  const ends = lastDayOf(NEXT);
  const cancel = { effectiveDate: ends, reason: 'insured_request' };
  bodyOf(await house.as('underwriter').post(`/v1/policies/${policyId}/cancel`, cancel), 201);

  const after = monthAfter(MONTH, 2);
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: `${after}-05` }));
  const { balance } = await eventually(
    async () => {
      const last = await statement(after);
      return last.balance < AGENT && last.balance === last.payable && last;
    },
    { what: 'the commission to be taken back' },
  );
  for (const period of [MONTH, NEXT, after]) {
    const { openingBalance, earned, reversed, paid, payable, ...rest } = await statement(period);
    t.is(rest.balance, payable, period);
    t.is(rest.balance, Math.round((openingBalance + earned - reversed - paid) * 100) / 100, period);
  }
  t.is((await statement(NEXT)).balance, balance);
});
