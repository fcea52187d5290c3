/**
 * Events of the card processor, from the bytes on the wire to the few facts that are passed on. The SDK checks the
 * signature; this file also refuses what the SDK lets pass although the processor did not send it: other bytes that
 * decode to the same text, a header spelled differently, and times in the future.
 */
import Stripe from 'stripe';
import type { CardEvent } from '../domain/billing/card-events.ts';
import { DomainError } from '../domain/errors.ts';
import { PAYMENT_MAX_CENTS, TEXT_MAX_CHARACTERS } from '../domain/limits.ts';

export interface SignedEvent {
  /** The body exactly as it came. */
  body: Buffer;
  /** The header `Stripe-Signature`. */
  signature: string | undefined;
  /** Any of these may have signed it: the current secret and the previous one. */
  secrets: readonly string[];
  /** Milliseconds since 1970. */
  nowMs: number;
}

/** An attempt of exactly this age is still fresh. Spec 6.3. */
const TOLERANCE_SECONDS = 300;
const HEADER = /^t=(0|[1-9]\d{0,11})(,v\d+=[0-9a-f]+)+$/;
/** Short and plain enough for the key of a row, the id of a workflow and a search attribute. */
const ID = /^[\w-]{1,255}$/;
/** The end of the year 2999: later ones are no times, and a test clock still adds to it without a fifth digit. */
const LATEST_UNIX_SECOND = 32_503_679_999;
const NO_TOLERANCE_OF_THE_SDK = 0;

/**
 * Verifies an event and reduces it to what is passed on. Spec 6.3 and 6.4.
 * @throws DomainError `unauthenticated` for a bad signature, `validation_failed` for a stale or unusable event,
 * `malformed_json` for signed bytes that are not JSON, `service_unavailable` where no secret is set up
 */
export function readCardEvent({ body, signature, secrets, nowMs }: SignedEvent): CardEvent {
  if (secrets.length === 0) throw new DomainError('service_unavailable', 'No card processor is set up.');
  const sentAt = HEADER.exec(signature ?? '')?.[1];
  if (signature === undefined || sentAt === undefined || !isPlainText(body)) throw badSignature();
  const event = verified(body, signature, secrets);
  const ageSeconds = Math.floor(nowMs / 1000) - Number(sentAt);
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) {
    throw new DomainError('validation_failed', 'The event was signed too long ago, or ahead of time.', {
      field: 'Stripe-Signature',
      rule: ageSeconds > 0 ? 'min' : 'max',
    });
  }
  return toCardEvent(event);
}

/**
 * The SDK drops a byte order mark and repairs invalid UTF-8: only text that encodes to the very same bytes is what
 * was signed.
 */
function isPlainText(body: Buffer): boolean {
  return body.equals(Buffer.from(new TextDecoder().decode(body)));
}

function verified(body: Buffer, signature: string, secrets: readonly string[]): unknown {
  for (const secret of secrets) {
    try {
      return Stripe.webhooks.constructEvent(body, signature, secret, NO_TOLERANCE_OF_THE_SDK);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;
      // The signature was good, the content is not.
      if (error instanceof SyntaxError) throw new DomainError('malformed_json', 'The event is not JSON.');
      throw unusable('object');
    }
  }
  throw badSignature();
}

function badSignature(): DomainError {
  return new DomainError('unauthenticated', 'The signature of the event is not valid.');
}

function unusable(field: string): DomainError {
  return new DomainError('validation_failed', `The event's ${field} cannot be used.`, { field, rule: 'format' });
}

