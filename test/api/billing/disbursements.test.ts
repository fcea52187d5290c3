// Amounts owed back by check, until the bank has paid them; refunds that wait for approval; card refunds that fail.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { addDays } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { allPages, bodyOf, bound } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Billed, billedOn, pay, refund, refused } from './billed-invoice.ts';

const TODAY = testToday();

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** Pays by card and waits until the payment is recorded. */
async function payByCard(of: Billed, amount: number, paymentMethod?: string): Promise<string> {
  const { paymentIntentId } = bodyOf(await of.billing.post(`${of.path}/payment-intent`, { amount }), 201);
  platform.providers.processor.pay(paymentIntentId, paymentMethod);
  const isThere = ({ payments }: { payments: { reference: string }[] }) =>
    payments.some(({ reference }) => reference === paymentIntentId);
  await eventually(async () => isThere(bodyOf(await of.billing.get(of.path))), { what: 'the card payment' });
  return paymentIntentId;
}

/** Account → balance, leaving out zeros. */
async function balances({ billing }: Billed): Promise<Record<string, number>> {
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

test('money owed by check leaves the trust when the check is issued; a stopped one is owed and issued again', async (t) => {
  const of = await billedOn(platform);
  const { billing, invoiceId, policyId } = of;
  await pay(of, 1_500);
  const { id: refundId } = await refund(of, 600);
  await owing(of, 600);
  t.deepEqual(await balances(of), { 1010: 1_500, 2060: 600, 2070: 900 });
  const [owed] = bodyOf(await billing.get('/v1/disbursements', { query: { status: 'pending', invoiceId } })).data;
  t.regex(owed.id, /^dsb_/);
  t.like(owed, { refundId, invoiceId, policyId, amount: 600, status: 'pending', cause: 'refund', owedOn: TODAY });
  t.regex(owed.payee, /^Blue Door Diner/);
  t.is(owed.checkNumber, null);

  const path = `/v1/disbursements/${owed.id}`;
  const move = (action: string, body: object = {}) => billing.post(`${path}/${action}`, body);
  for (const action of ['clear', 'stop']) {
    const illegal = await move(action, action === 'clear' ? {} : { reason: 'Lost.' });
    refused(t, illegal, 422, 'invalid_state_transition', { from: 'pending', action, allowed: ['issue', 'cancel'] });
  }
  const issued = bodyOf(await move('issue', { checkNumber: '1042', issuedOn: TODAY }));
  t.like(issued, { status: 'issued', method: 'check', checkNumber: '1042', reference: '1042', issuedOn: TODAY });
  t.deepEqual(await balances(of), { 1010: 900, 2070: 900 });
  refused(t, await move('issue', { checkNumber: '1043' }), 422, 'invalid_state_transition', { from: 'issued' });

  const stopped = bodyOf(await move('stop', { reason: 'Lost in the mail.' }));
  t.like(stopped, { status: 'stopped', stoppedOn: TODAY, stopReason: 'Lost in the mail.' });
  t.deepEqual(await balances(of), { 1010: 1_500, 2060: 600, 2070: 900 });

  refused(t, await move('issue', { checkNumber: '1042' }), 409, 'already_exists', { disbursementId: owed.id });
  t.like(bodyOf(await move('issue', { reference: 'Wire 7' })), {
    status: 'issued',
    method: 'transfer',
    checkNumber: null,
  });
  const movements = bodyOf(await of.house.as('auditor').get('/v1/ledger/bank-movements')).data;
  const ofCheck = (movements as { amount: number; references: string[] }[]).filter(({ amount }) => amount !== 1_500);
  t.deepEqual(
    ofCheck.map(({ amount, references }) => [amount, references.at(-1)]),
    [
      [-600, 'Wire 7'],
      [600, '1042'],
      [-600, '1042'],
    ],
    'each movement keeps the number that it was posted with',
  );
  t.like(bodyOf(await move('clear')), { status: 'cleared', reference: 'Wire 7', clearedOn: TODAY, stopReason: null });
  refused(t, await move('stop', { reason: 'Late.' }), 422, 'invalid_state_transition', {
    from: 'cleared',
    allowed: [],
  });
  t.deepEqual(await balances(of), { 1010: 900, 2070: 900 });

  for (const [name, count] of Object.entries({ created: 1, issued: 2, stopped: 1, cleared: 1 })) {
    const events = await eventsOf(of, `disbursement.${name}`);
    t.is(events.length, count, name);
    t.like(events[0]?.data, { disbursementId: owed.id, refundId, invoiceId, policyId, amount: 600 });
  }
  t.like(bodyOf(await billing.get(`/v1/refunds/${refundId}`)).parts, [
    { method: 'check', amount: -600, reference: 'Wire 7', status: 'cleared', disbursementId: owed.id },
  ]);
});

test('a check has a number of its own, a date between the debt and today, and is paid once', async (t) => {
  const of = await billedOn(platform);
  await pay(of, 1_000);
  await refund(of, 100);
  await refund(of, 200);
  await owing(of, 300);
  const [second, first] = await allPages(of.billing, '/v1/disbursements', { limit: 1 });
  const issue = (id = '', body: object) => of.billing.post(`/v1/disbursements/${id}/issue`, body);
  const dates = { [addDays(TODAY, -1)]: 'min', [addDays(TODAY, 1)]: 'max' };
  for (const [issuedOn, rule] of Object.entries(dates)) {
    const answer = await issue(first?.id, { checkNumber: '1', issuedOn });
    refused(t, answer, 400, 'validation_failed', { field: 'issuedOn', rule });
  }
  refused(t, await issue(first?.id, {}), 400, 'validation_failed', { field: 'checkNumber', rule: 'required' });
  const both = await issue(first?.id, { checkNumber: '1', reference: 'Wire 1' });
  refused(t, both, 400, 'validation_failed', { field: 'reference' });

  const numbers = ['a1', 'a2', 'a3', 'a4'];
  const answers = await Promise.all(numbers.map((checkNumber) => issue(first?.id, { checkNumber })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422]);
  const { checkNumber } = bodyOf(await of.billing.get(`/v1/disbursements/${first?.id}`));
  for (const same of [checkNumber, checkNumber.toUpperCase()]) {
    const twin = await issue(second?.id, { checkNumber: same });
    refused(t, twin, 409, 'already_exists', { disbursementId: first?.id });
  }
  const hidden = await issue(second?.id, { checkNumber: `${checkNumber}\u200b` });
  refused(t, hidden, 400, 'validation_failed', { field: 'checkNumber', rule: 'format' });
  t.deepEqual(await balances(of), { 1010: 900, 2060: 200, 2070: 700 });
  refused(t, await of.house.as('auditor').post(`/v1/disbursements/${second?.id}/issue`, {}), 403, 'forbidden');
});

test('a refund over several receipts says how each part goes back', async (t) => {
  const of = await billedOn(platform);
  await pay(of, 100, 'check', 'Check 7');
  await pay(of, 50, 'wire', 'Wire 8');
  await payByCard(of, 250);
  const answer = await refund(of);
  t.like(answer, { amount: -400, status: 'succeeded', requiresManualReview: false });
  const [owed] = bodyOf(await of.billing.get('/v1/disbursements')).data;
  t.is(owed.amount, 150);
  const byCheck = { reference: owed.id, status: 'pending', disbursementId: owed.id };
  const [card, ...others] = answer.parts;
  t.like(card, { method: 'card', amount: -250, status: 'succeeded', disbursementId: null });
  t.regex(card.reference, /^re_/);
  t.deepEqual(others, [
    { method: 'wire', amount: -50, ...byCheck },
    { method: 'check', amount: -100, ...byCheck },
  ]);
  await owing(of, 150);
  t.deepEqual(await balances(of), { 1010: 150, 2060: 150 });
});

/** An organization in which refunds above 1,000 dollars need approval, and an invoice paid by check. */
async function supervised(): Promise<Billed & { other: TestClient }> {
  const of = await billedOn(platform);
  bodyOf(await of.house.as('org_admin').put('/v1/flags/refund_approval', { value: true }));
  await pay(of, 4_389.64);
  const other = of.house.as('billing_admin', newId('user'));
  return { ...of, other };
}

const statusOf = async ({ billing }: Billed, refundId: string) =>
  bodyOf(await billing.get(`/v1/refunds/${refundId}`)).status;

test('a refund above 1,000 dollars moves nothing until somebody else approves it, and cannot be given twice', async (t) => {
  const of = await supervised();
  t.is((await refund(of, 1_000)).status, 'succeeded', '1,000.00 itself needs nobody');
  await owing(of, 1_000);
  // Of the 399.00 commission and the fee of 195.00, 90.90 and 44.42 are no longer earned.
  await eventually(async () => (await balances(of))[1120] === 458.68, { what: 'the earnings to be taken back' });
  const before = await balances(of);
  const waiting = await refund(of, 1_000.01);
  t.like(waiting, { amount: -1_000.01, status: 'pending_approval', requiresManualReview: true });
  t.like(waiting.approval, { status: 'pending', decidedBy: null });
  t.deepEqual(await balances(of), before);
  const { data } = bodyOf(await of.other.get('/v1/refunds', { query: { status: 'pending_approval' } }));
  t.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [waiting.id],
  );
  // 4,389.64 less 1,000.00 less 1,000.01.
  const more = await of.billing.post(`${of.path}/refund`, { amount: 2_389.64, reason: 'More.' });
  refused(t, more, 422, 'refund_exceeds_paid', { refundable: 2_389.63 });

  const own = await of.billing.post(`/v1/refunds/${waiting.id}/approve`);
  refused(t, own, 403, 'forbidden', { permission: 'refund:approve', reason: 'own_request' });
  refused(t, await of.house.as('finance_analyst').post(`/v1/refunds/${waiting.id}/approve`), 403, 'forbidden');
  const approved = bodyOf(await of.other.post(`/v1/refunds/${waiting.id}/approve`));
  t.is(approved.approval.status, 'approved');
  await owing(of, 2_000.01);
  t.is(await statusOf(of, waiting.id), 'succeeded');
  refused(t, await of.other.post(`/v1/refunds/${waiting.id}/approve`), 422, 'invalid_state_transition', {
    allowed: [],
  });
  t.is((await eventsOf(of, 'refund.approval_requested')).length, 1);
  t.is((await eventsOf(of, 'refund.approved')).length, 1);
});

