// The loss fund of a carrier: its money that we hold to pay claims with, and what of it we have requested. Accounts
// 1020, 1200 and 2080, domain facts 4.2.
import { type Posting, posting } from '../billing/ledger/posting.ts';
import type { Cents } from '../money.ts';

/** A carrier's fund, in cents: what is there, and what the carrier owes it. */
export interface LossFund {
  balanceCents: Cents;
  requestedCents: Cents;
}

/** What a payment lacks in a fund; 0 where it can be paid. */
export function shortfall({ balanceCents }: LossFund, cents: Cents): Cents {
  return Math.max(0, cents - balanceCents);
}

/** What is still to be requested of the carrier so that the fund can pay all that waits; 0 where it can. */
export function missingRequest(fund: LossFund, waitingCents: Cents): Cents {
  return Math.max(0, owedRequest(fund, waitingCents) - fund.requestedCents);
}

/** The surplus of the request: the fund and the rest of the request cover all waiting payments. */
export function needlessRequest(fund: LossFund, waitingCents: Cents): Cents {
  return Math.max(0, fund.requestedCents - owedRequest(fund, waitingCents));
}

/** The total to request from the carrier: the waiting payments, less the fund. */
function owedRequest({ balanceCents }: LossFund, waitingCents: Cents): Cents {
  return Math.max(0, waitingCents - balanceCents);
}

/** A carrier's deposit settles what was requested of it first. */
export function depositEntry({ requestedCents }: LossFund, cents: Cents): Posting | null {
  const settledCents = Math.min(requestedCents, cents);
  const credits = [[1200, settledCents] as const, [2080, cents - settledCents] as const];
  return posting('fiduciary', 'loss_fund_deposit', { debits: [[1020, cents]], credits });
}

/** What a fund lacks is requested of its carrier. */
export function requestEntry(cents: Cents): Posting | null {
  return posting('fiduciary', 'loss_fund_request', { debits: [[1200, cents]], credits: [[2080, cents]] });
}

/** A request that nobody needs any more is taken back. */
export function withdrawalEntry(cents: Cents): Posting | null {
  return posting('fiduciary', 'loss_fund_withdrawal', { debits: [[2080, cents]], credits: [[1200, cents]] });
}

/** A claim is paid from the fund. */
export function claimPaymentEntry(cents: Cents): Posting | null {
  return posting('fiduciary', 'claim_payment', { debits: [[2080, cents]], credits: [[1020, cents]] });
}

/** Salvage or subrogation comes back into the fund. */
export function recoveryEntry(cents: Cents): Posting | null {
  return posting('fiduciary', 'claim_recovery', { debits: [[1020, cents]], credits: [[2080, cents]] });
}
