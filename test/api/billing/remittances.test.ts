// What leaves the trust for its owners: prepared by one person, approved by another, paid once; and what a payee owes
// back when a return comes afterwards.
import test, { type ExecutionContext } from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { refused } from './billed-invoice.ts';
import { balances, cents, findings, paid, paidPolicy, prepare, refund, TODAY } from './remittance-calls.ts';

const PERIOD = TODAY.slice(0, 7);
const CARRIER = 'Default Carrier';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const statementOf = async (house: House, producerId: string) =>
  bodyOf(
    await house.as('finance_analyst').get(`/v1/producers/${producerId}/statements`, { query: { period: PERIOD } }),
  );

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
  const four = await Promise.all(
    [1, 2, 3, 4].map(() => billing.post(`${path}/${payout.id}/approve`, { reference: 'ACH 5511' })),
  );
  t.deepEqual(four.map(({ status }) => status).sort(), [200, 422, 422, 422]);
  t.like(bodyOf(await finance.get(`${path}/${payout.id}`)), { status: 'paid', paidOn: TODAY });
  const { 2020: _, ...rest } = before;
  t.deepEqual(await balances(house), { ...rest, 1010: cents((before[1010] ?? 0) - earned) });
  t.like(await statementOf(house, producerId), { earned, paid: earned, balance: 0, payable: 0, chargeback: 0 });
  const file = await finance.get(path, { headers: { accept: 'text/csv' } });
  t.deepEqual(file.text.trim().split('\r\n'), [
    'id,kind,payee,npn,amount,currency,through,status,paidOn,reference',
    `${payout.id},commission,"Lone Star, Inc.",,${earned},USD,${TODAY},paid,${TODAY},ACH 5511`,
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
  await rejectedTransfer(t, house);
  t.deepEqual(await findings(house), []);
});

test("a payee's share of a returned payment is made good immediately and netted from the next remittance", async (t) => {
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

test('a reference pays one payee: one of simultaneous payments and checks under it, in any case, is made', async (t) => {
  const house = await newHouse(platform);
  const billing = house.as('billing_admin');
  await refund(house, (await paidPolicy(house)).invoiceId, 200);
  const [owed] = bodyOf(await billing.get('/v1/disbursements')).data;
  const remittance = (await prepare(house, '/v1/remittances', { carrier: CARRIER })).id;
  const transfer = (await prepare(house, '/v1/ledger/transfers', {})).id;
  const approve = {
    remittance: (reference: string) => billing.post(`/v1/remittances/${remittance}/approve`, { reference }),
    transfer: (reference: string) => billing.post(`/v1/ledger/transfers/${transfer}/approve`, { reference }),
  };
  const move = (step: string, body?: object) => billing.post(`/v1/disbursements/${owed.id}/${step}`, body);
  const every = await Promise.all([
    approve.remittance('Wire 1'),
    approve.transfer('WIRE 1'),
    move('issue', { checkNumber: ' wire 1 ' }),
  ]);
  t.deepEqual(every.map(({ status }) => status).sort(), [200, 409, 409]);
  for (const { status, body } of every) if (status !== 200) t.like(body, { error: 'already_exists' });

  // A payment keeps its reference, and so does a stopped check.
  const [first, second, third] = every.map(({ status }) => status === 200);
  if (!third) bodyOf(await move('issue', { checkNumber: 'Check 3' }));
  const { checkNumber } = bodyOf(await billing.get(`/v1/disbursements/${owed.id}`));
  bodyOf(await move('stop', { reason: 'It was lost.' }));
  const ofCheck = { resource: 'disbursement', disbursementId: owed.id };
  if (!first) {
    refused(t, await approve.remittance(checkNumber), 409, 'already_exists', { ...ofCheck, field: 'reference' });
    bodyOf(await approve.remittance('Wire 2'));
  }
  const wire = bodyOf(await billing.get(`/v1/remittances/${remittance}`)).reference;
  const ofWire = { resource: 'remittance', remittanceId: remittance };
  if (!second) {
    refused(t, await approve.transfer(checkNumber), 409, 'already_exists', { ...ofCheck, field: 'reference' });
    refused(t, await approve.transfer(wire.toLowerCase()), 409, 'already_exists', { ...ofWire, field: 'reference' });
    bodyOf(await approve.transfer('Wire 3'));
  }
  const [asCheck, asTransfer] = [await move('issue', { checkNumber: wire }), await move('issue', { reference: wire })];
  refused(t, asCheck, 409, 'already_exists', { ...ofWire, field: 'checkNumber' });
  refused(t, asTransfer, 409, 'already_exists', { ...ofWire, field: 'reference' });
  t.like(bodyOf(await move('issue', { checkNumber: 'Check 4' })), { status: 'issued', checkNumber: 'Check 4' });
});

test('a payment keeps the reference that its approver gave, and the booking of the bank that names it is matched', async (t) => {
  const house = await newHouse(platform);
  const [finance, billing] = [house.as('finance_analyst'), house.as('billing_admin')];
  await paidPolicy(house);
  const carrier = await prepare(house, '/v1/remittances', { carrier: CARRIER });
  const transfer = await prepare(house, '/v1/ledger/transfers', {});
  t.is(carrier.reference, null);
  const approval = (reference: unknown) => billing.post(`/v1/remittances/${carrier.id}/approve`, { reference });
  refused(t, await approval(' '), 400, 'validation_failed', { field: 'reference' });
  t.is(bodyOf(await approval('WIRE 90210')).reference, 'WIRE 90210');
  t.is(
    bodyOf(
      await billing.post(`/v1/ledger/transfers/${transfer.id}/approve`, {
        reference: 'Sweep 1200',
      }),
    ).reference,
    'Sweep 1200',
  );
  t.is(bodyOf(await finance.get(`/v1/remittances/${carrier.id}`)).reference, 'WIRE 90210');
  t.is(bodyOf(await finance.get('/v1/remittances')).data[0].reference, 'WIRE 90210');
  const file = await finance.get('/v1/remittances', { headers: { accept: 'text/csv' } });
  t.true(file.text.includes(`,paid,${TODAY},WIRE 90210`), file.text);

  // Weeks later only the reference says which payment it was.
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: addDays(TODAY, 40) }));
  const booked = `${addDays(TODAY, 40)},-${carrier.amount},WIRE-90210,Outgoing wire`;
  const contentBase64 = Buffer.from(`date,amount,reference,description\n${booked}`).toString('base64');
  const statement = { fileName: 'wires.csv', contentType: 'text/csv', contentBase64 };
  t.like(bodyOf(await billing.post('/v1/bank-statements', statement), 201), { matchedCount: 1, unmatchedCount: 0 });
  const [line] = bodyOf(await finance.get('/v1/bank-lines')).data;
  t.like(line, { matchedBy: 'reference', movements: [{ sourceId: carrier.id }] });
});

test('a payment up to a day excludes money earned and returned after that day', async (t) => {
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

/** Our share stays in the trust when its transfer is rejected, which both the list and the transfer itself show. */
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
