/**
 * Card processor events, from the bytes on the wire to the few facts that are passed on. The SDK checks the
 * signature; this file also refuses what the SDK lets pass although the processor did not send it: other bytes that
 * decode to the same text, a header spelled differently, and times in the future.
 */
import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { CARD_GIVEN, type CardEvent } from '../domain/billing/card-events.ts';
import { isPayoutEventType } from '../domain/billing/card-payout.ts';
import { DomainError } from '../domain/errors.ts';
import { isSameSecret } from './constant-time.ts';
import { EventFields, unusable } from './inbound/event-fields.ts';
import { badSignature, ensureFresh } from './inbound/freshness.ts';

export interface SignedEvent {
  /** The body exactly as received. */
  body: Buffer;
  /** The header `Stripe-Signature`. */
  signature: string | undefined;
  /** Any of these may have signed it: the current secret and the previous one. */
  secrets: readonly string[];
  /** Milliseconds since 1970. */
  nowMs: number;
}

const HEADER = /^t=(0|[1-9]\d{0,11})(,v\d+=[0-9a-f]+)+$/;
const NO_TOLERANCE_OF_THE_SDK = 0;

/**
 * Verifies an event and reduces it to what is passed on. Spec 6.3 and 6.4.
 * @throws DomainError `unauthenticated` for a bad signature, `validation_failed` for a stale or unusable event,
 * `malformed_json` for signed bytes that are not JSON, `service_unavailable` if no secret is configured
 */
export function readCardEvent({ body, signature, secrets, nowMs }: SignedEvent): CardEvent {
  if (secrets.length === 0) throw new DomainError('service_unavailable', 'No card processor is set up.');
  const sentAt = HEADER.exec(signature ?? '')?.[1];
  if (signature === undefined || sentAt === undefined) throw badSignature();
  if (!isPlainText(body)) throw isSigned(body, signature, secrets) ? notJson() : badSignature();
  const event = verified(body, signature, secrets);
  ensureFresh(Number(sentAt), nowMs, 'Stripe-Signature');
  return toCardEvent(event);
}

/**
 * The SDK drops a byte order mark and repairs invalid UTF-8: only text that encodes back to the same bytes is what
 * was signed.
 */
function isPlainText(body: Buffer): boolean {
  return body.equals(Buffer.from(new TextDecoder().decode(body)));
}

/** Whether a signature covers the bytes as received. */
function isSigned(body: Buffer, header: string, secrets: readonly string[]): boolean {
  const [time = '', ...sets] = header.split(',');
  const payload = Buffer.concat([Buffer.from(`${time.slice('t='.length)}.`), body]);
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(payload).digest('hex'));
  const matches = sets.map((set) => set.startsWith('v1=') && isSameSecret(set.slice('v1='.length), ...expected));
  return matches.includes(true);
}

function notJson(): DomainError {
  return new DomainError('malformed_json', 'The event is not JSON.');
}

function verified(body: Buffer, signature: string, secrets: readonly string[]): unknown {
  for (const secret of secrets) {
    try {
      return Stripe.webhooks.constructEvent(body, signature, secret, NO_TOLERANCE_OF_THE_SDK);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;
      // The signature was valid, but the content is not.
      if (error instanceof SyntaxError) throw notJson();
      throw unusable('object');
    }
  }
  throw badSignature();
}

