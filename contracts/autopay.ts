// Autopay: charges of bills to a stored card, and the sweep that starts them. Decision 0165.
import type { BusinessDate } from '../domain/dates.ts';
import type { PaymentOutcome } from './billing.ts';
import type { Notice } from './notice.ts';

/** A bill that is charged when it is due. */
export interface AutopayChargeInput {
  orgId: string;
  invoiceId: string;
}

/** An attempt that was opened for a charge, or found open. */
export interface AutopayAttempt extends AutopayChargeInput {
  policyId: string;
  insuredId: string;
  attemptId: string;
  /** Counts the attempts on the invoice from 1. */
  attempt: number;
  amountCents: number;
}

/**
 * How a charge has ended. `left`: the processor has not decided yet. `given_up`: before the card was charged, the bill
 * was paid or changed, a person began to pay it, or autopay was switched off.
 */
export interface AutopayOutcome {
  outcome: 'paid' | 'failed' | 'left' | 'given_up';
  payment: PaymentOutcome | null;
  /** Amounts that other bills have taken from the money, each with its own saga. */
  applications: PaymentOutcome[];
  /** The e-mail that the insured gets about it. */
  notice: Notice | null;
}

/** `isDone`: nothing of the bill is left to be charged today. */
export interface AutopayResult {
  isDone: boolean;
}

/** The autopay work of an organization's day, or a page of it. */
export interface AutopayDay {
  date: BusinessDate;
  /** Bills to charge, by their ids. */
  invoiceIds: string[];
  /** E-mails before a charge. */
  notices: (Notice & { policyId: string })[];
  /** The last insured of this page; null when this is the last one. */
  next: string | null;
}

/** A verified event about a card that was given: the card is read from the processor. */
export interface AutopaySetupInput {
  orgId: string;
  setupId: string;
  setupIntentKey: string;
}

export interface AutopaySetupOutcome {
  outcome: 'enabled' | 'known' | 'unmatched' | 'ignored';
}

export interface AutopaySweepInput {
  /** Organizations of a page. */
  page?: number;
  /** The organization after which to go on; set by continue-as-new only. */
  after?: string;
  /** The last insured done of the next organization; set by continue-as-new only. */
  afterInsured?: string;
  /** Charges begun so far, and organizations that failed; set by continue-as-new only. */
  started?: number;
  failed?: number;
}
