// Charges: the result of one attempt to charge a card.
import { keepMovement } from './balance/balance-transactions.ts';
import { newId } from './ids.ts';
import { testCardOf } from './kept/payment-methods.ts';
import { secondsOf, type Work } from './operation.ts';
import { cardOf } from './test-cards.ts';
import type { CardError, Charge, Intent } from './wire.ts';

const AUTHORIZED: Charge['outcome'] = {
  ...{ network_status: 'approved_by_network', reason: null, risk_level: 'normal', type: 'authorized' },
  seller_message: 'Payment complete.',
};
const REFUSED: Charge['outcome'] = {
  ...{ network_status: 'declined_by_network', reason: null, risk_level: 'normal', type: 'issuer_declined' },
  seller_message: 'The bank did not return any further details with this decline.',
};

/** Stores the charge of an attempt; without an error, the money was taken. */
export function keepCharge(work: Work, intent: Intent, paymentMethod: string, error: CardError | null): Charge {
  const isPaid = error === null;
  const charge: Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: { address: null, email: intent.receipt_email, name: null, phone: null },
    captured: isPaid,
    created: secondsOf(work),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: error?.code ?? null,
    failure_message: error?.message ?? null,
    livemode: false,
    metadata: { ...intent.metadata },
    outcome: isPaid ? AUTHORIZED : { ...REFUSED, reason: error.decline_code ?? error.code },
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: paymentMethod,
    payment_method_details: { card: cardOf(testCardOf(work.store, paymentMethod)), type: 'card' },
    receipt_email: intent.receipt_email,
    refunded: false,
    status: isPaid ? 'succeeded' : 'failed',
  };
  if (isPaid) {
    const { id: source, amount, currency, description } = charge;
    charge.balance_transaction = keepMovement(work, { type: 'charge', amount, currency, source, description });
  }
  work.store.save(charge);
  return charge;
}

/** The intent's successful charge, or null. */
export function paidCharge({ store }: Work, intentId: string): Charge | null {
  return store.list<Charge>('charge', intentId).find(({ paid }) => paid) ?? null;
}
