// The test payment methods, under the processor's own names, and the result of each.
import { missing } from './problem.ts';
import type { CardDetails, CardError } from './wire.ts';

/** What happens by itself after a card was charged. */
type Later = 'refund_fails' | 'refund_pends' | 'disputed';

export type CardOutcome = { later?: Later } & (
  | { kind: 'charged' }
  | { kind: 'needs_action' }
  | { kind: 'declined'; error: CardError; isKept?: boolean }
);

const declined = (code: string, message: string, declineCode?: string): CardOutcome => ({
  kind: 'declined',
  error: { type: 'card_error', code, message, ...(declineCode === undefined ? {} : { decline_code: declineCode }) },
});

const bankDeclined = (declineCode: string, message = 'Your card was declined.') =>
  declined('card_declined', message, declineCode);

/** By the suffix of their names, `pm_card_chargeDeclined…` and `pm_card_visa_chargeDeclined…`. */
const DECLINES: Readonly<Record<string, CardOutcome>> = {
  '': bankDeclined('generic_decline'),
  InsufficientFunds: bankDeclined('insufficient_funds', 'Your card has insufficient funds.'),
  LostCard: bankDeclined('lost_card'),
  StolenCard: bankDeclined('stolen_card'),
  Fraudulent: bankDeclined('fraudulent'),
  VelocityLimitExceeded: bankDeclined(
    'card_velocity_exceeded',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ),
  ExpiredCard: declined('expired_card', 'Your card has expired.'),
  IncorrectCvc: declined('incorrect_cvc', "Your card's security code is incorrect."),
  ProcessingError: declined(
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
  ),
};

const CHARGED = [
  'visa',
  'visa_debit',
  'mastercard',
  'mastercard_debit',
  'amex',
  'discover',
  'diners',
  'jcb',
  'unionpay',
];
const CHALLENGED = ['authenticationRequired', 'threeDSecure2Required', 'threeDSecureRequired'];
const LATER: Readonly<Record<string, Later>> = {
  refundFail: 'refund_fails',
  pendingRefund: 'refund_pends',
  createDispute: 'disputed',
  createDisputeProductNotReceived: 'disputed',
};

const CARDS: ReadonlyMap<string, CardOutcome> = new Map<string, CardOutcome>([
  ...CHARGED.map((name) => [`pm_card_${name}`, { kind: 'charged' }] as const),
  ...CHALLENGED.map((name) => [`pm_card_${name}`, { kind: 'needs_action' }] as const),
  ...Object.entries(LATER).map(([name, later]) => [`pm_card_${name}`, { kind: 'charged', later }] as const),
  ...Object.entries(DECLINES).flatMap(([name, outcome]) =>
    ['', 'visa_'].map((brand) => [`pm_card_${brand}chargeDeclined${name}`, outcome] as const),
  ),
  // It can be stored, but is declined whenever it is charged.
  ['pm_card_chargeCustomerFail', { ...bankDeclined('generic_decline'), isKept: true } as CardOutcome],
]);

/** The bank's error if no one is there to answer its challenge. */
export const NEEDS_CUSTOMER: CardError = {
  ...{ type: 'card_error', code: 'authentication_required', decline_code: 'authentication_required' },
  message: 'Your card was declined. This transaction requires authentication.',
};

/** The result of charging a payment method; an unlisted one is refused. */
export function outcomeOf(paymentMethod: string): CardOutcome {
  const outcome = CARDS.get(paymentMethod);
  if (outcome === undefined) throw missing('PaymentMethod', paymentMethod, 'payment_method', 400);
  return outcome;
}

const LAST4: Readonly<Record<string, string>> = {
  ...{
    visa: '4242',
    mastercard: '4444',
    amex: '8431',
    discover: '1117',
    diners: '0505',
    jcb: '0505',
    unionpay: '0005',
  },
};

/** The card details shown on a charge. */
export function cardOf(paymentMethod: string): CardDetails {
  const named = paymentMethod.split('_')[2] ?? '';
  const brand = named in LAST4 ? named : 'visa';
  const last4 = LAST4[brand] ?? '4242';
  return { brand, country: 'US', exp_month: 12, exp_year: 2034, funding: 'credit', last4 };
}
