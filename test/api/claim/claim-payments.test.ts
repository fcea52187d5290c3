import test from 'ava';
import pg from 'pg';
import { addDays } from '../../../domain/dates.ts';
import { retryWaiting } from '../../../scripts/ops/waiting.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { reconciled } from '../billing/reconciled.ts';
import { covered } from './claim-calls.ts';
import { balances, deposit, found, isPaid, paymentsOf, reservedClaim } from './claim-money.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a carrier fills its loss fund, a settlement and an expense are paid from it, and recoveries return to it', async (t) => {
  const policy = await covered(platform, { deductible: 1000 });
  const { supervisor, house } = policy;
  const made = bodyOf(await deposit(policy, 50_000, 'Wire 1'), 201);
  t.like(made, { carrier: 'Default Carrier', amount: 50_000, balance: 50_000 });
  t.like(await deposit(policy, 50_000, 'Wire 1'), { status: 409, body: { error: 'already_exists' } });
  const slip = { carrier: 'Defautl Carrier', amount: 1, reference: 'Wire 2' };
  t.like(await house.as('billing_admin').post('/v1/loss-funds/deposits', slip), {
    status: 400,
    body: { error: 'validation_failed', details: { field: 'carrier', rule: 'unknown_reference' } },
  });
  const { path } = await reservedClaim(policy);
  const expense = { kind: 'expense', amount: 300, payee: 'Expert Office', reference: 'Bill 7' };
  const owed = bodyOf(await supervisor.post(`${path}/payments`, expense), 201);
  t.like(owed, { ...expense, carrier: 'Default Carrier' });
  bodyOf(await supervisor.post(`${path}/settle`, { amount: 6000, payee: 'Ada Guest' }), 201);
  const payments = await isPaid(supervisor, path, 2);
  t.deepEqual(
    payments.map(({ kind, amount, payee }: Record<string, unknown>) => [kind, amount, payee]),
    [
      ['expense', 300, 'Expert Office'],
      ['indemnity', 5000, 'Ada Guest'],
    ],
  );
  t.like(await balances(policy), { 1020: 44_700, 2080: 44_700, 1200: 0 });
  const recovered = bodyOf(await supervisor.post(`${path}/recoveries`, { kind: 'subrogation', amount: 1200 }), 201);
  t.like(recovered, { recovered: 1200, incurred: 11_000 - 1200 });
  t.like(await balances(policy), { 1020: 45_900, 2080: 45_900 });
  const beyond = await supervisor.post(`${path}/recoveries`, { kind: 'salvage', amount: 4100.01 });
  t.like(beyond, { status: 422, body: { error: 'amount_exceeds_balance' } });
  const { data } = bodyOf(await house.as('billing_admin').get('/v1/loss-funds'));
  t.deepEqual(data, [{ carrier: 'Default Carrier', balance: 45_900, requested: 0 }]);
});

test('a voided payment is no longer owed: the money returns to the fund and to the reserve', async (t) => {
  const policy = await covered(platform);
  const { supervisor, house } = policy;
  bodyOf(await deposit(policy, 5000, 'Wire 1'), 201);
  const { path } = await reservedClaim(policy);
  bodyOf(await supervisor.post(`${path}/settle`, { amount: 4000, payee: 'Ada Guest' }), 201);
  const [{ id }] = await isPaid(supervisor, path, 1);
  const back = bodyOf(await supervisor.post(`${path}/payments/${id}/void`, { reason: 'Lost in the mail.' }));
  t.like(back, { status: 'settled', incurred: 12_000 });
  t.is(back.paid.total, 0);
  t.like(await balances(policy), { 1020: 5000, 2080: 5000 });
  t.is((await supervisor.post(`${path}/payments/${id}/void`, { reason: 'Again.' })).status, 422);
  bodyOf(await supervisor.post(`${path}/payments`, { kind: 'indemnity', amount: 4000, payee: 'Ada Guest' }), 201);
  await isPaid(supervisor, path, 1);
  t.is(bodyOf(await supervisor.get(path)).paid.indemnity, 4000);
  const run = await reconciled(house.as('billing_admin'));
  t.true(run.clean, JSON.stringify(run.checks));
});

