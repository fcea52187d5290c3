// A carrier's loss fund: its money that we hold for paying claims, and how much we have requested. Accounts 1020, 1200
// and 2080, domain facts 4.2.
import { type Posting, posting } from '../billing/ledger/posting.ts';
import type { Cents } from '../money.ts';

/** A carrier's fund, in cents: its balance, and what the carrier owes it. */
export interface LossFund {
  balanceCents: Cents;
  requestedCents: Cents;
}

/** How much the fund is short for a payment; 0 if it can be paid. */
export function shortfall({ balanceCents }: LossFund, cents: Cents): Cents {
  return Math.max(0, cents - balanceCents);
}

/** How much more to request from the carrier so that the fund can pay all waiting payments; 0 if it can already. */
export function missingRequest(fund: LossFund, waitingCents: Cents): Cents {
  return Math.max(0, owedRequest(fund, waitingCents) - fund.requestedCents);
}

/** The excess of the request: without it, fund and request still cover all waiting payments. */
export function needlessRequest(fund: LossFund, waitingCents: Cents): Cents {
  return Math.max(0, fund.requestedCents - owedRequest(fund, waitingCents));
}

/** The total to request from the carrier: the waiting payments, less the fund. */
function owedRequest({ balanceCents }: LossFund, waitingCents: Cents): Cents {
  return Math.max(0, waitingCents - balanceCents);
}

/** A carrier's deposit first settles what was requested. */
export function depositEntry({ requestedCents }: LossFund, cents: Cents): Posting | null {
  const settledCents = Math.min(requestedCents, cents);
  const credits = [[1200, settledCents] as const, [2080, cents - settledCents] as const];
  return posting('fiduciary', 'loss_fund_deposit', { debits: [[1020, cents]], credits });
}

/** Requests a fund's shortfall from its carrier. */
export function requestEntry(cents: Cents): Posting | null {
  return posting('fiduciary', 'loss_fund_request', { debits: [[1200, cents]], credits: [[2080, cents]] });
}

/** Withdraws a request that is no longer needed. */
export function withdrawalEntry(cents: Cents): Posting | null {
  return posting('fiduciary', 'loss_fund_withdrawal', { debits: [[2080, cents]], credits: [[1200, cents]] });
}

/** Pays a claim from the fund. */
export function claimPaymentEntry(cents: Cents): Posting | null {
  return posting('fiduciary', 'claim_payment', { debits: [[2080, cents]], credits: [[1020, cents]] });
}

/** Salvage or subrogation comes back into the fund. */
export function recoveryEntry(cents: Cents): Posting | null {
  return posting('fiduciary', 'claim_recovery', { debits: [[1020, cents]], credits: [[2080, cents]] });
}
