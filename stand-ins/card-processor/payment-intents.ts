// Payment intents: created, confirmed with a payment method, authenticated where the card requires it, canceled.
import { keepCharge } from './charges.ts';
import { openDispute } from './disputes.ts';
import { allowOnly, amountOf, metadataOf, required, textOf } from './form.ts';
import { newClientSecret, newId } from './ids.ts';
import { ensureCustomers, outcomeFor } from './kept/payment-methods.ts';
import { type Call, secondsOf, shown, type Work } from './operation.ts';
import { badParameter, missing, wrongState } from './problem.ts';
import { NEEDS_CUSTOMER } from './test-cards.ts';
import type { Answer, CardError, Intent } from './wire.ts';

const SMALLEST_CENTS = 50;
const OPEN: readonly Intent['status'][] = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
const PAYMENT_METHOD_TYPES = 'payment_method_types';
/** Parameters that control how a browser proceeds; nothing here depends on them. */
const OF_THE_BROWSER = ['return_url', 'use_stripe_sdk', 'automatic_payment_methods', 'client_secret', 'off_session'];

/** POST /v1/payment_intents */
export function createIntent(call: Call): Answer {
  const { form, store } = call;
  const known = ['amount', 'currency', 'metadata', PAYMENT_METHOD_TYPES, 'payment_method', 'confirm', 'description'];
  allowOnly(form, ...known, 'customer', 'receipt_email', ...OF_THE_BROWSER);
  const amount = required(amountOf(form, 'amount'), 'amount');
  const currency = required(textOf(form, 'currency'), 'currency').toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) throw badParameter('currency', `Invalid currency: ${currency}`);
  if (amount < SMALLEST_CENTS) {
    throw badParameter('amount', 'Amount must be at least $0.50 usd', 'amount_too_small');
  }
  const intent = newIntent(call, amount, currency, metadataOf(form));
  const customer = textOf(form, 'customer');
  if (customer !== null && store.find('customer', customer) === null)
    throw missing('customer', customer, 'customer', 400);
  const texts = { description: textOf(form, 'description'), receipt_email: textOf(form, 'receipt_email') };
  Object.assign(intent, { customer, ...texts });
  const paymentMethod = textOf(form, 'payment_method');
  if (paymentMethod !== null) {
    outcomeFor(store, paymentMethod);
    ensureCustomers(store, intent, paymentMethod);
    Object.assign(intent, { payment_method: paymentMethod, status: 'requires_confirmation' });
  }
  store.save(intent);
  const isOffSession = textOf(form, 'off_session') === 'true';
  return textOf(form, 'confirm') === 'true' ? charge(call, intent, paymentMethod, isOffSession) : shown(intent);
}

function newIntent(work: Work, amount: number, currency: string, metadata: Record<string, string>): Intent {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: newClientSecret(id),
    confirmation_method: 'automatic',
    created: secondsOf(work),
    currency,
    customer: null,
    description: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata,
    next_action: null,
    payment_method: null,
    payment_method_types: ['card'],
    receipt_email: null,
    status: 'requires_payment_method',
  };
}

/** GET /v1/payment_intents/:id */
export function readIntent(call: Call): Answer {
  allowOnly(call.form, 'client_secret');
  return shown(found(call, call.id));
}

/** POST /v1/payment_intents/:id/confirm */
export function confirmIntent(call: Call): Answer {
  allowOnly(call.form, 'payment_method', PAYMENT_METHOD_TYPES, ...OF_THE_BROWSER);
  const intent = found(call, call.id);
  mustBeOpen(intent, 'confirm');
  const isOffSession = textOf(call.form, 'off_session') === 'true';
  return charge(call, intent, textOf(call.form, 'payment_method') ?? intent.payment_method, isOffSession);
}

/** POST /v1/payment_intents/:id/cancel */
export function cancelIntent(call: Call): Answer {
  allowOnly(call.form, 'cancellation_reason');
  const intent = found(call, call.id);
  mustBeOpen(intent, 'cancel');
  intent.status = 'canceled';
  intent.canceled_at = secondsOf(call);
  intent.cancellation_reason = textOf(call.form, 'cancellation_reason') as Intent['cancellation_reason'];
  call.store.save(intent);
  call.emit('payment_intent.canceled', intent);
  return shown(intent);
}

/** The customer has answered the bank's challenge, correctly or not. */
export function authenticateIntent(work: Work, intentId: string, succeeds: boolean): Intent {
  const intent = found(work, intentId);
  if (intent.status !== 'requires_action' || intent.payment_method === null) {
    throw wrongState(
      'payment_intent_unexpected_state',
      `${intentId} has no pending challenge: it is ${intent.status}.`,
    );
  }
  if (succeeds) take(work, intent, intent.payment_method);
  else refuse(work, intent, intent.payment_method, AUTHENTICATION_FAILED);
  return intent;
}

const AUTHENTICATION_FAILED: CardError = {
  type: 'card_error',
  code: 'payment_intent_authentication_failure',
  message: 'The provided payment method has failed authentication.',
};

function found({ store }: Work, id: string): Intent {
  const intent = store.find<Intent>('payment_intent', id);
  if (intent === null) throw missing('payment_intent', id);
  return intent;
}

function mustBeOpen({ status }: Intent, action: string): void {
  if (OPEN.includes(status)) return;
  const message = `You cannot ${action} this PaymentIntent because it has a status of ${status}.`;
  throw wrongState('payment_intent_unexpected_state', message);
}

function charge(work: Work, intent: Intent, paymentMethod: string | null, isOffSession: boolean): Answer {
  if (paymentMethod === null) throw badParameter('payment_method', 'A payment method is needed.', 'parameter_missing');
  ensureCustomers(work.store, intent, paymentMethod);
  const answered = outcomeFor(work.store, paymentMethod);
  const isAlone = isOffSession && answered.kind === 'needs_action';
  const outcome = isAlone ? ({ kind: 'declined', error: NEEDS_CUSTOMER } as const) : answered;
  if (outcome.kind === 'charged') {
    take(work, intent, paymentMethod);
    return shown(intent);
  }
  if (outcome.kind === 'declined') {
    const error = refuse(work, intent, paymentMethod, outcome.error);
    return { status: 402, body: { error: { ...error, payment_intent: intent } } };
  }
  const next_action = { type: 'use_stripe_sdk' as const };
  Object.assign(intent, { payment_method: paymentMethod, status: 'requires_action', next_action });
  work.store.save(intent);
  return shown(intent);
}

function take(work: Work, intent: Intent, paymentMethod: string): void {
  const { id } = keepCharge(work, intent, paymentMethod, null);
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: id,
    last_payment_error: null,
    next_action: null,
    payment_method: paymentMethod,
  });
  work.store.save(intent);
  work.emit('payment_intent.succeeded', intent);
  if (outcomeFor(work.store, paymentMethod).later === 'disputed') openDispute(work, intent.id, {});
}

function refuse(work: Work, intent: Intent, paymentMethod: string, reason: CardError): CardError {
  const { id } = keepCharge(work, intent, paymentMethod, reason);
  const error = { ...reason, charge: id };
  Object.assign(intent, {
    status: 'requires_payment_method',
    latest_charge: id,
    last_payment_error: error,
    next_action: null,
    payment_method: null,
  });
  work.store.save(intent);
  work.emit('payment_intent.payment_failed', intent);
  return error;
}
