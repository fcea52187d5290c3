/**
 * Collects and gives back by card through the processor's official SDK, which repeats an attempt that the network broke
 * off under the same idempotency key. What the processor answers is reduced to the port: nothing of a card, and no
 * secret, leaves this file.
 */
import Stripe from 'stripe';
import { DomainError } from '../domain/errors.ts';
import type { CardIntent, CardProcessor, CardRefund } from './ports.ts';

/** Of one attempt; there are three at most. */
const TIMEOUT_MS = 8_000;
const RETRIES = 2;
const PAGE = 100;
/** Another call with the same key is at work: this one is to come back. */
const IN_PROGRESS = 'idempotency_key_in_use';
const UNREACHED = ['StripeConnectionError', 'StripeAuthenticationError', 'StripePermissionError'];
/**
 * The bank's no, and the processor's own: an amount below its least, more than there is to give back, an intent it does
 * not know.
 */
const REFUSALS = ['StripeCardError', 'StripeInvalidRequestError'];

export interface CardProcessorSettings {
  /** Null: none is set up, and everything that needs one is refused as unavailable. */
  secretKey: string | null;
  /** Null is the processor's own address. */
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
    refund: ({ idempotencyKey, intentId, amountCents, metadata }) =>
      translated(async () => {
        const order = { payment_intent: intentId, amount: amountCents, metadata };
        return toRefund(await stripe.refunds.create(order, { idempotencyKey }));
      }),
    findRefund: (intentId, refundId) =>
      translated(async () => {
        for await (const refund of stripe.refunds.list({ payment_intent: intentId, limit: PAGE })) {
          if (refund.metadata?.refundId === refundId) return toRefund(refund);
        }
        return null;
      }),
  };
}

const unavailable = async (): Promise<never> => {
  throw new DomainError('service_unavailable', 'No card processor is set up.');
};

const NOT_SET_UP: CardProcessor = {
  createIntent: unavailable,
  readIntent: unavailable,
  refund: unavailable,
  findRefund: unavailable,
};

function addressOf(baseUrl: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const { hostname, port, protocol } = new URL(baseUrl);
  const isPlain = protocol === 'http:';
  // An address of IPv6 has brackets in a URL alone.
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: port || (isPlain ? '80' : '443'), protocol: isPlain ? 'http' : 'https' };
}

function toIntent({ id, amount, status, client_secret }: Stripe.PaymentIntent): CardIntent {
  return { id, amountCents: amount, status, clientSecret: client_secret ?? '' };
}

function toRefund({ id, amount, status }: Stripe.Refund): CardRefund {
  return { id, amountCents: amount, status: status ?? 'pending' };
}

/** Does a call and tells its failure in our own words. */
async function translated<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof Stripe.errors.StripeError ? failureOf(error) : error;
  }
}

/** The SDK's error carries the answer, client secret included, and must not reach a log: its message goes on alone. */
function failureOf(error: Stripe.errors.StripeError): Error {
  const { type, code, statusCode = 0, message } = error;
  if (isAway(error)) return new DomainError('service_unavailable', 'The card processor cannot be reached.');
  if (REFUSALS.includes(type)) {
    const details = { code: code || null, declineCode: error.decline_code || null };
    return new DomainError('payment_declined', message || 'The card processor refuses.', details);
  }
  return new Error(`The card processor answered ${statusCode} ${type} ${code ?? ''}: ${message}`);
}

/** A key that is refused counts as away too: nothing is wrong with the call, and it succeeds once the key is mended. */
function isAway({ type, code, statusCode = 0 }: Stripe.errors.StripeError): boolean {
  if (code === IN_PROGRESS || statusCode === 429 || statusCode >= 500) return true;
  return UNREACHED.includes(type);
}
