// Charges: the result of one attempt to charge a card.
import { createdWithin } from './created.ts';
import { textOf } from './form.ts';
import { newId } from './ids.ts';
import { page } from './lists.ts';
import { type Call, secondsOf, shown, type Work } from './operation.ts';
import { missing } from './problem.ts';
import type { Answer, CardError, Charge, Intent } from './wire.ts';

/** Keeps the charge of an attempt; without an error the money was taken. */
export function keepCharge(work: Work, intent: Intent, paymentMethod: string, error: CardError | null): Charge {
  const isPaid = error === null;
  const charge: Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    captured: isPaid,
    created: secondsOf(work),
    currency: intent.currency,
    disputed: false,
    failure_code: error?.code ?? null,
    failure_message: error?.message ?? null,
    livemode: false,
    metadata: { ...intent.metadata },
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: paymentMethod,
    refunded: false,
    status: isPaid ? 'succeeded' : 'failed',
  };
  work.store.save(charge);
  return charge;
}

/** The charge of an intent that took the money, or null. */
export function paidCharge({ store }: Work, intentId: string): Charge | null {
  return store.list<Charge>('charge', intentId).find(({ paid }) => paid) ?? null;
}

/** GET /v1/charges/:id */
export function readCharge({ store, id }: Call): Answer {
  const charge = store.find<Charge>('charge', id);
  if (charge === null) throw missing('charge', id);
  return shown(charge);
}

/** GET /v1/charges */
export function listCharges(call: Call): Answer {
  const charges = call.store.list<Charge>('charge', textOf(call.form, 'payment_intent'));
  return page('/v1/charges', call, createdWithin(call.form, charges), 'payment_intent', 'created');
}
