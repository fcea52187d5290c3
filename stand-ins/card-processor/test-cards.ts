// The test payment methods, by the processor's own names, and the result of each.
import { missing } from './problem.ts';
import type { CardError } from './wire.ts';

export type CardOutcome = { kind: 'charged' } | { kind: 'needs_action' } | { kind: 'declined'; error: CardError };

const declined = (code: string, message: string, declineCode?: string): CardOutcome => ({
  kind: 'declined',
  error: { type: 'card_error', code, message, ...(declineCode === undefined ? {} : { decline_code: declineCode }) },
});

const GENERIC = declined('card_declined', 'Your card was declined.', 'generic_decline');
const NO_FUNDS = declined('card_declined', 'Your card has insufficient funds.', 'insufficient_funds');

const CARDS: Readonly<Record<string, CardOutcome>> = {
  pm_card_visa: { kind: 'charged' },
  pm_card_mastercard: { kind: 'charged' },
  pm_card_amex: { kind: 'charged' },
  pm_card_authenticationRequired: { kind: 'needs_action' },
  pm_card_chargeDeclined: GENERIC,
  pm_card_visa_chargeDeclined: GENERIC,
  pm_card_chargeDeclinedInsufficientFunds: NO_FUNDS,
  pm_card_visa_chargeDeclinedInsufficientFunds: NO_FUNDS,
  pm_card_chargeDeclinedExpiredCard: declined('expired_card', 'Your card has expired.'),
  pm_card_chargeDeclinedIncorrectCvc: declined('incorrect_cvc', "Your card's security code is incorrect."),
};

/** The result of charging a payment method; an unlisted one is refused. */
export function outcomeOf(paymentMethod: string): CardOutcome {
  const outcome = Object.hasOwn(CARDS, paymentMethod) ? CARDS[paymentMethod] : undefined;
  if (outcome === undefined) throw missing('PaymentMethod', paymentMethod, 'payment_method', 400);
  return outcome;
}