test('if the payment of a settlement is voided, the next settlement takes the deductible again', async (t) => {
  const policy = await covered(platform, { deductible: 1000 });
  const { supervisor } = policy;
  const { path } = await reservedClaim(policy);
  const settle = async () => bodyOf(await supervisor.post(`${path}/settle`, { amount: 5000, payee: 'Ada Guest' }), 201);
  const borne = { amount: 5000, deductible: 1000, payable: 4000 };
  t.like((await settle()).settlement, borne);
  const [{ id }] = await paymentsOf(supervisor, path);
  bodyOf(await supervisor.post(`${path}/payments/${id}/void`, { reason: 'Lost in the mail.' }));
  bodyOf(await supervisor.post(`${path}/close`, {}));
  bodyOf(await supervisor.post(`${path}/reopen`, { reason: 'The check is to be sent again.' }));
  bodyOf(
    await supervisor.post(`${path}/reserves`, { indemnity: 10_000, expense: 0, reason: 'The estimate of the repair.' }),
    201,
  );
  const part = { kind: 'indemnity', amount: 9000.01, payee: 'Ada Guest' };
  const refused = await supervisor.post(`${path}/payments`, part);
  t.like(refused, { status: 422, body: { error: 'reserve_too_low', details: { reserve: 10_000, deductible: 1000 } } });
  const again = await settle();
  t.like(again.settlement, borne);
  t.is(again.paid.indemnity, 4000);
});

test('the same reference is paid once to the same payee and recovered once, unless the payment is void', async (t) => {
  const policy = await covered(platform);
  const { supervisor } = policy;
  const { path } = await reservedClaim(policy);
  const bill = { kind: 'expense', amount: 100, payee: 'Law Firm', reference: 'INV-77' };
  const pay = (changes = {}) => supervisor.post(`${path}/payments`, { ...bill, ...changes });
  const { id } = bodyOf(await pay(), 201);
  const exists = (details: object) => ({ status: 409, body: { error: 'already_exists', details } });
  t.like(await pay({ amount: 50, payee: ' law firm' }), exists({ paymentId: id }));
  bodyOf(await pay({ reference: 'INV-78' }), 201);
  bodyOf(await pay({ payee: 'Another Firm' }), 201);
  bodyOf(await pay({ kind: 'indemnity' }), 201);
  bodyOf(await supervisor.post(`${path}/payments/${id}/void`, { reason: 'Lost in the mail.' }));
  const answers = await Promise.all([pay(), pay()]);
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409]);
  const early = await supervisor.post(`${path}/recoveries`, { kind: 'salvage', amount: 0.01 });
  t.like(early, { status: 422, body: { error: 'amount_exceeds_balance', details: { balance: 0 } } }, 'none has left');
  bodyOf(await deposit(policy, 5000, 'Wire 1'), 201);
  const allPaid = async () => {
    await retryWaiting(platform.temporal.client, 'the test', policy.house.orgId);
    const payments = await paymentsOf(supervisor, path);
    return payments.every(({ status }: { status: string }) => status !== 'pending');
  };
  await eventually(allPaid, { what: 'the payments to be made' });
  const recover = (reference?: string) =>
    supervisor.post(`${path}/recoveries`, { kind: 'salvage', amount: 50, ...(reference ? { reference } : {}) });
  bodyOf(await recover('SAL-1'), 201);
  t.like(await recover('SAL-1'), { status: 409, body: { error: 'already_exists' } });
  for (const _ of ['the first', 'another']) bodyOf(await recover(), 201);
  t.is(bodyOf(await supervisor.get(path)).recovered, 150);
  const list = async (query: Record<string, string>) =>
    bodyOf(await supervisor.get(`${path}/recoveries`, { query })).data.map(
      ({ kind, amount, reference }: Record<string, unknown>) => [kind, amount, reference],
    );
  const all = [
    ['salvage', 50, 'SAL-1'],
    ['salvage', 50, null],
    ['salvage', 50, null],
  ];
  const { today } = policy;
  t.deepEqual(await list({ kind: 'salvage', receivedFrom: today, receivedTo: today }), all);
  const others: Record<string, string>[] = [
    { kind: 'subrogation' },
    { receivedFrom: addDays(today, 1) },
    { receivedTo: addDays(today, -1) },
  ];
  for (const query of others) {
    t.deepEqual(await list(query), []);
  }
});

