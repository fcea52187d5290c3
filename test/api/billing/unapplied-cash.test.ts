// Unapplied cash: how it arises, is listed, applied and returned; and card attempts on an invoice that no longer has
// to be paid. The tests' invoice is 4,389.64.
import test, { type ExecutionContext } from 'ava';
import { addDays } from '../../../domain/dates.ts';
import type { TestClient, TestResponse } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

const TODAY = testToday();

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

interface Desk {
  house: House;
  billing: TestClient;
  policyId: string;
  effectiveDate: string;
  invoiceIds: string[];
}

async function desk(plan = 'PAY_IN_FULL', of?: House): Promise<Desk> {
  const house = of ?? (await newHouse(platform));
  const { policyId, effectiveDate, invoices } = await bound(house.as('underwriter'), {}, plan);
  const invoiceIds = invoices.map(({ id }: { id: string }) => id);
  return { house, billing: house.as('billing_admin'), policyId, effectiveDate, invoiceIds };
}

const check = (amount: number, reference: string) => ({ amount, method: 'check', reference });
const invoiceOf = async ({ billing }: Desk, id = '') => bodyOf(await billing.get(`/v1/invoices/${id}`));
const listOf = async ({ billing }: Desk, query = {}) => bodyOf(await billing.get('/v1/unapplied-cash', { query })).data;

/** An account's balance, in dollars. */
async function balance({ billing }: Desk, account: number): Promise<number> {
  const { data } = bodyOf(await billing.get('/v1/ledger/accounts'));
  return data.find((each: { account: number }) => each.account === account).balance;
}

const untilBalance = (of: Desk, account: number, amount: number) =>
  eventually(async () => (await balance(of, account)) === amount, { what: `${amount} on ${account}` });

/** Pays the invoice by a check that exceeds it by 1,000.00. */
async function overpaid(of: Desk, receivedDate = TODAY): Promise<string> {
  const path = `/v1/invoices/${of.invoiceIds[0]}/pay`;
  const payment = bodyOf(
    await of.billing.post(path, { ...check(5_389.64, 'Check 9'), unapplied: true, receivedDate }),
    201,
  );
  return payment.id;
}

/** Starts collecting an invoice by card. */
async function begun(of: Desk, path: string, body: object = {}) {
  return bodyOf(await of.billing.post(`${path}/payment-intent`, body), 201);
}

const statusAtProcessor = async (intentId: string) => (await platform.providers.card.readIntent(intentId)).status;
const untilCancelled = (intentId: string) =>
  eventually(async () => (await statusAtProcessor(intentId)) === 'canceled', { what: 'the attempt to be cancelled' });

/** More than any payment allows. */
const TOO_MUCH = 10_000_000.01;

/** Pays the invoice of 4,389.64 twice: one card attempt stays open while a second one is paid first. */
async function paidTwice(of: Desk): Promise<{ path: string; duplicate: string }> {
  const path = `/v1/invoices/${of.invoiceIds[0]}`;
  const { paymentIntentId } = await begun(of, path);
  platform.providers.processor.hold();
  platform.providers.processor.pay(paymentIntentId);
  bodyOf(await of.billing.post(`${path}/pay`, check(4_389.64, 'Check 1')), 201);
  platform.providers.processor.release();
  const [held] = await eventually(
    async () => {
      const rows = await listOf(of);
      return rows.length > 0 && rows;
    },
    { what: 'the second payment' },
  );
  return { path, duplicate: held.paymentId };
}

function refused(t: ExecutionContext, answer: TestResponse, error: string, details: object) {
  t.is(answer.status, 422, answer.text);
  t.like(answer.body, { error, details });
}

