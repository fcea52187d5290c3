// What leaves the trust for its owners: prepared by one, approved by another, paid once; and what a payee owes
// back when a return comes afterwards.
import test, { type ExecutionContext } from 'ava';
import { businessDateAt } from '../../../domain/business-day.ts';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { refused } from './billed-invoice.ts';
import { reconciled } from './reconciled.ts';

const TODAY = businessDateAt(Date.now(), 0);
const PERIOD = TODAY.slice(0, 7);
const CARRIER = 'Default Carrier';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** Account → balance, those with nothing left out. */
async function balances(house: House): Promise<Record<string, number>> {
  const { data } = bodyOf(await house.as('finance_analyst').get('/v1/ledger/accounts'));
  const rows = (data as { account: number; balance: number }[]).filter(({ balance }) => balance !== 0);
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
}

/** Binds a policy of the worked example, pays it in full by check, and waits until it is shared out. */
async function paidPolicy(house: House, producerId?: string) {
  const billing = house.as('billing_admin');
  const { policyId, invoices } = await bound(house.as('underwriter'), producerId ? { producerId } : {});
  const [{ id: invoiceId, total }] = invoices;
  const owed = (await balances(house))[2010] ?? 0;
  bodyOf(await billing.post(`/v1/invoices/${invoiceId}/pay`, { amount: total, method: 'check', reference: '7' }), 201);
  await eventually(async () => ((await balances(house))[2010] ?? 0) > owed, { what: 'the split' });
  return { policyId, invoiceId, total };
}

/** Returns money of an invoice and waits until the ledger owes it back. */
async function refund(house: House, invoiceId: string, amount: number): Promise<void> {
  const owed = (await balances(house))[2060] ?? 0;
  const body = { amount, reason: 'Paid twice.' };
  bodyOf(await house.as('billing_admin').post(`/v1/invoices/${invoiceId}/refund`, body), 201);
  const isOwed = async () => (await balances(house))[2060] === cents(owed + amount);
  await eventually(isOwed, { what: `${amount} to be owed back` });
}

const prepare = async (house: House, path: string, body: object) =>
  bodyOf(await house.as('finance_analyst').post(path, { through: TODAY, ...body }), 201);

const approve = async (house: House, path: string, id: string) =>
  bodyOf(await house.as('billing_admin').post(`${path}/${id}/approve`));

const paid = async (house: House, path: string, body: object = {}) =>
  approve(house, path, (await prepare(house, path, body)).id);

/** A policy's filing of a kind as it is now. */
const filingOf = async (house: House, policyId: string, kind: string) =>
  bodyOf(await house.as('auditor').get('/v1/compliance/filings', { query: { policyId, kind } })).data[0];

const statementOf = async (house: House, producerId: string) =>
  bodyOf(
    await house.as('finance_analyst').get(`/v1/producers/${producerId}/statements`, { query: { period: PERIOD } }),
  );

const cents = (dollars: number) => Math.round(dollars * 100) / 100;

/** Every check of the books, and the totals of the trust. */
async function findings(house: House) {
  const { checks } = await reconciled(house.as('billing_admin'));
  return checks.filter(({ status }: { status: string }) => status === 'failed');
}

