import test from 'ava';
import pino from 'pino';
import { IdempotencyRecord } from '../../../db/entities/platform/idempotency-record.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Billed, billedOn } from './billed-invoice.ts';

const DECLINED = 'pm_card_chargeDeclinedInsufficientFunds';

let platform: Platform;
const logs: string[] = [];

test.before('a platform whose log is kept', async (t) => {
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logs.push(line) });
  platform = await startCheckedPlatform(t, { logger });
});

const billed = () => billedOn(platform);

const begin = async ({ billing, path }: Billed, body: object = {}) =>
  bodyOf(await billing.post(`${path}/payment-intent`, body), 201);

/** Waits until the invoice shows it. */
function until({ billing, path }: Billed, what: string, holds: (invoice: Record<string, never>) => boolean) {
  const look = async () => {
    const invoice = bodyOf(await billing.get(path));
    return holds(invoice) && invoice;
  };
  return eventually(look, { what });
}

const isIn = (status: string) => (invoice: Record<string, never>) => invoice.status === status;

test('an invoice is collected by card: the browser gets the secret, and the processor makes it paid', async (t) => {
  const of = await billed();
  const intent = await begin(of);
  t.like(intent, { amount: 4_389.64, currency: 'usd', status: 'requires_payment_method' });
  t.true(intent.clientSecret.startsWith(`${intent.paymentIntentId}_secret_`));
  platform.providers.processor.pay(intent.paymentIntentId);
  const invoice = await until(of, 'the payment', isIn('paid'));
  t.is(invoice.payments.length, 1);
  t.like(invoice.payments[0], { kind: 'card', method: 'card', amount: 4_389.64, reference: intent.paymentIntentId });
  const more = await of.billing.post(`${of.path}/payment-intent`, {});
  t.is(more.status, 422);
  t.like(more.body, { error: 'amount_exceeds_balance', details: { balance: 0 } });
});

test('an open attempt is returned again, and another amount gets another attempt', async (t) => {
  const of = await billed();
  const first = await begin(of);
  t.deepEqual(await begin(of), first);
  const part = await begin(of, { amount: 1_000 });
  t.not(part.paymentIntentId, first.paymentIntentId);
  t.is(part.amount, 1_000);
  const over = await of.billing.post(`${of.path}/payment-intent`, { amount: 4_389.65 });
  t.is(over.status, 422);
  t.like(over.body, { error: 'amount_exceeds_balance', details: { amount: 4_389.65, balance: 4_389.64 } });
});

test('the invoice says why an attempt failed, and only then it can be tried again', async (t) => {
  const of = await billed();
  const early = await of.billing.post(`${of.path}/retry`);
  t.is(early.status, 422);
  t.is(early.body.error, 'no_failed_payment');
  const first = await begin(of);
  t.is((await of.billing.post(`${of.path}/retry`)).body.error, 'no_failed_payment');
  platform.providers.processor.pay(first.paymentIntentId, DECLINED);
  const failed = await until(of, 'the failure', ({ lastPaymentError }) => lastPaymentError !== null);
  t.like(failed, { status: 'open', lastPaymentError: { code: 'insufficient_funds' } });

  const second = bodyOf(await of.billing.post(`${of.path}/retry`), 201);
  t.not(second.paymentIntentId, first.paymentIntentId);
  t.is(second.amount, 4_389.64);
  platform.providers.processor.pay(second.paymentIntentId);
  t.like(await until(of, 'the payment', isIn('paid')), { lastPaymentError: null });
  t.is((await of.billing.post(`${of.path}/retry`)).body.error, 'no_failed_payment', 'nor when it is paid');
});

test('a repetition returns the secret byte for byte, and no table or log has it in the clear', async (t) => {
  const of = await billed();
  const options = { headers: { 'idempotency-key': 'collect' } };
  const first = await of.billing.post(`${of.path}/payment-intent`, {}, options);
  const again = await of.billing.post(`${of.path}/payment-intent`, {}, options);
  const { clientSecret } = bodyOf(first, 201);
  t.is(again.text, first.text);
  t.is(again.headers.get('etag'), first.headers.get('etag'));
  t.is(again.headers.get('idempotent-replayed'), 'true');
  t.is((await begin(of)).clientSecret, clientSecret);
  const kept = await platform.database.forOrg(of.house.orgId, (em) => em.find(IdempotencyRecord, {}));
  t.true(kept.length > 0);
  t.false(JSON.stringify(kept).includes(clientSecret));
  t.true(logs.length > 0);
  t.false(logs.join('').includes(clientSecret));
});

test('card money goes back to the card, and a chargeback is shown as a refund that says so', async (t) => {
  const of = await billed();
  const { paymentIntentId } = await begin(of);
  platform.providers.processor.pay(paymentIntentId);
  await until(of, 'the payment', isIn('paid'));
  const refund = bodyOf(await of.billing.post(`${of.path}/refund`, { amount: 389.64, reason: 'Overcharged.' }), 201);
  t.like(refund, { kind: 'refund', method: 'card', amount: -389.64, requiresManualReview: false });
  t.regex(refund.reference, /^re_/);

  const disputeId = platform.providers.processor.dispute(paymentIntentId, 400_000);
  const invoice = await until(of, 'the chargeback', isIn('refunded'));
  const [payment, first, second] = invoice.payments as unknown as Record<string, unknown>[];
  t.like(payment, { kind: 'card', amount: 4_389.64 });
  const { parts, approval, version, policyId, ...shown } = refund;
  const { version: _, ...listed } = first ?? {};
  t.deepEqual(listed, shown);
  t.deepEqual(parts, [
    { method: 'card', amount: -389.64, reference: refund.reference, status: 'succeeded', disbursementId: null },
  ]);
  t.is(approval, null);
  t.like(second, { kind: 'refund', method: 'card', amount: -4_000, reference: disputeId, chargeback: true });
  t.true(second?.requiresManualReview);
});

test('money refunded at the processor cannot be refunded again', async (t) => {
  const of = await billed();
  const { paymentIntentId } = await begin(of);
  platform.providers.processor.pay(paymentIntentId);
  await until(of, 'the payment', isIn('paid'));
  platform.providers.processor.refund(paymentIntentId, 438_964);
  await until(of, 'the refund at the processor', isIn('refunded'));
  const more = await of.billing.post(`${of.path}/refund`, { amount: 1, reason: 'Once more.' });
  t.is(more.status, 422);
  t.like(more.body, { error: 'refund_exceeds_paid', details: { refundable: 0 } });
});
