// Unpaid premium as the API shows it, and the holds that stop its clock.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { addDays } from '../../../domain/dates.ts';
import { fromDollars } from '../../../domain/money.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Insured, insured, pay } from '../policy/policy-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a policy is delinquent from the day after the due date until it is paid for, in the detail, the list and as of today', async (t) => {
  const policy = await insured(platform, 'QUARTERLY_4');
  const { effectiveDate, client, policyId } = policy;
  await policy.advance(effectiveDate);
  t.deepEqual((await policy.read()).statuses, ['active']);
  const billing = policy.house.as('billing_admin');
  const inDunning = async () => (await allPages(billing, '/v1/policies', { status: 'delinquent' })).map(({ id }) => id);
  t.deepEqual(await inDunning(), []);
  const today = addDays(effectiveDate, 1);
  await policy.advance(today);
  const delinquent = ['active', 'delinquent'];
  t.deepEqual((await policy.read()).statuses, delinquent);
  t.deepEqual((await policy.read({ asOf: today })).statuses, delinquent);
  const [listed] = bodyOf(await client.get('/v1/policies')).data;
  t.like(listed, { id: policyId, statuses: delinquent });
  t.deepEqual(await inDunning(), [policyId]);
  await policy.advance(addDays(effectiveDate, 11));
  t.deepEqual((await policy.read()).statuses, ['pending_cancellation', 'delinquent']);
  t.deepEqual(await inDunning(), [policyId]);
  await pay(policy);
  await eventually(async () => (await policy.read()).status === 'active', { what: 'the notice to be taken back' });
  t.deepEqual((await policy.read()).statuses, ['active']);
  t.deepEqual(await inDunning(), []);
});

test('a lapse is a pro rata cancellation by the carrier for non-payment, and raises policy.cancelled', async (t) => {
  const policy = await insured(platform);
  const { effectiveDate, house } = policy;
  await policy.advance(addDays(effectiveDate, 21));
  const cancellation = {
    effectiveDate: addDays(effectiveDate, 21),
    reason: 'non_payment',
    method: 'pro_rata',
    source: 'carrier',
  };
  t.like(await policy.read(), { status: 'lapsed', statuses: ['lapsed'], cancellation });
  t.deepEqual(await allPages(policy.client, '/v1/policies', { status: 'delinquent' }), []);
  const timeline = await policy.timeline();
  // 3,990.00 for 365 days, of which 344 are left.
  const earned = { status: 'issued', premiumChange: -3760.44 };
  t.like(timeline.at(-1), { type: 'cancellation', ...earned, actor: { kind: 'machine' } });
  const events = await allPages(house.as('org_admin'), '/v1/events');
  const cancelled = (events as unknown as { type: string; data: object }[]).filter(
    ({ type }) => type === 'policy.cancelled',
  );
  t.is(cancelled.length, 1);
  t.like(cancelled[0]?.data, { premiumChange: -3760.44, cancellation });
});

test('a lapsed policy is reinstated once its earned premium is paid, and not by a check that bounces', async (t) => {
  const policy = await insured(platform);
  await policy.advance(addDays(policy.effectiveDate, 21));
  const isRefused = async () => t.like(await policy.change('reinstate'), { status: 422, body: { error: 'not_ready' } });
  await isRefused();
  const [{ id }] = policy.invoices as [{ id: string; total: number }];
  const billing = policy.house.as('billing_admin');
  const { balance } = bodyOf(await billing.get(`/v1/invoices/${id}`));
  const payBy = async (method: string, reference: string) =>
    bodyOf(await billing.post(`/v1/invoices/${id}/pay`, { amount: balance, method, reference }), 201);
  const check = await payBy('check', 'No money');
  bodyOf(await billing.post(`/v1/payments/${check.id}/reverse`, { reason: 'nsf' }), 201);
  await isRefused();
  await payBy('wire', 'Late');
  bodyOf(await policy.change('reinstate'), 201);
  t.is((await policy.read()).status, 'active');
});

