// Trust payments to states: their tax, by report or all of it, and their stamping offices' fees; what files a report;
// and what a state owes back.
import test from 'ava';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { addDays, lastDayOf, monthOf } from '../../../domain/dates.ts';
import { allPages, bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { refused } from './billed-invoice.ts';
import {
  approve,
  balances,
  cents,
  endorse,
  filingOf,
  filingsOf,
  findings,
  paid,
  paidPolicy,
  payBill,
  prepare,
  refund,
  TODAY,
} from './remittance-calls.ts';

const CARRIER = 'Default Carrier';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a state is paid its tax by filing, once, and a rejected remittance gives its money free', async (t) => {
  const house = await newHouse(platform);
  const [finance, billing] = [house.as('finance_analyst'), house.as('billing_admin')];
  const { policyId } = await paidPolicy(house);
  const other = await paidPolicy(house);
  const before = await balances(house);
  const path = '/v1/remittances';
  const { id: filingId } = await filingOf(house, policyId, 'sl_tax_payment');
  const stamped = await filingOf(house, policyId, 'sl_policy_filing');
  const byFiling = await prepare(house, path, { kind: 'tax', filingId });
  t.like(byFiling, { kind: 'tax', state: 'TX', filingId, amount: cents((before[2040] ?? 0) / 2) });
  t.like(byFiling.invoices, [{ policyId, account: 2040 }]);
  const twice = await finance.post(path, { kind: 'tax', filingId, through: TODAY });
  refused(t, twice, 409, 'already_exists', { remittanceId: byFiling.id });
  const reason = 'The state sends its own bill.';
  t.like(bodyOf(await billing.post(`${path}/${byFiling.id}/reject`, { reason })), { status: 'rejected', reason });
  t.deepEqual(await balances(house), before);

  const { id: reference, amount } = await paid(house, path, { kind: 'tax', filingId });
  t.is(amount, byFiling.amount);
  t.like(await filingOf(house, policyId, 'sl_tax_payment'), { status: 'filed', reference, filedOn: TODAY });
  refused(t, await finance.post(path, { kind: 'tax', filingId, through: TODAY }), 422, 'not_ready');
  const rest = await paid(house, path, { state: 'TX' });
  const ofOther = await filingOf(house, other.policyId, 'sl_tax_payment');
  t.like(ofOther, { status: 'filed', reference: rest.id });
  t.like(rest.invoices, [{ policyId: other.policyId, account: 2040, amount: byFiling.amount }]);
  t.is((await paid(house, path, { kind: 'stamping', state: 'TX' })).amount, before[2050]);
  const after = await balances(house);
  t.deepEqual([after[2040], after[2050]], [undefined, undefined]);
  t.is(after[1010], cents((before[1010] ?? 0) - (before[2040] ?? 0) - (before[2050] ?? 0)));
  const invalid: [object, string, string][] = [
    [{}, 'state', 'required'],
    [{ kind: 'carrier' }, 'carrier', 'required'],
    [{ carrier: 'Nobody Mutual' }, 'carrier', 'unknown_reference'],
    [{ carrier: CARRIER, filingId }, 'filingId', 'unknown_field'],
    [{ state: 'FL', filingId }, 'state', 'enum'],
    [{ filingId: stamped.id }, 'filingId', 'unknown_reference'],
    [{ kind: 'stamping', filingId }, 'filingId', 'unknown_reference'],
  ];
  for (const [body, field, rule] of invalid) {
    refused(t, await finance.post(path, { through: TODAY, ...body }), 400, 'validation_failed', { field, rule });
  }
  const states = await allPages(finance, path, { state: 'TX', status: 'paid', limit: 2 });
  t.is(states.length, 3);
  const csv = { headers: { accept: 'text/csv' } };
  t.is((await finance.get(path, { ...csv, query: { status: 'paid' } })).text.trim().split('\r\n').length, 1 + 3);
  t.like(bodyOf(await finance.get(`${path}/${rest.id}`)), { id: rest.id, state: 'TX', status: 'paid' });
  t.true((await finance.get(`${path}/${rest.id}`, csv)).text.includes(other.policyId));
  refused(t, await house.as('auditor').post(path, { state: 'TX', through: TODAY }), 403, 'forbidden');
  t.deepEqual(await findings(house), []);
});

