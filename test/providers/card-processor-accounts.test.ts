// What the local card processor shows of its books, and that it says so where it does nothing; read with the
// processor's own library.
import anyTest, { type TestFn } from 'ava';
import Stripe from 'stripe';
import { type LocalCardProcessor, startCardProcessor } from '../../stand-ins/card-processor/server.ts';

const SECRET_KEY = 'sk_test_0123456789abcdef';

interface Place {
  processor: LocalCardProcessor;
  stripe: Stripe;
}

const test = anyTest as TestFn<Place>;

test.beforeEach(async (t) => {
  const processor = await startCardProcessor({ secretKey: SECRET_KEY, webhookSecret: 'whsec_0123456789abcdef' });
  const { hostname: host, port } = new URL(processor.url);
  const stripe = new Stripe(SECRET_KEY, { host, port, protocol: 'http', telemetry: false });
  t.context = { processor, stripe };
});

test.afterEach.always((t) => t.context.processor.close());

async function paid({ stripe, processor }: Place, amount: number, card?: string, customer?: string): Promise<string> {
  const order = { amount, currency: 'usd', ...(customer ? { customer } : {}) };
  const { id } = await stripe.paymentIntents.create(order);
  processor.pay(id, card);
  return id;
}

test('charges less fees and refunds are the balance, and a payout takes all of it', async (t) => {
  const { stripe, processor } = t.context;
  const intentId = await paid(t.context, 10_000);
  processor.refund(intentId, 2_500);
  // 2.9 percent of 100.00 plus 30 cents is 3.20: 100.00 - 3.20 - 25.00.
  t.is((await stripe.balance.retrieve()).available[0]?.amount, 7_180);
  const payoutId = processor.payOut();
  t.like(await stripe.payouts.retrieve(payoutId), { amount: 7_180, status: 'paid' });
  const { data } = await stripe.balanceTransactions.list({ payout: payoutId });
  t.deepEqual(
    data.map(({ type, amount, fee, net }) => [type, amount, fee, net]),
    [
      ['refund', -2_500, 0, -2_500],
      ['charge', 10_000, 320, 9_680],
    ],
  );
  t.is((await stripe.balance.retrieve()).available[0]?.amount, 0);
});

test('a payout that the bank does not take is on the balance again, and the next payout takes it', async (t) => {
  const { stripe, processor } = t.context;
  await paid(t.context, 10_000);
  const failed = processor.payOut();
  processor.failPayout(failed);
  t.is((await stripe.payouts.retrieve(failed)).status, 'failed');
  t.is((await stripe.balance.retrieve()).available[0]?.amount, 9_680);
  const next = processor.payOut();
  const { data } = await stripe.balanceTransactions.list({ payout: next, expand: ['data.source'] });
  t.like(data[0], { type: 'payout_failure', amount: 9_680, fee: 0, source: { id: failed, object: 'payout' } });
  t.is(data.length, 1);
  const types = processor.events().map(({ type }) => type);
  t.deepEqual(types.slice(-3), ['payout.paid', 'payout.failed', 'payout.paid']);
});

test('ids are expanded to the objects they name, in one object and in a list', async (t) => {
  const { stripe } = t.context;
  const customer = await stripe.customers.create({ name: 'Blue Door Diner', email: 'office@example.com' });
  const intentId = await paid(t.context, 10_000, 'pm_card_mastercard', customer.id);
  const expand = ['customer', 'latest_charge.balance_transaction'];
  const intent = await stripe.paymentIntents.retrieve(intentId, { expand });
  t.like(intent, { customer: { name: 'Blue Door Diner' }, latest_charge: { balance_transaction: { net: 9_680 } } });
  const charges = await stripe.charges.list({ expand: ['data.payment_intent', 'data.refunds'] });
  t.like(charges.data[0], { payment_intent: { id: intentId }, refunds: { data: [] } });
  t.is(charges.data[0]?.payment_method_details?.card?.brand, 'mastercard');
  const unknown = stripe.paymentIntents.retrieve(intentId, { expand: ['nothing'] });
  await t.throwsAsync(unknown, { instanceOf: Stripe.errors.StripeInvalidRequestError, message: /cannot be expanded/ });
});

test('a refund that fails gives the money back to the balance, and is reported as updated and failed', async (t) => {
  const { stripe, processor } = t.context;
  const intentId = await paid(t.context, 10_000, 'pm_card_refundFail');
  const { id, status } = await stripe.refunds.create({ payment_intent: intentId, amount: 4_000 });
  t.is(status, 'succeeded', 'it is accepted at first');
  t.like(await stripe.refunds.retrieve(id), { status: 'failed', failure_reason: 'lost_or_stolen_card' });
  t.is((await stripe.charges.list()).data[0]?.amount_refunded, 0);
  t.is((await stripe.balance.retrieve()).available[0]?.amount, 9_680);
  const types = (await stripe.events.list({ limit: 4 })).data.map(({ type }) => type);
  t.deepEqual(types, ['refund.failed', 'charge.refund.updated', 'refund.updated', 'charge.refunded']);
  t.is(processor.events().at(-1)?.type, 'refund.failed');
});

test('a pending refund succeeds, and a card of a cardholder who disputes is disputed', async (t) => {
  const { stripe } = t.context;
  const pending = await paid(t.context, 10_000, 'pm_card_pendingRefund');
  const refund = await stripe.refunds.create({ payment_intent: pending });
  t.is(refund.status, 'pending');
  t.is((await stripe.refunds.retrieve(refund.id)).status, 'succeeded');
  const disputed = await paid(t.context, 5_000, 'pm_card_createDispute');
  t.like((await stripe.disputes.list({ payment_intent: disputed })).data[0], { amount: 5_000 });
  // 100.00 and 50.00 came and went; the fees of 3.20 and 1.75 remain.
  t.is((await stripe.balance.retrieve()).available[0]?.amount, -495);
});

test('every way to decline has its code', async (t) => {
  const { stripe, processor } = t.context;
  const reasons: Record<string, [string, string | undefined]> = {
    pm_card_chargeDeclined: ['card_declined', 'generic_decline'],
    pm_card_visa_chargeDeclinedLostCard: ['card_declined', 'lost_card'],
    pm_card_chargeDeclinedProcessingError: ['processing_error', undefined],
    pm_card_chargeDeclinedExpiredCard: ['expired_card', undefined],
  };
  for (const [card, expected] of Object.entries(reasons)) {
    const { id } = await stripe.paymentIntents.create({ amount: 5_000, currency: 'usd' });
    processor.pay(id, card);
    const error = (await stripe.paymentIntents.retrieve(id)).last_payment_error;
    t.deepEqual([error?.code, error?.decline_code], expected, card);
  }
});

test('a missing operation is 501 in the processor’s own words, immediately, and no empty response', async (t) => {
  const { stripe, processor } = t.context;
  const error = await t.throwsAsync(stripe.subscriptions.list(), { instanceOf: Stripe.errors.StripeAPIError });
  t.is((error as InstanceType<typeof Stripe.errors.StripeAPIError>).statusCode, 501);
  t.regex(error.message, /local card processor does not do GET \/v1\/subscriptions/);
  const elsewhere = await fetch(`${processor.url}/v2/anything`, { headers: { authorization: `Bearer ${SECRET_KEY}` } });
  t.is(elsewhere.status, 404);
});
