// Refunds: money returned, never more than what remains of the charge.
import { keepMovement } from './balance/balance-transactions.ts';
import { paidCharge } from './charges.ts';
import { allowOnly, amountOf, metadataOf, textOf } from './form.ts';
import { newId } from './ids.ts';
import { outcomeFor } from './kept/payment-methods.ts';
import { type Call, secondsOf, shown, type Work } from './operation.ts';
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
  const { later } = outcomeFor(store, charge.payment_method);
  const refund: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: secondsOf(call),
    currency: charge.currency,
    metadata: metadataOf(form),
    payment_intent: charge.payment_intent,
    reason: textOf(form, 'reason') as Refund['reason'],
    receipt_number: null,
    status: later === 'refund_pends' ? 'pending' : 'succeeded',
  };
  const movement = { type: 'refund', amount: -amount, currency: refund.currency, source: refund.id } as const;
  refund.balance_transaction = keepMovement(call, movement);
  store.save(refund);
  call.emit('refund.created', refund);
  giveBack(call, charge, amount);
  const answer = shown({ ...refund });
  if (later === 'refund_pends') change(call, refund, { status: 'succeeded' });
  if (later === 'refund_fails') failRefund(call, refund.id);
  return answer;
}

/** The card rejected a refund: the money is back on the balance, and the charge is as if never refunded. */
export function failRefund(work: Work, refundId: string): Refund {
  const refund = work.store.find<Refund>('refund', refundId);
  if (refund === null) throw missing('refund', refundId);
  if (refund.status === 'failed') throw wrongState('refund_failed', `${refundId} has failed already.`);
  const charge = work.store.find<Charge>('charge', refund.charge);
  const { amount, currency } = refund;
  if (charge !== null)
    work.store.save({ ...charge, amount_refunded: charge.amount_refunded - amount, refunded: false });
  const movement = { type: 'refund_failure', amount, currency, source: refundId } as const;
  const failure = { failure_balance_transaction: keepMovement(work, movement), failure_reason: 'lost_or_stolen_card' };
  change(work, refund, { ...failure, status: 'failed' });
  work.emit('refund.failed', refund);
  return refund;
}

function change(work: Work, refund: Refund, changes: Partial<Refund>): void {
  const previous = { status: refund.status };
  Object.assign(refund, changes);
  work.store.save(refund);
  work.emit('refund.updated', refund, previous);
  work.emit('charge.refund.updated', refund, previous);
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