/** What each type is reduced to; for any other type only id and type are passed on. */
const REDUCTIONS: Readonly<Record<string, (object: Fields) => Partial<CardEvent>>> = {
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
  const fields = new Fields(event, '');
  const [eventId, type] = [fields.id('id'), fields.text('type')];
  if (eventId === null) throw unusable('id');
  if (type === null) throw unusable('type');
  const bare: CardEvent = {
    ...{ eventId, type, livemode: fields.flag('livemode'), createdAt: fields.unixSeconds('created') ?? 0 },
    ...{ intentId: null, chargeId: null, disputeId: null, currency: null, amountCents: null, status: null },
    metadata: { orgId: null, invoiceId: null, refundId: null },
    failure: null,
  };
  const reduce = Object.hasOwn(REDUCTIONS, type) ? REDUCTIONS[type] : undefined;
  if (reduce === undefined) return bare;
  const object = fields.inner('data')?.inner('object') ?? null;
  if (object === null) throw unusable('data.object');
  return { ...bare, ...reduce(object) };
}

function intentFacts(intent: Fields): Partial<CardEvent> {
  return { ...moneyFacts(intent), intentId: intent.id('id'), chargeId: intent.reference('latest_charge') };
}

function refundFacts(refund: Fields): Partial<CardEvent> {
  return {
    ...moneyFacts(refund),
    processorRefundId: refund.id('id'),
    chargeId: refund.reference('charge'),
    amountCents: refund.cents('amount'),
  };
}

function disputeFacts(dispute: Fields): Partial<CardEvent> {
  return {
    ...moneyFacts(dispute),
    disputeId: dispute.id('id'),
    chargeId: dispute.reference('charge'),
    amountCents: dispute.cents('amount'),
    reason: dispute.text('reason'),
  };
}

function moneyFacts(object: Fields): Partial<CardEvent> {
  const metadata = object.inner('metadata');
  const named = (key: string) => metadata?.text(key) ?? null;
  return {
    intentId: object.reference('payment_intent'),
    currency: object.text('currency'),
    status: object.text('status'),
    metadata: { orgId: named('orgId'), invoiceId: named('invoiceId'), refundId: named('refundId') },
  };
}

function failureOf(error: Fields | null): CardEvent['failure'] {
  if (error === null) return null;
  return {
    code: error.text('code'),
    declineCode: error.text('decline_code'),
    message: error.text('message') ?? 'The payment failed.',
  };
}

/**
 * An object of the event. A missing value is null. A value of the wrong kind, or one that no row can hold, makes the
 * event unusable: after a fault further on, the processor would keep sending it.
 */
class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unusable(path || 'content');
    this.#values = value as Record<string, unknown>;
    this.#path = path;
  }

  text(key: string): string | null {
    return this.#read(key, isStorableText);
  }

  /** The processor's id of something. */
  id(key: string): string | null {
    return this.#read(key, isProcessorId);
  }

  /** An amount from zero to ten million dollars. */
  cents(key: string): number | null {
    return this.#read(key, isUpTo(PAYMENT_MAX_CENTS));
  }

  unixSeconds(key: string): number | null {
    return this.#read(key, isUpTo(LATEST_UNIX_SECOND));
  }

  flag(key: string): boolean {
    return this.#values[key] === true;
  }

  inner(key: string): Fields | null {
    const value = this.#values[key] ?? null;
    return value === null ? null : new Fields(value, this.#pathOf(key));
  }

  /** The id of another object, which may be expanded. */
  reference(key: string): string | null {
    return typeof this.#values[key] === 'string' ? this.id(key) : (this.inner(key)?.id('id') ?? null);
  }

  #read<Value>(key: string, isUsable: (value: unknown) => value is Value): Value | null {
    const value = this.#values[key] ?? null;
    if (value === null) return null;
    if (!isUsable(value)) throw unusable(this.#pathOf(key));
    return value;
  }

  #pathOf(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`;
  }
}

/** PostgreSQL takes no empty byte and no half of a surrogate pair. */
function isStorableText(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > TEXT_MAX_CHARACTERS) return false;
  return value.isWellFormed() && !value.includes('\0');
}

function isProcessorId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** A whole number from zero up. */
function isUpTo(most: number) {
  return (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
}
