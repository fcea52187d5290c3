// Card processor events: which bytes are trusted, for how long, and what is passed on.
import { createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import Stripe from 'stripe';
import type { CardEvent } from '../../domain/billing/card-events.ts';
import { DomainError, type ErrorCode } from '../../domain/errors.ts';
import { PAYMENT_MAX_CENTS } from '../../domain/limits.ts';
import { readCardEvent, type SignedEvent } from '../../providers/card-events.ts';
import { fc } from '../support/fixed/chance.ts';

const SECRET = 'whsec_current_0123456789';
const PREVIOUS = 'whsec_previous_0123456789';
const SENT_AT = 1_795_227_600;

const SUCCEEDED = {
  id: 'evt_1',
  object: 'event',
  created: 1_795_227_590,
  livemode: false,
  type: 'payment_intent.succeeded',
  data: {
    object: {
      id: 'pi_1',
      object: 'payment_intent',
      amount: 123_456,
      amount_received: 123_450,
      currency: 'usd',
      status: 'succeeded',
      latest_charge: 'ch_1',
      metadata: { invoiceId: 'inv_1', orgId: 'org_1', note: 'Zürich' },
    },
  },
};

function signed(content: unknown, { secret = SECRET, sentAt = SENT_AT, ageSeconds = 0 } = {}): SignedEvent {
  const payload = typeof content === 'string' ? content : JSON.stringify(content);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: sentAt });
  return { body: Buffer.from(payload), signature, secrets: [SECRET], nowMs: (sentAt + ageSeconds) * 1000 };
}

function isRefused(t: ExecutionContext, event: SignedEvent, code: ErrorCode): void {
  const error = t.throws(() => readCardEvent(event), { instanceOf: DomainError }) as DomainError;
  t.is(error.code, code);
}

const changed = (type: string, object: object) => ({ ...SUCCEEDED, type, data: { object } });

test('a signed payment is reduced to the amount taken and its invoice', (t) => {
  const expected: CardEvent = {
    eventId: 'evt_1',
    type: 'payment_intent.succeeded',
    livemode: false,
    createdAt: 1_795_227_590,
    intentId: 'pi_1',
    chargeId: 'ch_1',
    disputeId: null,
    currency: 'usd',
    amountCents: 123_450,
    status: 'succeeded',
    metadata: { orgId: 'org_1', invoiceId: 'inv_1', refundId: null },
    failure: null,
  };
  t.deepEqual(readCardEvent(signed(SUCCEEDED)), expected);
});

test('a payment that failed is reduced to the amount that was tried and the reason', (t) => {
  const error = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', message: 'No funds.' };
  const intent = { ...SUCCEEDED.data.object, amount_received: 0, last_payment_error: error };
  const event = readCardEvent(signed(changed('payment_intent.payment_failed', intent)));
  t.is(event.amountCents, 123_456);
  t.deepEqual(event.failure, { code: 'card_declined', declineCode: 'insufficient_funds', message: 'No funds.' });
});

test('a refund is reduced to the total refunded from the charge, however its intent is written', (t) => {
  const charge = { id: 'ch_1', amount: 123_456, amount_refunded: 30_000, currency: 'usd', status: 'succeeded' };
  for (const payment_intent of ['pi_1', { id: 'pi_1', object: 'payment_intent' }]) {
    const event = readCardEvent(signed(changed('charge.refunded', { ...charge, payment_intent })));
    t.like(event, { intentId: 'pi_1', chargeId: 'ch_1', amountCents: 30_000, currency: 'usd' });
  }
});

test('a dispute is reduced to the disputed amount and its charge', (t) => {
  const dispute = { id: 'du_1', amount: 500, currency: 'usd', charge: 'ch_1', payment_intent: 'pi_1', status: 'lost' };
  const event = readCardEvent(signed(changed('charge.dispute.closed', dispute)));
  t.like(event, { disputeId: 'du_1', chargeId: 'ch_1', intentId: 'pi_1', amountCents: 500, status: 'lost' });
});

test('a payout is reduced to its id, whatever else its event says', (t) => {
  const payout = { id: 'po_1', amount: -7_180, currency: 'usd', status: 'paid', destination: 'ba_1' };
  const event = readCardEvent(signed(changed('payout.paid', payout)));
  t.like(event, { payoutId: 'po_1', intentId: null, amountCents: null });
  t.notRegex(JSON.stringify(event), /ba_1/);
  t.is(readCardEvent(signed(changed('payout.failed', { id: 7 }))).payoutId, null);
});

test('only the id and type of every other event type are passed on', (t) => {
  const customer = { id: 'cus_1', email: 'someone@example.com', amount: 'much', metadata: { orgId: 'org_1' } };
  const event = readCardEvent(signed(changed('customer.created', customer)));
  t.is(event.type, 'customer.created');
  t.notRegex(JSON.stringify(event), /someone|cus_1|org_1/);
  t.is(readCardEvent(signed(changed('toString', {}))).type, 'toString');
});