test('a refund approved later goes back on the day of its approval, in the books too', async (t) => {
  const of = await supervised();
  const waiting = await refund(of, 1_500);
  const approvedOn = addDays(TODAY, 40);
  bodyOf(await of.house.as('org_admin').post('/v1/test-clock', { advanceTo: approvedOn }));
  bodyOf(await of.other.post(`/v1/refunds/${waiting.id}/approve`));
  await owing(of, 1_500);
  const entries = (await allPages(of.billing, '/v1/ledger/entries', { invoiceId: of.invoiceId })) as unknown as {
    sourceId: string;
    date: string;
  }[];
  const dates = entries.filter(({ sourceId }) => sourceId === waiting.id).map(({ date }) => date);
  t.true(dates.length > 0);
  t.deepEqual([...new Set(dates)], [approvedOn]);
});

test('a rejected refund releases its money, and one of two simultaneous decisions stands', async (t) => {
  const of = await supervised();
  const { id } = await refund(of, 4_389.64);
  const decisions = await Promise.all([
    of.other.post(`/v1/refunds/${id}/reject`, { reason: 'The wrong invoice.' }),
    of.house.as('org_admin').post(`/v1/refunds/${id}/reject`, { reason: 'The wrong invoice.' }),
  ]);
  t.deepEqual(decisions.map(({ status }) => status).sort(), [200, 422]);
  const rejected = bodyOf(await of.billing.get(`/v1/refunds/${id}`));
  t.is(rejected.status, 'failed');
  t.like(rejected.approval, { status: 'rejected', reason: 'The wrong invoice.' });
  t.is((await eventsOf(of, 'refund.rejected')).length, 1);
  t.deepEqual(bodyOf(await of.billing.get('/v1/disbursements')).data, []);
  t.is((await refund(of, 4_389.64)).status, 'pending_approval', 'the money can be refunded again');
});

