// The card processor adapter, through the official SDK, against the local processor: what is done only once, how a
// refusal is shown, and that events are delivered signed.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import type { CardEvent } from '../../domain/billing/card-events.ts';
import { DomainError } from '../../domain/errors.ts';
import { readCardEvent } from '../../providers/card-events.ts';
import { createCardProcessor } from '../../providers/card-processor.ts';
import type { CardProcessor } from '../../providers/ports.ts';
import { type LocalCardProcessor, startCardProcessor } from '../../stand-ins/card-processor/server.ts';

const SECRET_KEY = 'sk_test_0123456789abcdef';
const WEBHOOK_SECRET = 'whsec_0123456789abcdef';
const METADATA = { orgId: 'org_1', invoiceId: 'inv_1', policyId: 'pol_1' };
const REFUNDED = { refundId: 'ref_1', paymentId: 'pay_1' };
const REFUND_METADATA = { orgId: 'org_1', invoiceId: 'inv_1', ...REFUNDED };

interface Place {
  processor: LocalCardProcessor;
  card: CardProcessor;
  /** What the endpoint received and could verify. */
  received: CardEvent[];
  /** What the endpoint answers next; 200 when this is empty. */
  answers: number[];
}

/** The test's own processor, with an endpoint that verifies what it receives. */
async function place(t: ExecutionContext): Promise<Place> {
  const received: CardEvent[] = [];
  const answers: number[] = [];
  const endpoint = createServer(async (request, response) => {
    const signature = request.headers['stripe-signature']?.toString();
    const event = { body: await buffer(request), signature, secrets: [WEBHOOK_SECRET], nowMs: Date.now() };
    received.push(readCardEvent(event));
    response.writeHead(answers.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1/webhooks/stripe`;
  const processor = await startCardProcessor({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, endpoint: url });
  t.teardown(async () => {
    await processor.close();
    endpoint.closeAllConnections();
    endpoint.close();
  });
  return { processor, received, answers, card: createCardProcessor({ secretKey: SECRET_KEY, baseUrl: processor.url }) };
}

const create = (card: CardProcessor, amountCents = 43_896, idempotencyKey = 'pi:inv_1:1') =>
  card.createIntent({ idempotencyKey, amountCents, metadata: METADATA });

async function paidIntent({ card, processor }: Place, amountCents = 43_896): Promise<string> {
  const { id } = await create(card, amountCents);
  processor.pay(id);
  return id;
}

async function refused(t: ExecutionContext, call: Promise<unknown>): Promise<DomainError> {
  return (await t.throwsAsync(call, { instanceOf: DomainError })) as DomainError;
}

test('an intent is created with amount and client secret, and is read as it was created', async (t) => {
  const { card } = await place(t);
  const intent = await create(card);
  t.regex(intent.id, /^pi_\w+$/);
  t.is(intent.amountCents, 43_896);
  t.is(intent.status, 'requires_payment_method');
  t.regex(intent.clientSecret, new RegExp(`^${intent.id}_secret_`));
  t.deepEqual(await card.readIntent(intent.id), intent);
});

test('the same order under the same key is one intent', async (t) => {
  const { card } = await place(t);
  const [first, second] = [await create(card), await create(card)];
  t.is(second.id, first.id);
  t.not((await create(card, 43_896, 'pi:inv_1:2')).id, first.id);
});

test('another order under a used key is refused and is not reported to the caller as a decline', async (t) => {
  const { card } = await place(t);
  await create(card);
  const error = await t.throwsAsync(create(card, 43_897));
  t.false(error instanceof DomainError);
  t.regex(error.message, /idempotent requests/);
});

test('a payment reaches the endpoint as a signed event with the amount and the invoice', async (t) => {
  const { card, processor, received } = await place(t);
  const intent = await create(card);
  t.is(processor.pay(intent.id), 'succeeded');
  await processor.settled();
  const [event] = received;
  t.is(received.length, 1);
  t.like(event, {
    type: 'payment_intent.succeeded',
    livemode: false,
    intentId: intent.id,
    currency: 'usd',
    amountCents: 43_896,
    status: 'succeeded',
    metadata: { orgId: 'org_1', invoiceId: 'inv_1', refundId: null },
    failure: null,
  });
  t.is((await card.readIntent(intent.id)).status, 'succeeded');
});

test('a declined card leaves the intent open and is reported with the reason of the bank', async (t) => {
  const { card, processor, received } = await place(t);
  const { id } = await create(card);
  t.is(processor.pay(id, 'pm_card_visa_chargeDeclinedInsufficientFunds'), 'requires_payment_method');
  await processor.settled();
  t.like(received[0], { type: 'payment_intent.payment_failed', intentId: id, amountCents: 43_896 });
  t.like(received[0]?.failure, { code: 'card_declined', declineCode: 'insufficient_funds' });
  t.is(processor.pay(id), 'succeeded', 'another card is taken by the same intent');
});

test('a card that asks for authentication is charged after it and not before', async (t) => {
  const { card, processor, received } = await place(t);
  const { id } = await create(card);
  t.is(processor.pay(id, 'pm_card_authenticationRequired'), 'requires_action');
  await processor.settled();
  t.deepEqual(received, []);
  t.is(processor.authenticate(id, true), 'succeeded');
  await processor.settled();
  t.is(received[0]?.type, 'payment_intent.succeeded');
});

test('an event is delivered again until it is accepted, under the same id', async (t) => {
  const { card, processor, received, answers } = await place(t);
  answers.push(500, 503);
  processor.pay((await create(card)).id);
  await processor.settled();
  t.is(received.length, 3);
  t.is(new Set(received.map(({ eventId }) => eventId)).size, 1);
  t.deepEqual(
    processor.deliveries().map(({ status }) => status),
    [500, 503, 200],
  );
});

test('events are held back, turned round and repeated on request', async (t) => {
  const { card, processor, received } = await place(t);
  processor.hold();
  const id = await paidIntent({ card, processor } as Place);
  await card.refund({ idempotencyKey: 'refund:1', intentId: id, amountCents: 100, metadata: REFUND_METADATA });
  await processor.settled();
  t.deepEqual(received, []);
  processor.release({ order: 'reversed', copies: 2, atATime: 1 });
  await processor.settled();
  const types = received.map(({ type }) => type);
  const reversed = ['charge.refunded', 'refund.created', 'payment_intent.succeeded'];
  t.deepEqual(
    types,
    reversed.flatMap((type) => [type, type]),
  );
  processor.repeat();
  await processor.settled();
  t.is(received.length, 9);
});

test('the amounts of refund events are cumulative', async (t) => {
  const at = await place(t);
  const intentId = await paidIntent(at, 10_000);
  at.processor.refund(intentId, 3_000);
  at.processor.refund(intentId);
  await at.processor.settled();
  const refunded = at.received.filter(({ type }) => type === 'charge.refunded').map(({ amountCents }) => amountCents);
  t.deepEqual(
    refunded.sort((one, other) => Number(one) - Number(other)),
    [3_000, 10_000],
  );
});

test('a dispute is reported when it is opened and when it is decided', async (t) => {
  const at = await place(t);
  const intentId = await paidIntent(at, 10_000);
  const disputeId = at.processor.dispute(intentId);
  at.processor.closeDispute(disputeId, 'lost');
  await at.processor.settled();
  const disputes = at.received.filter(({ type }) => type.startsWith('charge.dispute.'));
  const seen = Object.fromEntries(disputes.map(({ type, status }) => [type.split('.')[2], status]));
  t.deepEqual(seen, { created: 'needs_response', funds_withdrawn: 'needs_response', closed: 'lost' });
  for (const event of disputes) t.like(event, { disputeId, intentId, amountCents: 10_000 });
});

test('a refund is made once for its key, and is found by the id that it carries', async (t) => {
  const at = await place(t);
  const intentId = await paidIntent(at, 10_000);
  const order = { idempotencyKey: 'refund:ref_1:pay_1', intentId, amountCents: 4_000, metadata: REFUND_METADATA };
  t.is(await at.card.findRefund(intentId, REFUNDED), null);
  const refund = await at.card.refund(order);
  t.like(refund, { amountCents: 4_000, status: 'succeeded' });
  t.deepEqual(await at.card.refund(order), refund);
  t.deepEqual(await at.card.findRefund(intentId, REFUNDED), refund);
  const others = [{ refundId: 'ref_2' }, { paymentId: 'pay_2' }].map((other) => ({ ...REFUNDED, ...other }));
  for (const other of others) t.is(await at.card.findRefund(intentId, other), null);
});

test('a refund is found behind a hundred others', async (t) => {
  const at = await place(t);
  const intentId = await paidIntent(at, 10_000);
  const refund = await at.card.refund({
    ...{ idempotencyKey: 'refund:ref_1:pay_1', intentId, amountCents: 1 },
    metadata: REFUND_METADATA,
  });
  for (let count = 0; count < 120; count += 1) at.processor.refund(intentId, 1);
  t.deepEqual(await at.card.findRefund(intentId, REFUNDED), refund);
});

test('the statement of a span lists the amounts taken and given back in it, and no failure', async (t) => {
  const at = await place(t);
  const intentId = await paidIntent(at, 10_000);
  const { id: unpaidId } = await create(at.card, 700, 'pi:inv_1:2');
  at.processor.pay(unpaidId, 'pm_card_chargeDeclined');
  const order = { idempotencyKey: 'refund:ref_1:pay_1', intentId, amountCents: 4_000, metadata: REFUND_METADATA };
  const { id: refundId } = await at.card.refund(order);
  for (let count = 0; count < 120; count += 1) at.processor.refund(intentId, 1);
  const HOUR_MS = 3_600_000;
  const [before, after] = [new Date(Date.now() - HOUR_MS), new Date(Date.now() + HOUR_MS)];
  const lines = (await at.card.statement(before, after)) ?? [];
  const charges = lines.filter(({ kind }) => kind === 'charge');
  t.is(charges.length, 1);
  t.like(charges[0], { intentId, amountCents: 10_000, orgId: 'org_1' });
  t.is(lines.filter(({ kind }) => kind === 'refund').length, 121);
  t.like(
    lines.find(({ processorId }) => processorId === refundId),
    { intentId, amountCents: 4_000, orgId: 'org_1' },
  );
  t.deepEqual(await at.card.statement(after, new Date(after.getTime() + HOUR_MS)), []);
});

test('a refund above the amount a payment has left is refused as declined, and nothing is refunded', async (t) => {
  const at = await place(t);
  const intentId = await paidIntent(at, 10_000);
  const refund = (amountCents: number, idempotencyKey: string) =>
    at.card.refund({ idempotencyKey, intentId, amountCents, metadata: REFUND_METADATA });
  t.is((await refused(t, refund(10_001, 'refund:1'))).code, 'payment_declined');
  t.is(await at.card.findRefund(intentId, REFUNDED), null);
  await refund(10_000, 'refund:2');
  const refusal = await refused(t, refund(1, 'refund:3'));
  t.is(refusal.code, 'payment_declined');
  t.is(refusal.details.code, 'charge_already_refunded');
});

test('a refusal of the bank is a decline with its code', async (t) => {
  const at = await place(t);
  const intentId = await paidIntent(at, 10_000);
  at.processor.planFault({ method: 'POST', path: '/v1/refunds', effect: 'decline', times: 1 });
  const order = { idempotencyKey: 'refund:1', intentId, amountCents: 100, metadata: REFUND_METADATA };
  const refusal = await refused(t, at.card.refund(order));
  t.is(refusal.code, 'payment_declined');
  t.deepEqual(refusal.details, { code: 'card_declined', declineCode: null });
});

test('a call whose response is lost is repeated under its key and done once', async (t) => {
  const at = await place(t);
  const intentId = await paidIntent(at, 10_000);
  at.processor.planFault({ method: 'POST', path: '/v1/refunds', effect: 'cut_after', times: 1 });
  const order = { idempotencyKey: 'refund:1', intentId, amountCents: 4_000, metadata: REFUND_METADATA };
  const refund = await at.card.refund(order);
  t.deepEqual(await at.card.findRefund(intentId, REFUNDED), refund);
  await at.processor.settled();
  t.is(at.received.filter(({ type }) => type === 'charge.refunded').length, 1);
});

test('a processor that returns faults, or nothing at all, is unavailable', async (t) => {
  const { card, processor } = await place(t);
  processor.planFault({ method: 'POST', path: '/v1/payment_intents', effect: 'error_500', times: 3 });
  t.is((await refused(t, create(card))).code, 'service_unavailable');
  await processor.close();
  t.is((await refused(t, create(card))).code, 'service_unavailable');
});

test('a processor that is not set up is unavailable, and so is one that refuses our key', async (t) => {
  const { processor } = await place(t);
  const absent = createCardProcessor({ secretKey: null, baseUrl: null });
  t.is((await refused(t, create(absent))).code, 'service_unavailable');
  t.is((await refused(t, absent.findRefund('pi_1', REFUNDED))).code, 'service_unavailable');
  t.is(await absent.statement(new Date(0), new Date()), null);
  const wrong = createCardProcessor({ secretKey: 'sk_test_wrong_0123456789', baseUrl: processor.url });
  const refusal = await refused(t, create(wrong));
  t.is(refusal.code, 'service_unavailable');
  t.notRegex(refusal.message, /sk_test/);
});

test('an amount that the processor does not take is a decline', async (t) => {
  const { card } = await place(t);
  const refusal = await refused(t, create(card, 49));
  t.is(refusal.code, 'payment_declined');
  t.is(refusal.details.code, 'amount_too_small');
});

test('state and undelivered events outlive a restart of the processor', async (t) => {
  const { databaseFile, options } = fileOptions(t);
  const first = await startCardProcessor(options);
  const card = createCardProcessor({ secretKey: SECRET_KEY, baseUrl: first.url });
  const { id } = await create(card);
  first.pay(id);
  await first.close();

  const received: string[] = [];
  const endpoint = createServer((_, response) => {
    received.push('event');
    response.end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  t.teardown(() => endpoint.close());
  const second = await startCardProcessor({
    ...options,
    databaseFile,
    endpoint: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`,
  });
  t.teardown(() => second.close());
  const again = createCardProcessor({ secretKey: SECRET_KEY, baseUrl: second.url });
  t.is((await again.readIntent(id)).status, 'succeeded');
  t.is((await create(again)).id, id, 'the key is still known');
  await second.settled();
  t.deepEqual(received, ['event']);
});

function fileOptions(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-processor-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const databaseFile = join(folder, 'card-processor.db');
  return { databaseFile, options: { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, databaseFile } };
}

test('a browser confirms with the client secret alone, and does nothing else with it', async (t) => {
  const { card, processor } = await place(t);
  const { id, clientSecret } = await create(card);
  const url = `${processor.url}/v1/payment_intents/${id}`;
  const post = (path: string, form: Record<string, string>) =>
    fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(form) });
  t.is((await post('/confirm', { payment_method: 'pm_card_visa' })).status, 401);
  t.is((await post('/confirm', { payment_method: 'pm_card_visa', client_secret: 'guess' })).status, 401);
  t.is((await post('/cancel', { client_secret: clientSecret })).status, 401);
  t.is((await post('/confirm', { payment_method: 'pm_card_visa', client_secret: clientSecret })).status, 200);
  t.is((await fetch(`${processor.url}/_control/events`)).status, 401);
});