test.serial(
  'a check may be more than the invoice when it says so; the rest is applied to whichever invoice',
  async (t) => {
    const of = await desk();
    const path = `/v1/invoices/${of.invoiceIds[0]}`;
    refused(t, await of.billing.post(`${path}/pay`, check(5_389.64, 'Check 9')), 'amount_exceeds_balance', {
      balance: 4_389.64,
    });
    const receivedDate = addDays(TODAY, -2);
    const paymentId = await overpaid(of, receivedDate);
    t.like(await invoiceOf(of, of.invoiceIds[0]), { status: 'paid', paidAmount: 4_389.64, balance: 0 });
    const row = { paymentId, invoiceId: of.invoiceIds[0], policyId: of.policyId, method: 'check', amount: 5_389.64 };
    const [listed] = await listOf(of);
    t.like(listed, { ...row, id: paymentId, reference: 'Check 9', unappliedAmount: 1_000, receivedDate });
    await untilBalance(of, 2070, 1_000);

    const other = await desk('MONTHLY_10', of.house);
    const apply = (body: object) => of.billing.post(`/v1/unapplied-cash/${paymentId}/apply`, body);
    const [first, second] = other.invoiceIds;
    refused(t, await apply({ invoiceId: first, amount: 798.65 }), 'amount_exceeds_balance', { balance: 798.64 });
    const returned = of.billing.post(`/v1/unapplied-cash/${paymentId}/return`, { amount: TOO_MUCH, reason: 'Slip.' });
    for (const slip of [await apply({ invoiceId: first, amount: TOO_MUCH }), await returned]) {
      t.like(slip.body, { error: 'validation_failed', details: { field: 'amount', rule: 'max' } });
    }
    const applied = bodyOf(await apply({ invoiceId: first }), 201);
    t.like(applied, { invoiceId: first, amount: 798.64, unappliedAmount: 0, appliedFrom: paymentId, method: 'check' });
    t.like(await invoiceOf(other, first), { status: 'paid', paidAmount: 798.64, payments: [applied] });
    // 1,000.00 − 798.64: the amount applied to the paid invoice has been shared out.
    await untilBalance(of, 2070, 201.36);
    refused(t, await apply({ invoiceId: second, amount: 201.37 }), 'amount_exceeds_balance', { unapplied: 201.36 });
    t.is(bodyOf(await apply({ invoiceId: second }), 201).amount, 201.36);
    t.like(
      await invoiceOf(other, second),
      { status: 'partially_paid', paidAmount: 201.36, balance: 197.64 },
      'nothing of it is shared out',
    );
    t.is(await balance(of, 2070), 201.36);
    t.is(await balance(of, 1010), 5_389.64);
    t.deepEqual(await listOf(of), []);
    refused(t, await apply({ invoiceId: second }), 'amount_exceeds_balance', { unapplied: 0 });

    // Applied money is returned from the invoice it was applied to, once.
    const { amount } = bodyOf(await of.billing.post(`/v1/invoices/${second}/refund`, { reason: 'Mistake.' }), 201);
    t.is(amount, -201.36);
    await untilBalance(of, 2070, 0);
    t.is(await balance(of, 1010), 5_389.64);
    t.is(await balance(of, 2060), 201.36, 'owed by check until it is issued');
  },
);

test.serial(
  'a returned check that also paid another invoice makes that invoice payable again, with an alert',
  async (t) => {
    const of = await desk();
    const paymentId = await overpaid(of);
    const other = await desk('PAY_IN_FULL', of.house);
    const [invoiceId] = other.invoiceIds;
    const applied = bodyOf(await of.billing.post(`/v1/unapplied-cash/${paymentId}/apply`, { invoiceId }), 201);
    bodyOf(await of.billing.post(`/v1/payments/${paymentId}/reverse`, { reason: 'nsf' }), 201);
    const query = { type: 'financial.operation_failed' };
    const { data } = bodyOf(await of.house.as('org_admin').get('/v1/events', { query }));
    const [alert] = data.filter((each: { data: { operation: string } }) => each.data.operation === 'payment.applied');
    t.like(alert?.data, { paymentId: applied.id, invoiceId, amount: 1_000, requiresManualReview: true });
    const { updatedAt, version, ...reversed } = { ...applied, status: 'reversed' };
    t.like(await invoiceOf(other, invoiceId), {
      status: 'open',
      paidAmount: 0,
      balance: 4_389.64,
      payments: [reversed],
    });
    t.deepEqual(await listOf(of), []);
  },
);

test.serial('two simultaneous requests neither apply nor return the money twice', async (t) => {
  const of = await desk();
  const paymentId = await overpaid(of);
  const other = await desk('PAY_IN_FULL', of.house);
  const path = `/v1/unapplied-cash/${paymentId}`;
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      n % 2 === 0
        ? of.billing.post(`${path}/apply`, { invoiceId: other.invoiceIds[0], amount: 400 })
        : of.billing.post(`${path}/return`, { amount: 400, reason: 'Too much.' }),
    ),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 422, 422, 422, 422]);
  t.is((await listOf(of, { policyId: of.policyId }))[0].unappliedAmount, 200);
  t.deepEqual(await listOf(of, { policyId: other.policyId }), []);
  const key = { headers: { 'idempotency-key': 'the rest' } };
  const body = { reason: 'Too much.' };
  const twice = await Promise.all([1, 2].map(() => of.billing.post(`${path}/return`, body, key)));
  t.true(twice.some(({ status }) => status === 201));
  refused(t, await of.billing.post(`${path}/return`, body), 'refund_exceeds_paid', { refundable: 0 });
  t.deepEqual(await listOf(of), []);
});

