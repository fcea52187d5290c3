// Autopay: charging bills to a stored card, and the sweep that starts the charges. Decision 0165.
import type { BusinessDate } from '../domain/dates.ts';
import type { PaymentOutcome } from './billing.ts';
import type { Notice } from './notice.ts';

/** A bill charged when due. */
export interface AutopayChargeInput {
  orgId: string;
  invoiceId: string;
}

/** An attempt opened for a charge, or found already open. */
export interface AutopayAttempt extends AutopayChargeInput {
  policyId: string;
  insuredId: string;
  attemptId: string;
  /** The number of the attempt on the invoice, from 1. */
  attempt: number;
  amountCents: number;
}

/**
 * The outcome of a charge. `left`: the processor has not decided yet. `given_up`: before the card was charged, the
 * bill was paid or changed, a person began paying it, or autopay was turned off.
 */
export interface AutopayOutcome {
  outcome: 'paid' | 'failed' | 'left' | 'given_up';
  payment: PaymentOutcome | null;
  /** Amounts applied from the money to other bills, each with its own saga. */
  applications: PaymentOutcome[];
  /** The e-mail that the insured gets about it. */
  notice: Notice | null;
}

/** `isDone`: nothing is left to charge on the bill today. */
export interface AutopayResult {
  isDone: boolean;
}

/** An organization's autopay work for a day, or a page of it. */
export interface AutopayDay {
  date: BusinessDate;
  /** Bills to charge, by their ids. */
  invoiceIds: string[];
  /** E-mails ahead of a charge. */
  notices: (Notice & { policyId: string })[];
  /** The last insured of this page; null if it is the last page. */
  next: string | null;
}

/** A verified event about a card set up for autopay: the card is read from the processor. */
export interface AutopaySetupInput {
  orgId: string;
  setupId: string;
  setupIntentKey: string;
}

export interface AutopaySetupOutcome {
  outcome: 'enabled' | 'known' | 'unmatched' | 'ignored';
}

export interface AutopaySweepInput {
  /** Organizations per page. */
  page?: number;
  /** The organization to continue after; set by continue-as-new only. */
  after?: string;
  /** The last insured handled in the next organization; set by continue-as-new only. */
  afterInsured?: string;
  /** Charges started so far, and organizations that failed; set by continue-as-new only. */
  started?: number;
  failed?: number;
}