test('a payment by card rescinds the notice as one by check does', async (t) => {
  const policy = await insured(platform);
  await policy.advance(addDays(policy.effectiveDate, 12));
  const [{ id }] = policy.invoices as [{ id: string; total: number }];
  const billing = policy.house.as('billing_admin');
  const { paymentIntentId } = bodyOf(await billing.post(`/v1/invoices/${id}/payment-intent`, {}), 201);
  platform.providers.processor.pay(paymentIntentId);
  await eventually(async () => (await policy.read()).status === 'active', { what: 'the notice to be taken back' });
  t.deepEqual((await policy.read()).statuses, ['active']);
});

test('voiding an invoice rescinds the notice', async (t) => {
  const policy = await insured(platform);
  await policy.advance(addDays(policy.effectiveDate, 12));
  const [{ id }] = policy.invoices as [{ id: string; total: number }];
  bodyOf(await policy.house.as('billing_admin').post(`/v1/invoices/${id}/void`, { reason: 'Billed wrongly' }));
  await eventually(async () => (await policy.read()).status === 'active', { what: 'the notice to be taken back' });
  t.deepEqual((await policy.read()).statuses, ['active']);
});

test('a hold is placed, listed and lifted; one that was lifted is no longer listed', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const hold = { state: 'LA', from: '2030-09-01', to: '2030-09-30' };
  const placed = bodyOf(await admin.post('/v1/billing-holds', hold), 201);
  t.like(placed, hold);
  t.regex(placed.id, /^bhd_/);
  t.regex(placed.createdAt, /^\d{4}-.*Z$/);
  t.deepEqual(bodyOf(await admin.get('/v1/billing-holds')).data, [placed]);
  t.is((await admin.del(`/v1/billing-holds/${placed.id}`)).status, 204);
  t.deepEqual(bodyOf(await admin.get('/v1/billing-holds')).data, []);
});

test('a hold that ends before it begins, or names an unknown state, is refused', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const backwards = await admin.post('/v1/billing-holds', { state: 'LA', from: '2030-09-02', to: '2030-09-01' });
  t.is(backwards.status, 400);
  t.like(backwards.body, { error: 'validation_failed', details: { field: 'to', rule: 'min' } });
  t.is((await admin.post('/v1/billing-holds', { state: 'ZZ', from: '2030-09-01', to: '2030-09-02' })).status, 400);
  t.is(
    (await house.as('billing_admin').post('/v1/billing-holds', { state: 'LA', from: '2030-09-01', to: '2030-09-02' }))
      .status,
    403,
  );
});

test('a written-off invoice no longer makes its policy delinquent, and is paid all the same when money comes in', async (t) => {
  const policy = await insured(platform);
  const { house, effectiveDate, policyId } = policy;
  const billing = house.as('billing_admin');
  const [{ id, total }] = bodyOf(await billing.get('/v1/invoices', { query: { policyId } })).data;
  const path = `/v1/invoices/${id}`;
  const writeOff = { reason: 'The insured went out of business.' };
  const early = await billing.post(`${path}/write-off`, writeOff);
  t.is(early.status, 422, early.text);
  t.like(early.body, { error: 'invalid_state_transition', details: { from: 'open', action: 'write_off' } });
  bodyOf(await billing.post(`${path}/pay`, { amount: 1_000, method: 'check', reference: 'Check 1' }), 201);
  await policy.advance(addDays(effectiveDate, 1));
  t.deepEqual((await policy.read()).statuses, ['active', 'delinquent']);
  const once = { headers: { 'idempotency-key': 'write off once' } };
  const written = bodyOf(await billing.post(`${path}/write-off`, writeOff, once));
  t.like(written, { id, status: 'paid', total: 1_000, paidAmount: 1_000, balance: 0 });
  t.deepEqual(bodyOf(await billing.post(`${path}/write-off`, writeOff, once)), written);
  const { data } = bodyOf(await billing.get('/v1/invoices', { query: { policyId, status: 'uncollectible' } }));
  t.is(data.length, 1);
  const left = (fromDollars(total) - 100_000) / 100;
  t.like(data[0], { restOf: id, total: left, balance: left });
  await eventually(async () => (await policy.read()).statuses.join() === 'active', { what: 'the clock to stop' });
  const rest = { amount: left, method: 'wire', reference: 'Estate' };
  bodyOf(await billing.post(`/v1/invoices/${data[0].id}/pay`, rest), 201);
  t.like(bodyOf(await billing.get(`/v1/invoices/${data[0].id}`)), { status: 'paid', balance: 0 });
});