test('a policy is changed immediately though its return premium waits for approval', async (t) => {
  const of = await supervised();
  const { policyId, house } = of;
  const policy = bodyOf(await house.as('underwriter').get(`/v1/policies/${policyId}`));
  const cancel = { effectiveDate: policy.effectiveDate, reason: 'flat_not_taken' };
  bodyOf(await house.as('underwriter').post(`/v1/policies/${policyId}/cancel`, cancel), 201);
  const [waiting] = bodyOf(await of.billing.get('/v1/refunds', { query: { policyId } })).data;
  t.like(waiting, { amount: -4_389.64, status: 'pending_approval' });
  t.is(bodyOf(await house.as('underwriter').get(`/v1/policies/${policyId}`)).grossPremium, 0);
  bodyOf(await of.other.post(`/v1/refunds/${waiting.id}/approve`));
  await owing(of, 4_389.64);
  await eventually(async () => (await balances(of))[1120] === undefined, { what: 'the earnings to be taken back' });
  t.deepEqual(await balances(of), { 1010: 4_389.64, 2060: 4_389.64 });
});

test('a card refund that fails later is owed by check, once, however often it is reported', async (t) => {
  const of = await billedOn(platform);
  await payByCard(of, 900, 'pm_card_refundFail');
  const { id, reference } = await refund(of, 300);
  await owing(of, 300);
  // The card took nothing back: the processor has all of the money, 300.00 of which is owed.
  t.deepEqual(await balances(of), { 1110: 900, 2060: 300, 2070: 600 });
  const [owed] = bodyOf(await of.billing.get('/v1/disbursements')).data;
  t.like(owed, { amount: 300, status: 'pending', cause: 'card_refund_failed', processorRefundId: reference });
  t.deepEqual(bodyOf(await of.billing.get(`/v1/refunds/${id}`)).parts, [
    { method: 'card', amount: -300, reference, status: 'failed', disbursementId: null },
    { method: 'check', amount: -300, reference: owed.id, status: 'pending', disbursementId: owed.id },
  ]);
  platform.providers.processor.repeat();
  await platform.providers.processor.settled();
  t.is(bodyOf(await of.billing.get('/v1/disbursements')).data.length, 1);
  const alerts = await eventsOf(of, 'financial.operation_failed');
  t.deepEqual(
    alerts.map(({ data }) => data.operation),
    ['refund.failed'],
  );
  bodyOf(await of.billing.post(`/v1/disbursements/${owed.id}/issue`, { checkNumber: '9' }));
  t.deepEqual(await balances(of), { 1010: -300, 1110: 900, 2070: 600 });
});