test('an event that is signed by nobody, by another secret or for another content is refused', (t) => {
  const event = signed(SUCCEEDED);
  isRefused(t, { ...event, signature: undefined }, 'unauthenticated');
  isRefused(t, { ...event, signature: '' }, 'unauthenticated');
  isRefused(t, signed(SUCCEEDED, { secret: 'whsec_of_somebody_else_01' }), 'unauthenticated');
  isRefused(t, { ...event, body: Buffer.from(JSON.stringify({ ...SUCCEEDED, id: 'evt_2' })) }, 'unauthenticated');
});

test('a signature of the body alone, without the time, is refused', (t) => {
  const event = signed(SUCCEEDED);
  const hmac = createHmac('sha256', SECRET).update(event.body).digest('hex');
  isRefused(t, { ...event, signature: `t=${SENT_AT},v1=${hmac}` }, 'unauthenticated');
});

test('an event that was truncated or rewritten is refused although it means the same', (t) => {
  const event = signed(SUCCEEDED);
  isRefused(t, { ...event, body: event.body.subarray(0, -1) }, 'unauthenticated');
  isRefused(t, { ...event, body: Buffer.alloc(0) }, 'unauthenticated');
  isRefused(t, { ...event, body: Buffer.from(JSON.stringify(SUCCEEDED, null, 2)) }, 'unauthenticated');
  isRefused(t, { ...event, body: Buffer.from(JSON.stringify(SUCCEEDED), 'latin1') }, 'unauthenticated');
  isRefused(t, { ...event, body: Buffer.from(JSON.stringify(SUCCEEDED), 'utf16le') }, 'unauthenticated');
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), event.body]);
  isRefused(t, { ...event, body: marked }, 'unauthenticated');
});

test('signed bytes that are no text are malformed, and without the signature over these very bytes forged', (t) => {
  const text = Buffer.from(JSON.stringify(SUCCEEDED));
  const garbled = Buffer.concat([text.subarray(0, -1), Buffer.from([0xff, 0x7d])]);
  for (const body of [Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text]), garbled]) {
    const hmac = createHmac('sha256', SECRET).update(`${SENT_AT}.`).update(body).digest('hex');
    const event = { ...signed(SUCCEEDED), body, signature: `t=${SENT_AT},v1=${hmac}` };
    isRefused(t, event, 'malformed_json');
    isRefused(t, { ...event, secrets: [PREVIOUS] }, 'unauthenticated');
  }
});

test('an event of exactly 300 seconds is fresh and one of 301 is stale, in both directions', (t) => {
  t.is(readCardEvent(signed(SUCCEEDED, { ageSeconds: 300 })).eventId, 'evt_1');
  isRefused(t, signed(SUCCEEDED, { ageSeconds: 301 }), 'validation_failed');
  t.is(readCardEvent(signed(SUCCEEDED, { ageSeconds: -300 })).eventId, 'evt_1');
  isRefused(t, signed(SUCCEEDED, { ageSeconds: -301 }), 'validation_failed');
});

test('a forged event is refused as forged and not as stale', (t) => {
  isRefused(t, { ...signed(SUCCEEDED, { ageSeconds: 9_999 }), secrets: [PREVIOUS] }, 'unauthenticated');
});

test('both secrets are accepted during a rotation, and afterwards the new one alone', (t) => {
  const old = signed(SUCCEEDED, { secret: PREVIOUS });
  t.is(readCardEvent({ ...old, secrets: [SECRET, PREVIOUS] }).eventId, 'evt_1');
  t.is(readCardEvent({ ...signed(SUCCEEDED), secrets: [SECRET, PREVIOUS] }).eventId, 'evt_1');
  isRefused(t, old, 'unauthenticated');
  const both = `${old.signature},${signed(SUCCEEDED).signature?.split(',')[1]}`;
  t.is(readCardEvent({ ...old, signature: both }).eventId, 'evt_1', 'the processor signs with both for a while');
});

test('no event is believed without a secret', (t) => {
  isRefused(t, { ...signed(SUCCEEDED), secrets: [] }, 'service_unavailable');
});

test('signed bytes that are not JSON, or not an event, are malformed', (t) => {
  isRefused(t, signed('{"id":"evt_1",'), 'malformed_json');
  for (const content of ['null', '[]', '"evt_1"', '{}', '{"id":"evt_1"}', '{"id":7,"type":"x"}']) {
    isRefused(t, signed(content), 'validation_failed');
  }
  isRefused(t, signed({ ...SUCCEEDED, id: 'evt_1/../2' }), 'validation_failed');
  isRefused(t, signed({ object: 'v2.core.event', id: 'evt_1', type: 'x' }), 'validation_failed');
  for (const amount_received of ['100', -1, 0.5, 1e300]) {
    const intent = { ...SUCCEEDED.data.object, amount_received };
    isRefused(t, signed(changed('payment_intent.succeeded', intent)), 'validation_failed');
  }
});