/** The tax of the worked example; each further 300,000 of revenue adds 261.03 and 319.08 on 5,382.00 and 6,579.00. */
const TAX = 202.97;
const MORE = [
  { annualRevenue: 1_300_000, tax: 58.06 },
  { annualRevenue: 1_600_000, tax: 58.05 },
] as const;

test('a report that was paid is paid again for tax that comes in later, which files the report of a later change', async (t) => {
  const house = await newHouse(platform);
  const [finance, path] = [house.as('finance_analyst'), '/v1/remittances'];
  const policy = await paidPolicy(house);
  const reports = () => filingsOf(house, policy.policyId, 'sl_tax_payment');
  const bill = await endorse(house, policy, MORE[0].annualRevenue);
  const [{ id: filingId }, ...others] = await reports();
  t.deepEqual(others, []);
  const body = { kind: 'tax', filingId };
  const first = await paid(house, path, body);
  t.is(first.amount, TAX);
  refused(t, await finance.post(path, { ...body, through: TODAY }), 422, 'not_ready', { blockers: ['nothing_to_pay'] });

  await payBill(house, bill);
  const waiting = await prepare(house, path, body);
  t.like(waiting, { amount: MORE[0].tax, netted: 0, filingId });
  t.like(waiting.invoices, [{ invoiceId: bill.id, account: 2040, amount: MORE[0].tax }]);
  t.is(waiting.invoices.length, 1);
  const twice = await finance.post(path, { ...body, through: TODAY });
  refused(t, twice, 409, 'already_exists', { remittanceId: waiting.id });
  await approve(house, path, waiting.id);
  t.like(await reports(), [{ id: filingId, status: 'filed', reference: first.id, filedOn: TODAY }]);

  const later = await endorse(house, policy, MORE[1].annualRevenue);
  t.like(await reports(), [{ status: 'open' }, { id: filingId, status: 'filed' }]);
  await payBill(house, later);
  const last = await paid(house, path, body);
  t.is(last.amount, MORE[1].tax);
  t.like(await reports(), [
    { status: 'filed', reference: last.id },
    { id: filingId, reference: first.id },
  ]);
  const { 2040: left } = await balances(house);
  t.is(left, undefined);
  t.deepEqual(await findings(house), []);
});

test('a payment to a state files the reports that it pays whole; others stay open: more is billed, or not shared out', async (t) => {
  const house = await newHouse(platform);
  const [path, state] = ['/v1/remittances', 'TX'];
  const [whole, owing, sharing] = [await paidPolicy(house), await paidPolicy(house), await paidPolicy(house)];
  const bill = await endorse(house, owing, MORE[0].annualRevenue);
  const { id: unshared, total } = await endorse(house, sharing, MORE[0].annualRevenue);
  const setPaid = (dollars: number) =>
    platform.database.transaction(house.orgId, async (em) => {
      await em.nativeUpdate(Invoice, { id: unshared }, { paidCents: Math.round(dollars * 100) });
    });
  // The state between a bill's payment and its split.
  await setPaid(total);
  const reportOf = (policy: { policyId: string }) => filingOf(house, policy.policyId, 'sl_tax_payment');
  const first = await paid(house, path, { state });
  await setPaid(0);
  t.is(first.amount, cents(3 * TAX));
  t.like(await reportOf(whole), { status: 'filed', reference: first.id, filedOn: TODAY });
  for (const policy of [owing, sharing]) t.like(await reportOf(policy), { status: 'open', reference: null });

  await payBill(house, bill);
  const second = await paid(house, path, { state });
  t.is(second.amount, MORE[0].tax);
  t.like(second.invoices, [{ policyId: owing.policyId, invoiceId: bill.id, amount: MORE[0].tax }]);
  t.like(await reportOf(owing), { status: 'filed', reference: second.id });
  t.like(await reportOf(whole), { status: 'filed', reference: first.id });
  t.is((await balances(house))[2040], undefined);
  t.deepEqual(await findings(house), []);
});