test('the notice demands only the premium that keeps the policy, not the fee for a returned check', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { insuredEmail: 'owner@diner.test' });
  const { house, effectiveDate, invoices } = policy;
  const billing = house.as('billing_admin');
  await pay(policy);
  const [{ id: paymentId }] = bodyOf(await billing.get(`/v1/invoices/${invoices[0]?.id}`)).payments;
  bodyOf(await billing.post(`/v1/payments/${paymentId}/reverse`, { reason: 'nsf', fee: 25 }), 201);
  await policy.advance(addDays(effectiveDate, 11));
  const { policyNumber, status } = await policy.read();
  t.is(status, 'pending_cancellation');
  const subject = `Notice of cancellation for non-payment: policy ${policyNumber}`;
  const found = () => platform.providers.mails.find((mail) => mail.subject === subject);
  await eventually(async () => found() !== undefined, { what: 'the notice' });
  t.regex(found()?.text ?? '', /Past due: \$4,389\.64\n/);
  t.notRegex(found()?.text ?? '', /25\.00|4,414\.64/);
});

test('a timely payment recorded after the lapse is refused with the next step, and then leaves nothing to pay', async (t) => {
  const policy = await insured(platform);
  const { house, effectiveDate, invoices } = policy;
  const billing = house.as('billing_admin');
  const lapsedOn = addDays(effectiveDate, 21);
  await policy.advance(addDays(lapsedOn, 10));
  const path = `/v1/invoices/${invoices[0]?.id}/pay`;
  const check = { amount: 4389.64, method: 'check', reference: 'TX1', receivedDate: addDays(lapsedOn, -1) };
  const late = await billing.post(path, check);
  t.is(late.status, 422);
  t.like(late.body, { error: 'amount_exceeds_balance', details: { amount: 4389.64, lapsedOn } });
  bodyOf(await billing.post(path, { ...check, unapplied: true }), 201);
  bodyOf(await policy.change('reinstate'), 201);
  const { data } = bodyOf(await billing.get('/v1/invoices', { query: { policyId: policy.policyId } }));
  t.is(data.length, 2, 'what was earned, and what is billed again');
  t.true(data.every(({ status, balance }: { status: string; balance: number }) => status === 'paid' && balance === 0));
  t.like(await policy.read(), { status: 'active', statuses: ['active'] });
  t.deepEqual(bodyOf(await billing.get('/v1/unapplied-cash')).data, []);
});

test('the e-mail about a lapse names the refund of premium paid for the days after it', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { insuredEmail: 'owner@cafe.test' });
  const { effectiveDate, house } = policy;
  await pay(policy);
  await policy.advance(effectiveDate);
  bodyOf(await policy.change('endorse', { effectiveDate, changes: { annualRevenue: 2_000_000 } }), 201);
  const { policyNumber } = await policy.read();
  // The additional premium falls due after 15 days and goes unpaid: the policy lapses 21 days later.
  await policy.advance(addDays(effectiveDate, 36));
  t.is((await policy.read()).status, 'lapsed');
  const subject = `Policy cancelled for non-payment: policy ${policyNumber}`;
  const found = () => platform.providers.mails.find((mail) => mail.subject === subject);
  const mail = await eventually(async () => found(), { what: 'the e-mail' });
  // 3,990.00 twice less 3,596.47 twice for the 329 days left is 787.06; with the fee of 195.00 and taxes of 48.02 on
  // both, the policy keeps 1,030.08 of the 4,389.64 paid.
  t.true(mail.text.includes('A refund of $3,359.56 for this policy is due to you.'), mail.text);
  t.is(bodyOf(await house.as('billing_admin').get('/v1/refunds')).data[0].amount, -3_359.56);
});

