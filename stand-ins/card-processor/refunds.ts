// Refunds: money given back, never more than a charge has left.
import { paidCharge } from './charges.ts';
import { createdWithin } from './created.ts';
import { allowOnly, amountOf, metadataOf, textOf } from './form.ts';
import { newId } from './ids.ts';
import { page } from './lists.ts';
import { type Call, secondsOf, shown } from './operation.ts';
import { badParameter, missing, wrongState } from './problem.ts';
import type { Answer, Charge, Refund } from './wire.ts';

/** POST /v1/refunds */
export function createRefund(call: Call): Answer {
  const { form, store } = call;
  allowOnly(form, 'payment_intent', 'charge', 'amount', 'reason', 'metadata');
  const charge = chargeOf(call);
  const left = charge.amount_captured - charge.amount_refunded;
  if (left === 0) throw wrongState('charge_already_refunded', `Charge ${charge.id} has already been refunded.`);
  const amount = amountOf(form, 'amount') ?? left;
  if (amount < 1) throw badParameter('amount', 'Invalid positive integer', 'parameter_invalid_integer');
  if (amount > left) {
    throw badParameter('amount', `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`);
  }
  const refund: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: secondsOf(call),
    currency: charge.currency,
    metadata: metadataOf(form),
    payment_intent: charge.payment_intent,
    reason: textOf(form, 'reason') as Refund['reason'],
    status: 'succeeded',
  };
  store.save(refund);
  giveBack(call, charge, amount);
  return shown(refund);
}

/** GET /v1/refunds */
export function listRefunds(call: Call): Answer {
  const refunds = call.store.list<Refund>('refund', textOf(call.form, 'payment_intent'));
  const charge = textOf(call.form, 'charge');
  const matching = refunds.filter((refund) => charge === null || refund.charge === charge);
  return page('/v1/refunds', call, createdWithin(call.form, matching), 'payment_intent', 'charge', 'created');
}

/** GET /v1/refunds/:id */
export function readRefund({ store, id }: Call): Answer {
  const refund = store.find<Refund>('refund', id);
  if (refund === null) throw missing('refund', id);
  return shown(refund);
}

function giveBack({ store, emit }: Call, charge: Charge, amount: number): void {
  const previous = { amount_refunded: charge.amount_refunded };
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  store.save(charge);
  emit('charge.refunded', charge, charge.refunded ? { ...previous, refunded: false } : previous);
}

function chargeOf(call: Call): Charge {
  const chargeId = textOf(call.form, 'charge');
  const intentId = textOf(call.form, 'payment_intent');
  if (chargeId === null && intentId === null) {
    throw badParameter('payment_intent', 'One of charge and payment_intent is needed.', 'parameter_missing');
  }
  const charge = chargeId === null ? paidCharge(call, intentId ?? '') : call.store.find<Charge>('charge', chargeId);
  if (charge === null && chargeId === null && call.store.find('payment_intent', intentId ?? '') !== null) {
    throw wrongState('payment_intent_unexpected_state', `${intentId} does not have a successful charge to refund.`);
  }
  if (charge === null) throw missing(chargeId === null ? 'payment_intent' : 'charge', chargeId ?? intentId ?? '');
  return charge;
}
