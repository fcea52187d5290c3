// Autopay: bills are charged to a card that the insured lets us keep on file at the processor. The charge dates, the
// declines that end autopay, and the terms that the insured agrees to. Decision 0165.
import { addDays, type BusinessDate } from '../dates.ts';
import type { Cents } from '../money.ts';

export const AUTOPAY_STATUSES = ['off', 'pending', 'active', 'suspended'] as const;
export type AutopayStatus = (typeof AUTOPAY_STATUSES)[number];

/** Why autopay was suspended. */
export const SUSPENSION_REASONS = ['card_declined', 'authentication_required', 'card_unusable'] as const;
export type SuspensionReason = (typeof SUSPENSION_REASONS)[number];

/** The visible part of a stored card. */
export interface KeptCard {
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}

/** Days after a bill's first charge on which a failed charge is retried. */
export const RETRY_AFTER_DAYS = [3, 7] as const;
/** The same, in days after the previous charge: after a late retry, the next one must not follow too soon. */
const RETRY_GAPS = RETRY_AFTER_DAYS.map((days, index) => days - (RETRY_AFTER_DAYS[index - 1] ?? 0));
/** How many days before the due date the insured gets an e-mail about the charge. */
export const CHARGE_NOTICE_DAYS = 3;
/** The smallest amount that the processor takes. */
export const SMALLEST_CHARGE_CENTS: Cents = 50;

/** The wording that the insured agrees to. Any change of wording is a new version. */
export const AUTOPAY_TERMS = {
  version: '2026-11',
  text: [
    'I authorize automatic charges to my card for the bills of all my policies, including renewals and changes,',
    'each for the balance of the bill on its due date. I get an e-mail 3 days before a charge. A charge that fails is',
    'tried again 3 and 7 days later. I can switch autopay off at any time before a bill is charged.',
  ].join(' '),
} as const;

/** The facts that determine when a bill is charged. */
export interface ChargeFacts {
  dueDate: BusinessDate;
  /** The day on which the current card was last declined for it; null before that. */
  lastTriedOn: BusinessDate | null;
  /** How often the current card was declined for it. */
  failures: number;
}

/** The day on which a bill is charged next, possibly in the past; null if it is not charged again. */
export function nextChargeOn({ dueDate, lastTriedOn, failures }: ChargeFacts): BusinessDate | null {
  if (lastTriedOn === null) return dueDate;
  const days = RETRY_GAPS[failures - 1];
  return days === undefined ? null : addDays(lastTriedOn, days);
}

/** Decline codes of the processor after which the same card cannot succeed. */
const UNUSABLE = [
  ...['expired_card', 'lost_card', 'stolen_card', 'pickup_card', 'fraudulent', 'restricted_card', 'invalid_account'],
  ...['card_not_supported', 'resource_missing', 'payment_method_unavailable', 'revocation_of_authorization'],
];

/**
 * Why a decline suspends autopay; null if the bill is charged again later. `failures` includes this one. A bank that
 * requires the cardholder's confirmation declines every further attempt too.
 */
export function suspensionAfter(code: string | null, failures: number): SuspensionReason | null {
  if (code === 'authentication_required') return 'authentication_required';
  if (code !== null && UNUSABLE.includes(code)) return 'card_unusable';
  return failures > RETRY_AFTER_DAYS.length ? 'card_declined' : null;
}