test('a payout covers the commission of a producer, is approved by somebody else, and is paid once', async (t) => {
  const house = await newHouse(platform);
  const [finance, billing] = [house.as('finance_analyst'), house.as('billing_admin')];
  const producerId = await house.addProducer('Lone Star, Inc.');
  const { invoiceId } = await paidPolicy(house, producerId);
  await eventually(async () => (await statementOf(house, producerId)).recordCount === 1, { what: 'the record' });
  const [record] = bodyOf(await finance.get('/v1/commissions', { query: { producerId, from: TODAY, to: TODAY } })).data;
  const before = await balances(house);
  const earned = record.agentCommission;
  t.is(before[2020], earned);
  const statement = await statementOf(house, producerId);
  t.like(statement, { period: PERIOD, openingBalance: 0, earned, reversed: 0, paid: 0, balance: earned });
  t.like(statement, { payable: earned, chargeback: 0, producerName: 'Lone Star, Inc.' });
  t.deepEqual(statement.records, [record]);

  const path = '/v1/commissions/payouts';
  const late = await finance.post(path, { producerId, through: addDays(TODAY, 1) });
  refused(t, late, 400, 'validation_failed', { field: 'through', rule: 'max' });
  const early = await finance.post(path, { producerId, through: addDays(TODAY, -1) });
  refused(t, early, 422, 'not_ready', { blockers: ['nothing_to_pay'] });
  const payout = await prepare(house, path, { producerId });
  t.like(payout, { kind: 'commission', producerId, amount: earned, netted: 0, status: 'pending_approval' });
  t.like(payout.invoices, [{ invoiceId, account: 2020, amount: earned }]);
  t.deepEqual(await balances(house), before);
  const again = await finance.post(path, { producerId, through: TODAY });
  refused(t, again, 422, 'not_ready');
  refused(t, await finance.post(`${path}/${payout.id}/approve`), 403, 'forbidden');
  const own = bodyOf(await billing.post(path, { producerId: await house.addProducer(), through: TODAY }), 422);
  t.is(own.error, 'not_ready');

  t.false((await finance.get(path, { headers: { accept: 'text/csv' } })).text.includes(payout.id));
  const four = await Promise.all([1, 2, 3, 4].map(() => billing.post(`${path}/${payout.id}/approve`)));
  t.deepEqual(four.map(({ status }) => status).sort(), [200, 422, 422, 422]);
  t.like(bodyOf(await finance.get(`${path}/${payout.id}`)), { status: 'paid', paidOn: TODAY });
  const { 2020: _, ...rest } = before;
  t.deepEqual(await balances(house), { ...rest, 1010: cents((before[1010] ?? 0) - earned) });
  t.like(await statementOf(house, producerId), { earned, paid: earned, balance: 0, payable: 0, chargeback: 0 });
  const file = await finance.get(path, { headers: { accept: 'text/csv' } });
  t.deepEqual(file.text.trim().split('\r\n'), [
    'id,kind,payee,npn,amount,currency,through,status,paidOn',
    `${payout.id},commission,"Lone Star, Inc.",,${earned},USD,${TODAY},paid,${TODAY}`,
  ]);
  t.is((await billing.get(`/v1/remittances/${payout.id}`)).status, 404);
  const covered = await finance.get(`${path}/${payout.id}`, { headers: { accept: 'text/csv' } });
  t.is(covered.text.trim().split('\r\n').length, 2, covered.text);
  t.like(bodyOf(await finance.get(path)), { data: [{ id: payout.id, status: 'paid' }], nextCursor: null });
  const table = { query: { period: PERIOD }, headers: { accept: 'text/csv' } };
  t.true((await finance.get(`/v1/producers/${producerId}/statements`, table)).text.includes(record.id));
  const onAccount = async (query: object) =>
    bodyOf(await finance.get('/v1/ledger/entries', { query: { ...query } })).data;
  const [posted] = await onAccount({ account: 2020, from: TODAY, to: TODAY });
  t.like(posted, { entryType: 'remittance', sourceType: 'remittance', sourceId: payout.id, invoiceId: null });
  t.deepEqual(await onAccount({ account: 2020, to: addDays(TODAY, -1) }), []);
  t.deepEqual(await onAccount({ from: addDays(TODAY, 1) }), []);
  const yesterday = bodyOf(await finance.get('/v1/ledger/accounts', { query: { asOf: addDays(TODAY, -1) } })).data;
  t.true(yesterday.every(({ balance }: { balance: number }) => balance === 0));
  t.deepEqual(await findings(house), []);
});

test('what a payee had of a payment that goes back is made good immediately and netted from the next one', async (t) => {
  const house = await newHouse(platform);
  const producerId = await house.addProducer();
  const first = await paidPolicy(house, producerId);
  const before = await balances(house);
  const payout = await paid(house, '/v1/commissions/payouts', { producerId });
  const carrier = await paid(house, '/v1/remittances', { carrier: CARRIER });
  const transfer = await paid(house, '/v1/ledger/transfers');
  t.is(carrier.amount, before[2010]);
  t.is(transfer.amount, cents((before[2030] ?? 0) + (before[2090] ?? 0)));
  t.is((await balances(house))[1030], transfer.amount);
  t.is((await balances(house))[1120], undefined);

  await refund(house, first.invoiceId, 1_000);
  await eventually(async () => (await statementOf(house, producerId)).reversed > 0, { what: 'the reversal' });
  const short = await balances(house);
  const [agent, mga, due] = [short[1130] ?? 0, cents(transfer.amount - (short[1030] ?? 0)), short[1200] ?? 0];
  t.true(agent > 0 && due > 0 && mga > agent, JSON.stringify(short));
  for (const account of [2010, 2020, 2030, 2090, 1120]) t.is(short[account], undefined, String(account));
  t.like(await statementOf(house, producerId), {
    ...{ earned: payout.amount, reversed: agent, paid: payout.amount, balance: -agent, payable: 0, chargeback: agent },
  });
  const nothing = await house.as('finance_analyst').post('/v1/remittances', { carrier: CARRIER, through: TODAY });
  refused(t, nothing, 422, 'not_ready');
  t.deepEqual(await findings(house), []);

  await paidPolicy(house, producerId);
  const next = await paid(house, '/v1/commissions/payouts', { producerId });
  t.like(next, { amount: cents(payout.amount - agent), netted: agent });
  const nextCarrier = await paid(house, '/v1/remittances', { carrier: CARRIER });
  t.like(nextCarrier, { amount: cents(carrier.amount - due), netted: due });
  const nextTransfer = await paid(house, '/v1/ledger/transfers');
  t.like(nextTransfer, { amount: transfer.amount, netted: 0 });
  const after = await balances(house);
  for (const account of [1120, 1130, 1200, 2010, 2020, 2030, 2090]) t.is(after[account], undefined, String(account));
  t.is(after[1030], cents(2 * transfer.amount - (mga - agent)));
  t.like(await statementOf(house, producerId), { balance: 0, payable: 0, chargeback: 0 });

  const { invoiceId } = await paidPolicy(house, producerId);
  const path = '/v1/commissions/payouts';
  const { id } = await prepare(house, path, { producerId });
  await refund(house, invoiceId, 1_000);
  const stale = await house.as('billing_admin').post(`${path}/${id}/approve`);
  refused(t, stale, 422, 'not_ready', { blockers: ['returned_since_prepared'] });
  bodyOf(await house.as('billing_admin').post(`${path}/${id}/reject`, { reason: 'Some of it went back.' }));
  t.is((await paid(house, path, { producerId })).amount, cents(payout.amount - agent));
  t.deepEqual(await findings(house), []);
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
  await rejectedTransfer(t, house);
  refused(t, await house.as('auditor').post(path, { state: 'TX', through: TODAY }), 403, 'forbidden');
  t.deepEqual(await findings(house), []);
});