test('an event with a value that no row can hold is unusable, wherever the value stands', (t) => {
  const intent = SUCCEEDED.data.object;
  const charge = { id: 'ch_1', payment_intent: 'pi_1', amount_refunded: 1, currency: 'usd', status: 'succeeded' };
  const dispute = { id: 'du_1', charge: 'ch_1', payment_intent: 'pi_1', amount: 1, currency: 'usd', status: 'lost' };
  const places: [string, (value: unknown) => object][] = [
    ['payment_intent.succeeded', (id) => ({ ...intent, id })],
    ['payment_intent.succeeded', (latest_charge) => ({ ...intent, latest_charge })],
    ['payment_intent.succeeded', (id) => ({ ...intent, latest_charge: { id } })],
    ['charge.refunded', (id) => ({ ...charge, id })],
    ['charge.refunded', (payment_intent) => ({ ...charge, payment_intent })],
    ['charge.refunded', (id) => ({ ...charge, payment_intent: { id } })],
    ['charge.dispute.created', (id) => ({ ...dispute, id })],
    ['charge.dispute.closed', (id) => ({ ...dispute, charge: id })],
  ];
  for (const [type, object] of places) {
    t.is(readCardEvent(signed(changed(type, object('x'.repeat(255))))).type, type);
    for (const id of ['x'.repeat(256), 'x'.repeat(5_000), 'pi_\0', 'pi_\ud800', 'pi_1\n', '']) {
      isRefused(t, signed(changed(type, object(id))), 'validation_failed');
    }
  }
  for (const text of ['x'.repeat(2_001), 'x'.repeat(20_000), 'a\0b', '\udc00']) {
    const error = { code: 'card_declined', decline_code: 'lost_card', message: 'No.' };
    for (const object of [
      { ...intent, status: text },
      { ...intent, currency: text },
      ...['orgId', 'invoiceId', 'refundId'].map((name) => ({ ...intent, metadata: { [name]: text } })),
      ...Object.keys(error).map((name) => ({ ...intent, last_payment_error: { ...error, [name]: text } })),
    ]) {
      isRefused(t, signed(changed('payment_intent.payment_failed', object)), 'validation_failed');
    }
    isRefused(t, signed({ ...SUCCEEDED, type: text }), 'validation_failed');
  }
});

test('an event from beyond the calendar or beyond every amount is unusable', (t) => {
  const endOf2999 = Date.parse('2999-12-31T23:59:59Z') / 1000;
  t.is(readCardEvent(signed({ ...SUCCEEDED, created: endOf2999 })).createdAt, endOf2999);
  for (const created of [endOf2999 + 1, 1e15, -1, 0.5, '1795227590']) {
    isRefused(t, signed({ ...SUCCEEDED, created }), 'validation_failed');
  }
  const taking = (amount_received: number) =>
    signed(changed('payment_intent.succeeded', { ...SUCCEEDED.data.object, amount_received }));
  t.is(readCardEvent(taking(PAYMENT_MAX_CENTS)).amountCents, PAYMENT_MAX_CENTS);
  isRefused(t, taking(PAYMENT_MAX_CENTS + 1), 'validation_failed');
});

test('none of a thousand random changes to a valid event is accepted', (t) => {
  const valid = signed(SUCCEEDED);
  const header = Buffer.from(valid.signature ?? '');
  const original = Buffer.concat([header, valid.body]);
  let tried = 0;
  const mutation = fc.record({
    kind: fc.constantFrom('replace', 'insert', 'remove', 'swap'),
    at: fc.nat(original.length - 1),
    to: fc.nat(original.length - 1),
    byte: fc.integer({ min: 0, max: 255 }),
    inHeader: fc.boolean(),
  });
  fc.assert(
    fc.property(mutation, ({ kind, at, to, byte, inHeader }) => {
      const part = inHeader ? header : valid.body;
      const mutant = mutate(part, kind, at % part.length, to % part.length, byte);
      fc.pre(!mutant.equals(part));
      tried += 1;
      const event = inHeader ? { ...valid, signature: mutant.toString('latin1') } : { ...valid, body: mutant };
      t.throws(() => readCardEvent(event), { instanceOf: DomainError });
    }),
    { numRuns: 1_000 },
  );
  t.is(tried, 1_000);
});

function mutate(bytes: Buffer, kind: string, at: number, to: number, byte: number): Buffer {
  const mutant = Buffer.from(bytes);
  if (kind === 'insert') return Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)]);
  if (kind === 'remove') return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  mutant[at] = kind === 'swap' ? (bytes[to] ?? 0) : byte;
  if (kind === 'swap') mutant[to] = bytes[at] ?? 0;
  return mutant;
}