test('a card refund that fails is owed from the invoice that had taken the money, though the card paid another one', async (t) => {
  const of = await billedOn(platform);
  const { paymentIntentId } = bodyOf(await of.billing.post(`${of.path}/payment-intent`, {}), 201);
  await pay(of, 100);
  platform.providers.processor.pay(paymentIntentId, 'pm_card_refundFail');
  const [beyond] = await eventually(
    async () => {
      const { data } = bodyOf(await of.billing.get('/v1/unapplied-cash'));
      return data.length > 0 && data;
    },
    { what: 'the money that the invoice cannot take' },
  );
  t.is(beyond.unappliedAmount, 100);
  const { invoices } = await bound(of.house.as('underwriter'), { insuredName: 'Red Door Diner' });
  const invoiceId = invoices[0].id;
  bodyOf(await of.billing.post(`/v1/unapplied-cash/${beyond.paymentId}/apply`, { invoiceId, amount: 100 }), 201);
  const { id, reference } = bodyOf(await of.billing.post(`/v1/invoices/${invoiceId}/refund`, { reason: 'No.' }), 201);
  await owing(of, 100);
  const [owed] = bodyOf(await of.billing.get('/v1/disbursements', { query: { invoiceId } })).data;
  t.like(owed, { refundId: id, amount: 100, cause: 'card_refund_failed', processorRefundId: reference });
  t.deepEqual(bodyOf(await of.billing.get('/v1/disbursements', { query: { invoiceId: of.invoiceId } })).data, []);
  // The processor has the card money, the trust the check.
  t.like(await balances(of), { 1010: 100, 1110: 4_389.64, 2060: 100 });
});