test.serial('a duplicate payment goes back to the card it came by, and the invoice stays paid', async (t) => {
  const of = await desk();
  const { duplicate } = await paidTwice(of);
  await untilBalance(of, 2070, 4_389.64);
  const path = `/v1/unapplied-cash/${duplicate}/return`;
  refused(t, await of.billing.post(path, { amount: 4_389.65, reason: 'Twice.' }), 'refund_exceeds_paid', {
    refundable: 4_389.64,
  });
  const part = bodyOf(await of.billing.post(path, { amount: 389.64, reason: 'Twice.' }), 201);
  t.like(part, { kind: 'refund', method: 'card', amount: -389.64, status: 'succeeded' });
  t.is((await listOf(of))[0].unappliedAmount, 4_000);
  t.is(bodyOf(await of.billing.post(path, { reason: 'Twice.' }), 201).amount, -4_000);
  await untilBalance(of, 2070, 0);
  t.is(await balance(of, 1110), 0);
  t.is(await balance(of, 1010), 4_389.64);
  t.like(await invoiceOf(of, of.invoiceIds[0]), { status: 'paid', refundedAmount: 0, balance: 0 });
});

test.serial('a refund of an invoice that was paid twice gives the second payment back first, and alone', async (t) => {
  const of = await desk();
  const { path } = await paidTwice(of);
  const refund = () => of.billing.post(`${path}/refund`, { reason: 'Paid twice.' });
  t.like(bodyOf(await refund(), 201), { method: 'card', amount: -4_389.64 });
  t.like(await invoiceOf(of, of.invoiceIds[0]), { status: 'paid', paidAmount: 4_389.64, refundedAmount: 0 });
  t.deepEqual(await listOf(of), []);
  t.like(bodyOf(await refund(), 201), { method: 'check', amount: -4_389.64 });
  t.like(await invoiceOf(of, of.invoiceIds[0]), { status: 'refunded', refundedAmount: 4_389.64 });
  refused(t, await refund(), 'refund_exceeds_paid', { refundable: 0 });
  await untilBalance(of, 1110, 0);
  await untilBalance(of, 2060, 4_389.64);
  t.is(await balance(of, 1010), 4_389.64);
});

test.serial('a flat cancellation returns unapplied money of the policy too', async (t) => {
  const of = await desk();
  await overpaid(of);
  const cancel = { effectiveDate: of.effectiveDate, reason: 'flat_not_taken' };
  bodyOf(await of.house.as('underwriter').post(`/v1/policies/${of.policyId}/cancel`, cancel), 201);
  const { payments } = await eventually(
    async () => {
      const invoice = await invoiceOf(of, of.invoiceIds[0]);
      const back = invoice.payments.filter((each: { kind: string }) => each.kind === 'refund');
      return back.length === 2 && back.every((each: { status: string }) => each.status === 'succeeded') && invoice;
    },
    { what: 'both refunds' },
  );
  const amounts = payments.map(({ amount }: { amount: number }) => amount);
  t.deepEqual(amounts.toSorted(), [5_389.64, -1_000, -4_389.64].toSorted());
  await untilBalance(of, 2060, 5_389.64);
  t.is(await balance(of, 1010), 5_389.64);
  t.is(await balance(of, 2070), 0);
  t.deepEqual(await listOf(of), []);
});

test.serial('card attempts on an invoice that is settled or void are cancelled at the processor', async (t) => {
  const of = await desk('MONTHLY_10');
  const [paid, voided] = of.invoiceIds.map((id) => `/v1/invoices/${id}`);
  const first = await begun(of, paid ?? '');
  const second = await begun(of, paid ?? '', { amount: 100 });
  const third = await begun(of, voided ?? '');
  bodyOf(await of.billing.post(`${paid}/pay`, check(798.64, 'Check 1')), 201);
  bodyOf(await of.billing.post(`${voided}/void`, { reason: 'Mistake.' }));
  for (const { paymentIntentId } of [first, second, third]) await untilCancelled(paymentIntentId);
  t.is((await invoiceOf(of, of.invoiceIds[0])).status, 'paid');
});