test('a payment is within its reserve and the limits; adjusters and others make none', async (t) => {
  const policy = await covered(platform);
  const { supervisor, house } = policy;
  const { path } = await reservedClaim(policy);
  const pay = (by: TestClient, kind: string, amount: number) =>
    by.post(`${path}/payments`, { kind, amount, payee: 'Ada Guest' });
  t.like(await pay(supervisor, 'expense', 2000.01), { status: 422, body: { error: 'reserve_too_low' } });
  t.like(await pay(supervisor, 'indemnity', 10_000.01), { status: 422, body: { error: 'reserve_too_low' } });
  for (const role of ['claims_adjuster', 'billing_admin', 'auditor', 'underwriter']) {
    t.is((await pay(house.as(role, 'usr_adjuster'), 'expense', 1)).status, 403, role);
  }
});

/** Statement → the check that finds its change; the second statement undoes it. */
const TAMPERED: [change: string, back: string, finds: string][] = [
  ['update claim_payments set amount_cents = amount_cents + 1', 'amount_cents - 1', 'claim_payment_entries'],
  ['update claim_payments set requested_cents = requested_cents + 1', 'requested_cents - 1', 'claim_payment_entries'],
  ['update claim_recoveries set amount_cents = amount_cents + 1', 'amount_cents - 1', 'claim_recovery_entries'],
  ['update loss_fund_deposits set amount_cents = amount_cents + 1', 'amount_cents - 1', 'loss_fund_entries'],
];

test('the reconciliation finds a payment, a recovery or a deposit that is not in the ledger as its row says', async (t) => {
  const policy = await covered(platform);
  const { supervisor, house } = policy;
  bodyOf(await deposit(policy, 5000, 'Wire 1'), 201);
  const { path } = await reservedClaim(policy);
  bodyOf(await supervisor.post(`${path}/settle`, { amount: 4000, payee: 'Ada Guest' }), 201);
  await isPaid(supervisor, path, 1);
  bodyOf(await supervisor.post(`${path}/recoveries`, { kind: 'salvage', amount: 100 }), 201);
  t.deepEqual(await found(platform, house.orgId), []);
  const owner = new pg.Client({ connectionString: platform.testDatabase.ownerUrl });
  await owner.connect();
  try {
    for (const [change, back, finds] of TAMPERED) {
      await owner.query(`${change} where org_id = $1`, [house.orgId]);
      t.deepEqual(await found(platform, house.orgId), [finds], change);
      await owner.query(`${change.replace(/= .*$/, `= ${back}`)} where org_id = $1`, [house.orgId]);
    }
  } finally {
    await owner.end();
  }
  t.deepEqual(await found(platform, house.orgId), []);
});

test('a payment that still waits is stopped on a closed claim too, which keeps no reserve for it', async (t) => {
  const policy = await covered(platform);
  const { supervisor, house } = policy;
  const { path } = await reservedClaim(policy);
  bodyOf(await supervisor.post(`${path}/settle`, { amount: 4000, payee: 'Ada Guest' }), 201);
  bodyOf(await supervisor.post(`${path}/close`, {}));
  const [waiting] = await paymentsOf(supervisor, path);
  t.is(waiting.status, 'pending');
  const late = await supervisor.post(`${path}/settle`, { amount: 1, payee: 'Ada Guest' });
  t.deepEqual(late.body.details.allowed, ['void', 'reopen']);
  const stop = () => supervisor.post(`${path}/payments/${waiting.id}/void`, { reason: 'The payee has died.' });
  t.like(bodyOf(await stop()), { status: 'closed', reserves: { total: 0 }, paid: { total: 0 }, incurred: 0 });
  t.is((await stop()).status, 422);
  t.like(await balances(policy), { 1200: 0, 2080: 0 });
  t.deepEqual(await found(platform, house.orgId), []);
});
