// Refunds that partly wait for approval, and refunds and checks that are owed for a payment that later bounces.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { addDays } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, EFFECTIVE_DATE } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured } from '../policy/policy-calls.ts';
import { type Billed, billedOn, pay, refund, refused } from './billed-invoice.ts';
import { reconciled } from './reconciled.ts';

const TODAY = testToday();

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** Account → balance, leaving out zeros. */
async function balances({ billing }: Pick<Billed, 'billing'>): Promise<Record<string, number>> {
  const { data } = bodyOf(await billing.get('/v1/ledger/accounts'));
  const rows = (data as { account: number; balance: number }[]).filter(({ balance }) => balance !== 0);
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
}

/** Waits until the ledger owes an amount back. */
const owing = (of: Billed, amount: number) =>
  eventually(async () => (await balances(of))[2060] === amount, { what: `${amount} in 2060` });

const eventsOf = async ({ house }: Billed, type: string) =>
  bodyOf(await house.as('org_admin').get('/v1/events', { query: { type } })).data as {
    data: Record<string, unknown>;
  }[];

/** An organization in which refunds above 1,000 dollars need approval, and an invoice paid by check. */
async function supervised(): Promise<Billed & { other: TestClient }> {
  const of = await billedOn(platform);
  bodyOf(await of.house.as('org_admin').put('/v1/flags/refund_approval', { value: true }));
  await pay(of, 4_389.64);
  const other = of.house.as('billing_admin', newId('user'));
  return { ...of, other };
}

const statusOf = async ({ billing }: Pick<Billed, 'billing'>, refundId: string) =>
  bodyOf(await billing.get(`/v1/refunds/${refundId}`)).status;

/** A check bounces. */
async function bounce({ billing, path }: Billed): Promise<void> {
  const { payments } = bodyOf(await billing.get(path));
  bodyOf(await billing.post(`/v1/payments/${payments[0].id}/reverse`, { reason: 'nsf' }), 201);
}

test('a refund of a check that has bounced meanwhile is not approved; rejected, it leaves nothing behind', async (t) => {
  const of = await supervised();
  const waiting = await refund(of, 4_000);
  await bounce(of);
  const refusal = await of.other.post(`/v1/refunds/${waiting.id}/approve`);
  const details = { resource: 'refund', from: 'pending_approval', action: 'approve', allowed: ['reject'] };
  refused(t, refusal, 422, 'invalid_state_transition', details);
  t.is(await statusOf(of, waiting.id), 'pending_approval');
  bodyOf(await of.other.post(`/v1/refunds/${waiting.id}/reject`, { reason: 'The check bounced.' }));
  await eventually(async () => Object.keys(await balances(of)).length === 0, { what: 'the books to be empty' });
  t.deepEqual(bodyOf(await of.billing.get('/v1/disbursements')).data, []);
});

test('a refund owed for a bounced check is cancelled and never issued, and operating money owes nothing', async (t) => {
  const of = await billedOn(platform);
  await pay(of, 1_500);
  await refund(of, 600);
  await owing(of, 600);
  const [owed] = bodyOf(await of.billing.get('/v1/disbursements')).data;
  const path = `/v1/disbursements/${owed.id}`;
  await bounce(of);
  const move = (action: string, body: object) => of.billing.post(`${path}/${action}`, body);
  const nothingOwed = { from: 'pending', action: 'issue', allowed: ['cancel'] };
  refused(t, await move('issue', { checkNumber: '77' }), 422, 'invalid_state_transition', nothingOwed);
  await eventually(async () => (await balances(of))[1040] === 600, { what: 'the reversal in the ledger' });
  const headers = { 'idempotency-key': 'give up' };
  const cancel = () => of.billing.post(`${path}/cancel`, { reason: 'The check bounced.' }, { headers });
  const cancelled = bodyOf(await cancel());
  t.like(cancelled, { status: 'cancelled', cancelledOn: TODAY, cancelReason: 'The check bounced.', issuedOn: null });
  t.deepEqual(bodyOf(await cancel()), cancelled);
  t.deepEqual(await balances(of), {});
  refused(t, await move('cancel', { reason: 'Again.' }), 422, 'invalid_state_transition', { allowed: [] });
  t.is((await eventsOf(of, 'disbursement.cancelled')).length, 1);
  t.deepEqual((await reconciled(of.billing)).findings, []);
});

test('a refund that is split waits for approval as the whole would, until somebody has approved a part or a month is over', async (t) => {
  const of = await supervised();
  const statusAfter = async (amount: number) => (await refund(of, amount)).status;
  t.is(await statusAfter(999.5), 'succeeded');
  const waiting = await refund(of, 999.5);
  t.is(waiting.status, 'pending_approval');
  t.is(await statusAfter(0.5), 'succeeded', '1,000.00 together: what waits for approval does not count');
  const simultaneous = await Promise.all([refund(of, 0.01), refund(of, 0.02)]);
  t.deepEqual(
    simultaneous.map(({ status }) => status),
    ['pending_approval', 'pending_approval'],
  );
  bodyOf(await of.other.post(`/v1/refunds/${waiting.id}/approve`));
  t.is(await statusAfter(0.03), 'pending_approval', 'what was approved counts no more, but the others do');
  const admin = of.house.as('org_admin');
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(TODAY, 30) }));
  t.is(await statusAfter(0.04), 'pending_approval');
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(TODAY, 31) }));
  t.is(await statusAfter(999.5), 'succeeded');
});

