/**
 * Collects and refunds by card through the processor's official SDK, which retries an attempt interrupted by the
 * network under the same idempotency key. Responses are reduced to the port: no card data and no secret leaves this
 * file.
 */
import Stripe from 'stripe';
import { DomainError, notSetUp } from '../domain/errors.ts';
import { listPayouts, readPayout } from './cards/card-payouts.ts';
import { listStatement } from './cards/card-statement.ts';
import { keptCards } from './cards/kept-cards.ts';
import type { CardIntent, CardProcessor, CardRefund, RefundPart } from './ports.ts';

/** Per attempt; there are at most three. */
const TIMEOUT_MS = 8_000;
const RETRIES = 2;
const PAGE = 100;
/** An intent paid or cancelled in the meantime. */
const UNEXPECTED_STATE = 'payment_intent_unexpected_state';
/** Another call with the same key is in progress: retry this one. */
const IN_PROGRESS = 'idempotency_key_in_use';
const UNREACHED = ['StripeConnectionError', 'StripeAuthenticationError', 'StripePermissionError'];
/**
 * Refusals by the bank, and by the processor itself: an amount below its minimum, more than is left to refund, an
 * unknown intent.
 */
const REFUSALS = ['StripeCardError', 'StripeInvalidRequestError'];

export interface CardProcessorSettings {
  /** Null if none is configured: anything that needs one is refused as unavailable. */
  secretKey: string | null;
  /** Null for the processor's own address. */
  baseUrl: string | null;
}

/** Builds the adapter. Without a key every method throws `service_unavailable`. */
export function createCardProcessor({ secretKey, baseUrl }: CardProcessorSettings): CardProcessor {
  if (secretKey === null) return NOT_SET_UP;
  const stripe = new Stripe(secretKey, {
    ...(baseUrl === null ? {} : addressOf(baseUrl)),
    telemetry: false,
    maxNetworkRetries: RETRIES,
    timeout: TIMEOUT_MS,
  });
  return {
    createIntent: ({ idempotencyKey, amountCents, metadata }) =>
      translated(async () => {
        const order = { amount: amountCents, currency: 'usd', payment_method_types: ['card'], metadata };
        return toIntent(await stripe.paymentIntents.create(order, { idempotencyKey }));
      }),
    readIntent: (intentId) => translated(async () => toIntent(await stripe.paymentIntents.retrieve(intentId))),
    cancelIntent: (intentId) =>
      translated(async () => {
        try {
          return toIntent(await stripe.paymentIntents.cancel(intentId));
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeError) || error.code !== UNEXPECTED_STATE) throw error;
          return toIntent(await stripe.paymentIntents.retrieve(intentId));
        }
      }),
    refund: ({ idempotencyKey, intentId, amountCents, metadata }) =>
      translated(async () => {
        const order = { payment_intent: intentId, amount: amountCents, metadata: { ...metadata } };
        return toRefund(await stripe.refunds.create(order, { idempotencyKey }));
      }),
    findRefund: (intentId, part) =>
      translated(async () => {
        for await (const refund of stripe.refunds.list({ payment_intent: intentId, limit: PAGE })) {
          if (isFor(refund, part)) return toRefund(refund);
        }
        return null;
      }),
    statement: (from, to) => translated(() => listStatement(stripe, from, to)),
    readPayout: (payoutId) => translated(() => readPayout(stripe, payoutId)),
    payouts: (from, to) => translated(() => listPayouts(stripe, from, to)),
    ...keptCards(stripe, translated),
  };
}

const unavailable = async (): Promise<never> => {
  throw notSetUp('card processor');
};

const NOT_SET_UP: CardProcessor = {
  createIntent: unavailable,
  readIntent: unavailable,
  cancelIntent: unavailable,
  refund: unavailable,
  findRefund: unavailable,
  statement: async () => null,
  readPayout: unavailable,
  payouts: unavailable,
  createSetup: unavailable,
  readSetup: unavailable,
  forgetCard: unavailable,
  chargeKeptCard: unavailable,
  findKeptCardCharge: unavailable,
};

function addressOf(baseUrl: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const { hostname, port, protocol } = new URL(baseUrl);
  const isPlain = protocol === 'http:';
  // An IPv6 address has brackets only in a URL.
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: port || (isPlain ? '80' : '443'), protocol: isPlain ? 'http' : 'https' };
}

/** Older refunds carry only the refund's id, since their payment was not recorded with them. */
function isFor({ metadata }: Stripe.Refund, { refundId, paymentId }: RefundPart): boolean {
  return metadata?.refundId === refundId && (metadata.paymentId ?? paymentId) === paymentId;
}

function toIntent({ id, amount, status, client_secret }: Stripe.PaymentIntent): CardIntent {
  return { id, amountCents: amount, status, clientSecret: client_secret ?? '' };
}

function toRefund({ id, amount, status }: Stripe.Refund): CardRefund {
  return { id, amountCents: amount, status: status ?? 'pending' };
}

/** Makes a call and translates its errors into ours. */
async function translated<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof Stripe.errors.StripeError ? failureOf(error) : error;
  }
}

/**
 * The SDK's error carries the response, client secret included, and must not reach a log: only its message is passed
 * on.
 */
function failureOf(error: Stripe.errors.StripeError): Error {
  const { type, code, statusCode = 0, message } = error;
  if (isAway(error)) return new DomainError('service_unavailable', 'The card processor cannot be reached.');
  if (REFUSALS.includes(type)) {
    const details = { code: code || null, declineCode: error.decline_code || null };
    return new DomainError('payment_declined', message || 'The card processor refused the request.', details);
  }
  return new Error(`The card processor answered ${statusCode} ${type} ${code ?? ''}: ${message}`);
}

/** A refused key counts as unavailable too: nothing is wrong with the call, and it succeeds once the key is fixed. */
function isAway({ type, code, statusCode = 0 }: Stripe.errors.StripeError): boolean {
  if (code === IN_PROGRESS || statusCode === 429 || statusCode >= 500) return true;
  return UNREACHED.includes(type);
}