test('a state that was paid the tax of money that goes back owes it, and is paid so much less next time', async (t) => {
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

test('money that is earned and goes back after a day is no part of a payment up to that day', async (t) => {
  const house = await newHouse(platform);
  const producerId = await house.addProducer();
  await paidPolicy(house, producerId);
  const owed = await balances(house);
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: addDays(TODAY, 5) }));
  const { invoiceId, total } = await paidPolicy(house, producerId);
  await refund(house, invoiceId, total);
  const dueOf = async (path: string, body: object) => (await prepare(house, path, body)).amount;
  t.is(await dueOf('/v1/commissions/payouts', { producerId }), owed[2020]);
  t.is(await dueOf('/v1/remittances', { carrier: CARRIER }), owed[2010]);
  t.is(await dueOf('/v1/remittances', { state: 'TX' }), owed[2040]);
  t.is(await dueOf('/v1/ledger/transfers', {}), cents((owed[2030] ?? 0) + (owed[2090] ?? 0)));
});

/** What is ours stays in the trust when its transfer is rejected, which is seen in the list and by itself. */
async function rejectedTransfer(t: ExecutionContext, house: House): Promise<void> {
  const [finance, billing] = [house.as('finance_analyst'), house.as('billing_admin')];
  const [path, reason] = ['/v1/ledger/transfers', 'After the audit.'];
  const before = await balances(house);
  const { id, amount } = await prepare(house, path, {});
  t.is(amount, cents((before[2030] ?? 0) + (before[2090] ?? 0)));
  t.like(bodyOf(await billing.post(`${path}/${id}/reject`, { reason })), { id, status: 'rejected', reason });
  t.like(bodyOf(await finance.get(path)), { data: [{ id, status: 'rejected' }] });
  t.like(bodyOf(await finance.get(`${path}/${id}`)), { id, amount });
  const csv = { headers: { accept: 'text/csv' } };
  t.false((await finance.get(path, csv)).text.includes(id));
  t.true((await finance.get(path, { ...csv, query: { status: 'rejected' } })).text.includes(id));
  t.true((await finance.get(`${path}/${id}`, csv)).text.startsWith('invoiceId,'));
  t.deepEqual(await balances(house), before);
}

test('a statement is of a month or a quarter, and producers read their own', async (t) => {
  const house = await newHouse(platform);
  const [mine, other] = [await house.addProducer(), await house.addProducer()];
  const producer = await house.asProducer(mine);
  const quarter = { period: `${TODAY.slice(0, 4)}-Q${Math.ceil(Number(TODAY.slice(5, 7)) / 3)}` };
  t.like(bodyOf(await producer.get(`/v1/producers/${mine}/statements`, { query: quarter })), {
    ...quarter,
    balance: 0,
  });
  t.is((await producer.get(`/v1/producers/${other}/statements`, { query: quarter })).status, 403);
  t.like(bodyOf(await producer.get(`/v1/producers/${mine}/statements`)), { period: PERIOD, records: [] });
  for (const period of ['2026', '2026-13', '2026-Q5', '0000-01', '0000-Q1']) {
    const answer = await producer.get(`/v1/producers/${mine}/statements`, { query: { period } });
    refused(t, answer, 400, 'validation_failed', { field: 'period' });
  }
});