/** A paid policy whose return premium waits for approval while a later change has billed another invoice. */
async function withWaitingReturn(policy: Insured, annualRevenue: number) {
  const { effectiveDate, house } = policy;
  bodyOf(await house.as('org_admin').put('/v1/flags/refund_approval', { value: true }));
  await pay(policy);
  await policy.advance(effectiveDate);
  bodyOf(await policy.change('endorse', { effectiveDate, changes: { annualRevenue: 500_000 } }), 201);
  const { invoices } = bodyOf(await policy.change('endorse', { effectiveDate, changes: { annualRevenue } }), 201);
  const [added] = (invoices as { id: string; change: number }[]).filter(({ change }) => change > 0);
  if (added === undefined) throw new Error('The change has billed nothing.');
  const billing = house.as('billing_admin', newId('user'));
  const [waiting] = bodyOf(await billing.get('/v1/refunds')).data;
  return { effectiveDate, billing, waiting, added };
}

test('no notice demands an amount that pending return premium will pay; once it is approved, it pays', async (t) => {
  const policy = await insured(platform);
  const { effectiveDate, billing, waiting, added } = await withWaitingReturn(policy, 900_000);
  t.is(waiting.status, 'pending_approval');
  // It falls due after 15 days; notice would go out 11 days later, and the policy would lapse after another 10.
  await policy.advance(addDays(effectiveDate, 40));
  t.is((await policy.read()).status, 'active');
  bodyOf(await billing.post(`/v1/refunds/${waiting.id}/approve`));
  const status = async () => bodyOf(await billing.get(`/v1/invoices/${added.id}`)).status;
  await eventually(async () => (await status()) === 'paid', { what: 'the refund to pay what is due' });
  t.is((await policy.read()).status, 'active');
});

test('a notice is withdrawn as soon as pending return premium pays the balance, and comes again if a check bounces', async (t) => {
  const policy = await insured(platform);
  const { effectiveDate, billing, waiting, added } = await withWaitingReturn(policy, 2_000_000);
  const heldCents = fromDollars(-waiting.amount);
  t.true(fromDollars(added.change) > heldCents, 'the return premium covers only a part');
  await policy.advance(addDays(effectiveDate, 26));
  t.is((await policy.read()).status, 'pending_cancellation');

  // The remainder equals what waits for approval: the notice is withdrawn the same day.
  const part = { amount: (fromDollars(added.change) - heldCents) / 100, method: 'check' };
  const payPart = (reference: string) => billing.post(`/v1/invoices/${added.id}/pay`, { ...part, reference });
  const becomes = (status: string) =>
    eventually(async () => (await policy.read()).status === status, { what: `the policy to be ${status}` });
  const { id: paymentId } = bodyOf(await payPart('1001'), 201);
  await becomes('active');
  bodyOf(await billing.post(`/v1/payments/${paymentId}/reverse`, { reason: 'nsf' }), 201);
  // The reopened amount is due in 10 days, and notice follows 11 days after that.
  await policy.advance(addDays(effectiveDate, 26 + 10 + 10));
  t.is((await policy.read()).status, 'active');
  await policy.advance(addDays(effectiveDate, 26 + 10 + 11));
  t.is((await policy.read()).status, 'pending_cancellation');
  bodyOf(await payPart('1002'), 201);
  await becomes('active');

  // Rejected while it covers the debt, the refund stays with the policy and pays before the next notice would go out.
  bodyOf(await billing.post(`/v1/refunds/${waiting.id}/reject`, { reason: 'Not owed.' }));
  await policy.advance(addDays(effectiveDate, 26 + 10 + 11 + 12));
  t.is(bodyOf(await billing.get(`/v1/invoices/${added.id}`)).status, 'paid');
  t.is((await policy.read()).status, 'active');
});
