// What the local card processor lists for accounting and reconciliation, read with the processor's own library.
import anyTest, { type TestFn } from 'ava';
import Stripe from 'stripe';
import { listStatement } from '../../providers/cards/card-statement.ts';
import { type LocalCardProcessor, startCardProcessor } from '../../stand-ins/card-processor/server.ts';

const SECRET_KEY = 'sk_test_0123456789abcdef';
const DAY = 86_400;
const FIRST_DAY = Date.UTC(2026, 2, 2) / 1000;

interface Place {
  processor: LocalCardProcessor;
  stripe: Stripe;
  /** Lets a number of days pass. */
  later: (days: number) => void;
}

const test = anyTest as TestFn<Place>;

test.beforeEach(async (t) => {
  let nowSeconds = FIRST_DAY + 3_600;
  const processor = await startCardProcessor({
    ...{ secretKey: SECRET_KEY, webhookSecret: 'whsec_0123456789abcdef' },
    now: () => nowSeconds * 1000,
  });
  const { hostname: host, port } = new URL(processor.url);
  const stripe = new Stripe(SECRET_KEY, { host, port, protocol: 'http', telemetry: false });
  const later = (days: number) => {
    nowSeconds += days * DAY;
  };
  t.context = { processor, stripe, later };
});

test.afterEach.always((t) => t.context.processor.close());

const dayOf = (day: number) => ({ gte: FIRST_DAY + day * DAY, lt: FIRST_DAY + (day + 1) * DAY });

async function paid({ stripe, processor }: Place, amount: number): Promise<string> {
  const { id } = await stripe.paymentIntents.create({ amount, currency: 'usd' });
  processor.pay(id);
  return id;
}

test('intents, charges and refunds are listed by the day on which they were made, newest first', async (t) => {
  const { stripe, processor, later } = t.context;
  const monday = await paid(t.context, 10_000);
  later(1);
  const tuesday = [await paid(t.context, 20_000), await paid(t.context, 30_000)];
  processor.refund(monday, 4_000);
  later(1);
  const [intents, charges, refunds] = await Promise.all([
    stripe.paymentIntents.list({ created: dayOf(1) }),
    stripe.charges.list({ created: dayOf(1) }),
    stripe.refunds.list({ created: dayOf(1) }),
  ]);
  t.deepEqual(
    intents.data.map(({ id }) => id),
    tuesday.toReversed(),
  );
  t.deepEqual(
    charges.data.map(({ payment_intent }) => payment_intent),
    tuesday.toReversed(),
  );
  t.deepEqual(
    refunds.data.map(({ payment_intent, amount }) => [payment_intent, amount]),
    [[monday, 4_000]],
  );
  t.deepEqual((await stripe.charges.list({ created: dayOf(2) })).data, []);
  t.is((await stripe.charges.list({ created: { lt: FIRST_DAY + DAY } })).data[0]?.payment_intent, monday);
  t.is((await stripe.charges.list({ created: FIRST_DAY + 3_600 })).data.length, 1);
});

test('the statement of a day lists the amounts that disputes took and gave back on it, and no inquiry', async (t) => {
  const { stripe, processor, later } = t.context;
  const intentId = await paid(t.context, 10_000);
  processor.dispute(await paid(t.context, 20_000), 700, { isInquiry: true });
  later(1);
  const disputeId = processor.dispute(intentId, 500);
  later(1);
  processor.closeDispute(disputeId, 'won');
  const instant = (day: number) => new Date((FIRST_DAY + day * DAY) * 1000);
  const movedOn = async (day: number) => {
    const lines = await listStatement(stripe, instant(day), instant(day + 1));
    return lines.map(({ kind, intentId, amountCents }) => ({ kind, intentId, amountCents }));
  };
  t.is((await movedOn(0)).length, 2);
  t.deepEqual(await movedOn(1), [{ kind: 'dispute', intentId, amountCents: 500 }]);
  t.deepEqual(await movedOn(2), [{ kind: 'dispute_reversal', intentId, amountCents: 500 }]);
});

test('a list is read to its end in pages, and backwards from any of its objects', async (t) => {
  const { stripe } = t.context;
  const made: string[] = [];
  for (let count = 0; count < 7; count += 1) made.unshift(await paid(t.context, 1_000 + count));
  const seen: string[] = [];
  for await (const { id } of stripe.paymentIntents.list({ limit: 3 })) seen.push(id);
  t.deepEqual(seen, made);
  const before = await stripe.paymentIntents.list({ ending_before: made[4] ?? '', limit: 3 });
  t.deepEqual(
    before.data.map(({ id }) => id),
    made.slice(1, 4),
  );
  t.true(before.has_more);
});

test('a list refuses a cursor that it never gave, a time that is none, and a filter that it does not have', async (t) => {
  const { stripe } = t.context;
  const refused = (call: Promise<unknown>) =>
    t.throwsAsync(call, { instanceOf: Stripe.errors.StripeInvalidRequestError });
  t.is((await refused(stripe.charges.list({ starting_after: 'ch_none' })))?.code, 'resource_missing');
  t.is((await refused(stripe.charges.list({ created: { gte: -1 } })))?.code, 'parameter_invalid_integer');
  t.is((await refused(stripe.refunds.list({ customer: 'cus_1' } as object)))?.code, 'parameter_unknown');
});