test("an invoice whose check bounces after a cancellation returned a part of it bills the policy's present cost", async (t) => {
  const of = await billedOn(platform);
  await pay(of, 4_389.64);
  // 265 of 365 days are left: 2,896.85 of 3,990.00 is returned, with 140.49 of tax and 1.15 of stamping fee.
  const effectiveDate = addDays(EFFECTIVE_DATE, 100);
  bodyOf(await of.house.as('org_admin').post('/v1/test-clock', { advanceTo: effectiveDate }));
  const cancellation = { effectiveDate, reason: 'insured_request', method: 'pro_rata' };
  bodyOf(await of.house.as('underwriter').post(`/v1/policies/${of.policyId}/cancel`, cancellation), 201);
  const returned = { status: 'partially_refunded', total: 4_389.64, paidAmount: 4_389.64, refundedAmount: 3_038.49 };
  await owing(of, 3_038.49);
  t.like(bodyOf(await of.billing.get(of.path)), { ...returned, balance: 0 });
  await bounce(of);
  const opened = bodyOf(await of.billing.get(of.path));
  t.like(opened, { total: 1_351.15, paidAmount: 4_389.64, refundedAmount: 4_389.64, balance: 1_351.15 });
  t.like(opened.lines.at(-1), { kind: 'credit', code: 'RETURNED', amount: -3_038.49 });
  await pay(of, 1_351.15, 'check', 'Check 2');
  t.like(bodyOf(await of.billing.get(of.path)), { status: 'partially_refunded', paidAmount: 5_740.79, balance: 0 });
  t.deepEqual((await reconciled(of.billing)).findings, []);
});

/** Premium, tax, stamping fee, amount owed back, policy fee; and the fees in the general ledger. */
async function partsOf(of: Pick<Billed, 'billing'>): Promise<(number | undefined)[]> {
  const balance = await balances(of);
  const premium = [2010, 2020, 2030].map((account) => Math.round((balance[account] ?? 0) * 100));
  const cents = premium.reduce((sum, each) => sum + each, 0);
  return [cents / 100, ...[2040, 2050, 2060, 2090, 4020].map((account) => balance[account])];
}

/** Pays the second of two installments by check, and leaves the first, which bills fee and taxes, unpaid. */
async function secondPaid(checks: number[]) {
  const of = await insured(platform, 'SEMI_ANNUAL_2');
  const billing = of.house.as('billing_admin');
  const path = `/v1/invoices/${of.invoices[1]?.id}`;
  for (const amount of checks) {
    bodyOf(await billing.post(`${path}/pay`, { amount, method: 'check', reference: `Check ${amount}` }), 201);
  }
  return { ...of, billing, path };
}

/** At least a quarter of 3,990.00 is earned: 997.50, with a fee of 195.00, 57.84 tax and 0.48 stamping: 1,250.82. */
const SHORT_RATE = { reason: 'insured_request', method: 'short_rate' };

test('an invoice payable again after one of its two checks bounced is shared out once when its policy is cancelled', async (t) => {
  const of = await secondPaid([1_895, 100]);
  const { payments, status } = bodyOf(await of.billing.get(of.path));
  t.is(status, 'paid');
  const bounced = payments.find(({ amount }: { amount: number }) => amount === 100);
  bodyOf(await of.billing.post(`/v1/payments/${bounced.id}/reverse`, { reason: 'nsf' }), 201);
  bodyOf(await of.change('cancel', { effectiveDate: of.effectiveDate, ...SHORT_RATE }), 201);
  // Of the 1,895.00 that cleared, 644.18 is owed back by check.
  await eventually(async () => (await balances(of))[2060] === 644.18, { what: 'the return' });
  t.deepEqual(await partsOf(of), [997.5, 57.84, 0.48, 644.18, 195, 195]);
  t.deepEqual((await reconciled(of.billing)).findings, []);
});

test('a refund of goodwill that is rejected after a cancellation leaves each part billed once, and the rest goes back', async (t) => {
  const of = await secondPaid([1_995]);
  bodyOf(await of.house.as('org_admin').put('/v1/flags/refund_approval', { value: true }));
  const waiting = bodyOf(await of.billing.post(`${of.path}/refund`, { reason: 'Goodwill.' }), 201);
  t.is(await statusOf(of, waiting.id), 'pending_approval');
  bodyOf(await of.change('cancel', { effectiveDate: of.effectiveDate, ...SHORT_RATE }), 201);
  const first = `/v1/invoices/${of.invoices[0]?.id}`;
  t.is(bodyOf(await of.billing.get(first)).total, 253.32, 'the fee and the taxes');
  const other = of.house.as('billing_admin', newId('user'));
  bodyOf(await other.post(`/v1/refunds/${waiting.id}/reject`, { reason: 'No reason to.' }));
  // 1,995.00 was paid and 1,250.82 is earned.
  await eventually(async () => (await balances(of))[2060] === 744.18, { what: 'the return' });
  t.deepEqual(await partsOf(of), [997.5, 57.84, 0.48, 744.18, 195, 195]);
  t.is(bodyOf(await of.billing.get(first)).status, 'void');
  t.is((await of.read()).unbilledAmount, 0);
  t.deepEqual((await reconciled(of.billing)).findings, []);
});