test.serial('a cancellation of the policy ends the attempts on the invoices it voids', async (t) => {
  const of = await desk();
  const { paymentIntentId } = await begun(of, `/v1/invoices/${of.invoiceIds[0]}`);
  const cancel = { effectiveDate: of.effectiveDate, reason: 'flat_not_taken' };
  bodyOf(await of.house.as('underwriter').post(`/v1/policies/${of.policyId}/cancel`, cancel), 201);
  await untilCancelled(paymentIntentId);
  t.is((await invoiceOf(of, of.invoiceIds[0])).status, 'void');
});

test.serial(
  'a retry ends the attempt that failed; one cancelled at the processor gives way to another one',
  async (t) => {
    const of = await desk();
    const path = `/v1/invoices/${of.invoiceIds[0]}`;
    const failed = await begun(of, path);
    platform.providers.processor.pay(failed.paymentIntentId, 'pm_card_chargeDeclined');
    await eventually(async () => (await invoiceOf(of, of.invoiceIds[0])).lastPaymentError !== null, {
      what: 'the decline',
    });
    const again = bodyOf(await of.billing.post(`${path}/retry`), 201);
    await untilCancelled(failed.paymentIntentId);
    t.is(await statusAtProcessor(again.paymentIntentId), 'requires_payment_method');

    // Before the processor reports it: the attempt is requested again, and found to be cancelled.
    platform.providers.processor.hold();
    await platform.providers.card.cancelIntent(again.paymentIntentId);
    const another = await begun(of, path);
    t.not(another.paymentIntentId, again.paymentIntentId);
    t.is(another.status, 'requires_payment_method');
    platform.providers.processor.release();
    await platform.providers.processor.settled();
    t.is((await begun(of, path)).paymentIntentId, another.paymentIntentId);
    platform.providers.processor.pay(another.paymentIntentId);
    await eventually(async () => (await invoiceOf(of, of.invoiceIds[0])).status === 'paid', { what: 'the payment' });
  },
);

test.serial('an attempt that the processor reports as cancelled gives way to another', async (t) => {
  const of = await desk();
  const path = `/v1/invoices/${of.invoiceIds[0]}`;
  const { paymentIntentId } = await begun(of, path);
  await platform.providers.card.cancelIntent(paymentIntentId);
  await platform.providers.processor.settled();
  t.not((await begun(of, path)).paymentIntentId, paymentIntentId);
});

test.serial('a refusal of an amount below the minimum of the processor names another way to pay', async (t) => {
  const of = await desk();
  const path = `/v1/invoices/${of.invoiceIds[0]}`;
  const least = { minimum: 0.5, allowed: ['pay'] };
  refused(t, await of.billing.post(`${path}/payment-intent`, { amount: 0.49 }), 'invalid_state_transition', least);
  bodyOf(await of.billing.post(`${path}/pay`, check(4_389.3, 'Check 1')), 201);
  const details = { ...least, amount: 0.34, balance: 0.34 };
  refused(t, await of.billing.post(`${path}/payment-intent`, {}), 'invalid_state_transition', details);
  bodyOf(await of.billing.post(`${path}/pay`, check(0.34, 'Check 2')), 201);
});

test.serial('a caller who may not pay or refund may not apply or return, and foreign money is not found', async (t) => {
  const of = await desk();
  const paymentId = await overpaid(of);
  const path = `/v1/unapplied-cash/${paymentId}`;
  const analyst = of.house.as('finance_analyst');
  t.is((await analyst.get('/v1/unapplied-cash')).status, 200);
  t.is((await analyst.post(`${path}/return`, { reason: 'No.' })).status, 403);
  t.is((await analyst.post(`${path}/apply`, { invoiceId: of.invoiceIds[0] })).status, 403);
  t.is((await of.house.as('underwriter').get('/v1/unapplied-cash')).status, 403);
  const other = await desk();
  t.is((await other.billing.post(`${path}/return`, { reason: 'No.' })).status, 404);
  const foreign = await of.billing.post(`${path}/apply`, { invoiceId: other.invoiceIds[0] });
  t.is(foreign.status, 400);
  t.like(foreign.body, { details: { field: 'invoiceId', rule: 'unknown_reference' } });
});