test('unapplied money above 1,000 dollars waits for approval like any refund, and can be used for nothing else', async (t) => {
  const of = await billedOn(platform);
  bodyOf(await of.house.as('org_admin').put('/v1/flags/refund_approval', { value: true }));
  const tooMuch = { amount: 5_389.65, method: 'check', reference: 'Check 9', unapplied: true };
  const { id: paymentId } = bodyOf(await of.billing.post(`${of.path}/pay`, tooMuch), 201);
  const path = `/v1/unapplied-cash/${paymentId}/return`;
  const waiting = bodyOf(await of.billing.post(path, { reason: 'Too much.' }), 201);
  t.like(waiting, { amount: -1_000.01, status: 'pending_approval', approval: { status: 'pending' } });
  const again = await of.billing.post(path, { amount: 0.01, reason: 'Too much.' });
  refused(t, again, 422, 'refund_exceeds_paid', { refundable: 0 });
  refused(t, await of.billing.post(`/v1/refunds/${waiting.id}/approve`), 403, 'forbidden');
  const other = of.house.as('billing_admin', newId('user'));
  bodyOf(await other.post(`/v1/refunds/${waiting.id}/approve`));
  await owing(of, 1_000.01);
  t.like(bodyOf(await of.billing.get(of.path)), { status: 'paid', refundedAmount: 0 });
});

test('a refund owed by check can be kept instead, as money to apply or return like any unapplied cash', async (t) => {
  const of = await billedOn(platform);
  await pay(of, 4_389.64);
  const { id: refundId } = await refund(of, 600);
  await owing(of, 600);
  const [owed] = bodyOf(await of.billing.get('/v1/disbursements', { query: { refundId } })).data;
  const path = `/v1/disbursements/${owed.id}/cancel`;
  const cancelled = bodyOf(await of.billing.post(path, { reason: 'The insured asks us to keep it.' }));
  t.like(cancelled, { status: 'cancelled', amount: 600, cancelledAmount: 600, cancelledOn: TODAY });
  const [kept] = bodyOf(await of.billing.get('/v1/unapplied-cash', { query: { policyId: of.policyId } })).data;
  t.like(kept, { unappliedAmount: 600, method: 'kept_refund', reference: owed.id });
  const now = await balances(of);
  t.deepEqual([now[1010], now[2060], now[2070]], [4_389.64, undefined, 600]);
  refused(t, await of.billing.post(path, { reason: 'Again.' }), 422, 'invalid_state_transition', { allowed: [] });
  const never = await of.billing.post(`/v1/payments/${kept.paymentId}/reverse`, { reason: 'nsf' });
  refused(t, never, 422, 'invalid_state_transition', { from: 'kept_refund' });
  bodyOf(await of.billing.post(`/v1/unapplied-cash/${kept.paymentId}/return`, { reason: 'After all.' }), 201);
  await owing(of, 600);
  t.is((await eventsOf(of, 'disbursement.cancelled')).length, 1);
});
