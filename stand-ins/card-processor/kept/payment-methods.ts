// Cards stored for a customer, and the test card that each behaves like.
import { allowOnly } from '../form.ts';
import { newId } from '../ids.ts';
import { type Call, secondsOf, shown, type Work } from '../operation.ts';
import { missing, Problem, wrongState } from '../problem.ts';
import type { Store } from '../store.ts';
import { type CardOutcome, cardOf, outcomeOf } from '../test-cards.ts';
import type { Answer, Intent, PaymentMethod } from '../wire.ts';

/** Stores a test card for a customer. */
export function keepCard(work: Work, customer: string | null, testCard: string): PaymentMethod {
  const method: PaymentMethod = {
    ...{ id: newId('pm'), object: 'payment_method', type: 'card', livemode: false, metadata: {} },
    ...{ card: cardOf(testCard), created: secondsOf(work), customer, behaves_as: testCard },
  };
  work.store.save(method);
  work.emit('payment_method.attached', method);
  return method;
}

/** From now on a stored card behaves like another test card. */
export function changeBehaviour({ store }: Work, id: string, testCard: string): void {
  outcomeOf(testCard);
  store.save({ ...found(store, id), behaves_as: testCard });
}

/** POST /v1/payment_methods/:id/detach */
export function detachCard(call: Call): Answer {
  allowOnly(call.form);
  const method = found(call.store, call.id);
  if (method.customer === null) throw wrongState('resource_missing', 'The payment method is not attached.');
  method.customer = null;
  call.store.save(method);
  call.emit('payment_method.detached', method);
  return shown(method);
}

/** The test card that a payment method is, or behaves like. */
export function testCardOf(store: Store, paymentMethod: string): string {
  return store.find<PaymentMethod>('payment_method', paymentMethod)?.behaves_as ?? paymentMethod;
}

/** The result of charging a payment method. */
export function outcomeFor(store: Store, paymentMethod: string): CardOutcome {
  return outcomeOf(testCardOf(store, paymentMethod));
}

/** A stored card is only charged for its own customer. */
export function ensureCustomers(store: Store, { customer }: Intent, paymentMethod: string): void {
  const kept = store.find<PaymentMethod>('payment_method', paymentMethod);
  if (kept === null || (kept.customer !== null && kept.customer === customer)) return;
  throw new Problem(400, {
    type: 'invalid_request_error',
    message: `The payment method ${paymentMethod} is not attached to the customer of this PaymentIntent.`,
    param: 'payment_method',
  });
}

function found(store: Store, id: string): PaymentMethod {
  const method = store.find<PaymentMethod>('payment_method', id);
  if (method === null) throw missing('PaymentMethod', id, 'payment_method');
  return method;
}