test('a stamping office is paid the fee by filing, or all that it invoices, and each fee that is paid whole is filed', async (t) => {
  const house = await newHouse(platform);
  const path = '/v1/remittances';
  const [named, whole, owing] = [await paidPolicy(house), await paidPolicy(house), await paidPolicy(house)];
  const bill = await endorse(house, owing, MORE[0].annualRevenue);
  const feeOf = (policy: { policyId: string }) => filingsOf(house, policy.policyId, 'stamping_fee');
  const before = cents((await balances(house))[2050] ?? 0);
  const [{ id: filingId, dueDate }] = await feeOf(named);
  t.is(dueDate, addDays(lastDayOf(monthOf(named.effectiveDate)), 30));
  const byFiling = await paid(house, path, { kind: 'stamping', filingId });
  t.is(byFiling.amount, cents(before / 3));
  t.like(await feeOf(named), [{ id: filingId, status: 'filed', reference: byFiling.id, filedOn: TODAY }]);
  t.like(await filingOf(house, named.policyId, 'sl_policy_filing'), { status: 'open' });

  const rest = await paid(house, path, { kind: 'stamping', state: 'TX' });
  t.like(await feeOf(whole), [{ status: 'filed', reference: rest.id }]);
  // The endorsement of the same month goes into the same filing, and its bill is unpaid.
  t.like(await feeOf(owing), [{ status: 'open', reference: null }]);
  t.is((await feeOf(owing)).length, 1);
  await payBill(house, bill);
  const last = await paid(house, path, { kind: 'stamping', state: 'TX' });
  t.like(await feeOf(owing), [{ status: 'filed', reference: last.id }]);
  t.is((await balances(house))[2050], undefined);
  t.deepEqual(await findings(house), []);
});

test('a state paid the tax of money that goes back owes it, and its next remittance is reduced by it', async (t) => {
  const house = await newHouse(platform);
  const billing = house.as('billing_admin');
  const [path, state] = ['/v1/remittances', 'TX'];
  const first = await paidPolicy(house);
  const { amount: tax } = await paid(house, path, { state });
  await refund(house, first.invoiceId, 1_000);
  const short = await balances(house);
  const due = short[1200] ?? 0;
  t.deepEqual([due, short[2040]], [cents(Math.round((100_000 * tax) / first.total) / 100), undefined]);
  refused(t, await billing.post(path, { state, through: TODAY }), 422, 'not_ready', { blockers: ['nothing_to_pay'] });
  t.deepEqual(await findings(house), []);

  const second = await paidPolicy(house);
  const stale = await prepare(house, path, { state });
  t.like(stale, { amount: cents(tax - due), netted: due });
  await refund(house, second.invoiceId, 1_000);
  const refusal = await billing.post(`${path}/${stale.id}/approve`);
  refused(t, refusal, 422, 'not_ready', { blockers: ['returned_since_prepared'] });
  bodyOf(await billing.post(`${path}/${stale.id}/reject`, { reason: 'Some of it went back.' }));
  t.like(await paid(house, path, { state }), { amount: cents(tax - 2 * due), netted: due });
  const after = await balances(house);
  t.deepEqual([after[1200], after[2040]], [undefined, undefined]);
  t.deepEqual(await findings(house), []);
});

test('a filing is paid though the state owes more than it: it bears the smaller debts, the others wait', async (t) => {
  const house = await newHouse(platform);
  const finance = house.as('finance_analyst');
  const [path, state] = ['/v1/remittances', 'TX'];
  const [first, second] = [await paidPolicy(house), await paidPolicy(house)];
  const tax = cents((await paid(house, path, { state })).amount / 2);
  await refund(house, first.invoiceId, first.total);
  await refund(house, second.invoiceId, 1_000);
  const smaller = Math.round((100_000 * tax) / second.total) / 100;
  t.is((await balances(house))[1200], cents(tax + smaller));
  const { policyId } = await paidPolicy(house);
  refused(t, await finance.post(path, { state, through: TODAY }), 422, 'not_ready', { blockers: ['nothing_to_pay'] });
  const filing = await filingOf(house, policyId, 'sl_tax_payment');
  const byFiling = await paid(house, path, { kind: 'tax', filingId: filing.id });
  t.like(byFiling, { amount: cents(tax - smaller), netted: smaller });
  const after = await balances(house);
  t.deepEqual([after[1200], after[2040]], [tax, undefined]);
  t.deepEqual(await findings(house), []);

  await paidPolicy(house);
  t.like(await paid(house, path, { state }), { amount: 0, netted: tax });
  t.is((await balances(house))[1200], undefined);
  t.deepEqual(await findings(house), []);
});