/** The facts each type is reduced to; for any other type only id and type are passed on. */
const REDUCTIONS: Readonly<Record<string, (object: EventFields) => Partial<CardEvent>>> = {
  'payment_intent.succeeded': (intent) => ({ ...intentFacts(intent), amountCents: intent.cents('amount_received') }),
  'payment_intent.payment_failed': (intent) => ({
    ...intentFacts(intent),
    amountCents: intent.cents('amount'),
    failure: failureOf(intent.inner('last_payment_error')),
  }),
  'payment_intent.canceled': (intent) => ({ ...intentFacts(intent), amountCents: intent.cents('amount') }),
  'charge.refunded': (charge) => ({
    ...moneyFacts(charge),
    chargeId: charge.id('id'),
    amountCents: charge.cents('amount_refunded'),
  }),
  'charge.refund.updated': refundFacts,
  'refund.updated': refundFacts,
  'refund.failed': refundFacts,
  'charge.dispute.created': disputeFacts,
  'charge.dispute.updated': disputeFacts,
  'charge.dispute.closed': disputeFacts,
  'charge.dispute.funds_withdrawn': disputeFacts,
  'charge.dispute.funds_reinstated': disputeFacts,
};

function toCardEvent(event: unknown): CardEvent {
  const fields = new EventFields(event, '');
  const [eventId, type] = [fields.id('id'), fields.text('type')];
  if (eventId === null) throw unusable('id');
  if (type === null) throw unusable('type');
  const bare: CardEvent = {
    ...{ eventId, type, livemode: fields.flag('livemode'), createdAt: fields.unixSeconds('created') ?? 0 },
    ...{ intentId: null, chargeId: null, disputeId: null, currency: null, amountCents: null, status: null },
    metadata: { orgId: null, invoiceId: null, refundId: null },
    failure: null,
  };
  if (type === CARD_GIVEN) return { ...bare, ...cardGivenIn(fields) };
  if (isPayoutEventType(type)) return { ...bare, payoutId: payoutIdIn(fields) };
  const reduce = Object.hasOwn(REDUCTIONS, type) ? REDUCTIONS[type] : undefined;
  if (reduce === undefined) return bare;
  const object = fields.inner('data')?.inner('object') ?? null;
  if (object === null) throw unusable('data.object');
  return { ...bare, ...reduce(object) };
}

function intentFacts(intent: EventFields): Partial<CardEvent> {
  return { ...moneyFacts(intent), intentId: intent.id('id'), chargeId: intent.reference('latest_charge') };
}

function refundFacts(refund: EventFields): Partial<CardEvent> {
  return {
    ...moneyFacts(refund),
    processorRefundId: refund.id('id'),
    chargeId: refund.reference('charge'),
    amountCents: refund.cents('amount'),
  };
}

function disputeFacts(dispute: EventFields): Partial<CardEvent> {
  return {
    ...moneyFacts(dispute),
    disputeId: dispute.id('id'),
    chargeId: dispute.reference('charge'),
    amountCents: dispute.cents('amount'),
    reason: dispute.text('reason'),
  };
}

/** Everything else is read from the processor. The next reconciliation finds a payout without an id. */
function payoutIdIn(event: EventFields): string | null {
  return event.objectOrNull('data')?.objectOrNull('object')?.idOrNull('id') ?? null;
}

/** The card itself is read from the processor. One without our ids is not ours. */
function cardGivenIn(event: EventFields): Partial<CardEvent> {
  const setup = event.objectOrNull('data')?.objectOrNull('object') ?? null;
  const metadata = setup?.objectOrNull('metadata') ?? null;
  return {
    setupIntentKey: setup?.idOrNull('id') ?? null,
    setupId: metadata?.idOrNull('setupId') ?? null,
    metadata: { orgId: metadata?.idOrNull('orgId') ?? null, invoiceId: null, refundId: null },
  };
}

function moneyFacts(object: EventFields): Partial<CardEvent> {
  const metadata = object.inner('metadata');
  const named = (key: string) => metadata?.text(key) ?? null;
  return {
    intentId: object.reference('payment_intent'),
    currency: object.text('currency'),
    status: object.text('status'),
    metadata: { orgId: named('orgId'), invoiceId: named('invoiceId'), refundId: named('refundId') },
  };
}

function failureOf(error: EventFields | null): CardEvent['failure'] {
  if (error === null) return null;
  return {
    code: error.text('code'),
    declineCode: error.text('decline_code'),
    message: error.text('message') ?? 'The payment failed.',
  };
}
