// Reversing a cancellation: before its day, from its day without a gap, or later with one. When it is allowed and what
// it moves; reinstatement-billing.ts bills it. Contract 3.2 "reinstate", domain facts 3.2.

import { type InvoiceAmounts, invoiceBalance } from '../billing/invoice.ts';
import type { BusinessDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { type Cents, sumCents, toDollars } from '../money.ts';
import { addRatios, multiplyRatios, ratio, roundHalfUp, subtractRatios } from '../ratio.ts';
import type { TaxCharge } from '../submission/taxes.ts';
import type { PolicyStatus } from './policy.ts';
import {
  type Cancellation,
  type CoverageTerm,
  coverageGaps,
  effectiveTransactions,
  type StackedTransaction,
} from './stack.ts';
import { type TaxBasis, taxChange } from './tax-change.ts';
import { premiumParts, unearnedShare } from './term.ts';

/**
 * `withdrawal`: before the day of a scheduled cancellation, moves no money; its row says so in `changes.withdrawal`.
 */
export type ReinstatementKind = 'withdrawal' | 'without_gap' | 'with_gap';

/** What a reinstatement moves; `gapPremiumCents` is the premium of the days without coverage. */
export interface ReinstatementFigures {
  kind: ReinstatementKind;
  effectiveDate: BusinessDate;
  premiumChangeCents: Cents;
  feeChangeCents: Cents;
  taxChangeCents: Cents;
  totalChangeCents: Cents;
  /** The taxes from then on, and the change in each. */
  taxes: TaxCharge[];
  taxChanges: TaxCharge[];
  gapPremiumCents: Cents;
}

/**
 * Returns the kind of a reinstatement: a pending cancellation is withdrawn before its day; otherwise the date decides,
 * and without one there is no gap.
 * @throws DomainError outside_policy_term with `{earliestDate, expirationDate}` before the cancellation or from the end
 * of the term on
 */
export function reinstatementKind(facts: {
  cancellation: Pick<StackedTransaction, 'effectiveDate'>;
  effectiveDate?: BusinessDate;
  term: CoverageTerm;
  status: PolicyStatus;
}): ReinstatementKind {
  const { cancellation, effectiveDate = cancellation.effectiveDate, term, status } = facts;
  if (status === 'pending_cancellation') return 'withdrawal';
  if (effectiveDate < cancellation.effectiveDate || effectiveDate >= term.expirationDate) {
    throw new DomainError('outside_policy_term', `Coverage cannot be reinstated as of ${effectiveDate}.`, {
      earliestDate: cancellation.effectiveDate,
      expirationDate: term.expirationDate,
    });
  }
  return effectiveDate === cancellation.effectiveDate ? 'without_gap' : 'with_gap';
}

/**
 * Refuses to reinstate a lapsed policy while earned premium is past due.
 * @throws DomainError not_ready with `{missing, blockers, pastDue}`, the last in dollars. Contract 3.2
 */
export function ensureEarnedPremiumPaid(invoices: readonly InvoiceAmounts[], today: BusinessDate): void {
  const pastDueCents = sumCents(invoices.filter(({ dueDate }) => dueDate < today).map(invoiceBalance));
  if (pastDueCents === 0) return;
  throw new DomainError('not_ready', 'Premium earned before the lapse is past due and must be paid first.', {
    missing: [],
    blockers: ['PAST_DUE_PREMIUM'],
    pastDue: toDollars(pastDueCents),
  });
}

/**
 * Computes what a reinstatement moves. Without a gap exactly the cancellation's amounts with the sign reversed,
 * whatever the method; with one the same less the premium for the days without coverage, and the taxes on the resulting
 * written premium. Contract 3.2.
 * @throws DomainError outside_policy_term
 */
export function reinstatementFigures(
  stack: readonly StackedTransaction[],
  request: { cancellation: Cancellation; effectiveDate?: BusinessDate },
  policy: {
    term: CoverageTerm;
    status: PolicyStatus;
    today: BusinessDate;
    basis: TaxBasis;
    /** What stands now, after the cancellation. */
    charged: readonly TaxCharge[];
    feeCents: Cents;
  },
): ReinstatementFigures {
  const { cancellation } = request;
  const { term, status, today, basis, charged } = policy;
  const kind = reinstatementKind({ ...request, term, status });
  if (kind === 'withdrawal') return noMoney(cancellation.effectiveDate, charged);
  const effectiveDate = request.effectiveDate ?? cancellation.effectiveDate;
  const gapPremiumCents =
    kind === 'without_gap' ? 0 : gapPremium(stack, { from: cancellation.effectiveDate, to: effectiveDate }, policy);
  const premiumChangeCents = 0 - cancellation.premiumChangeCents - gapPremiumCents;
  const feeChangeCents = 0 - cancellation.feeChangeCents;
  const rows = effectiveTransactions(stack, term, today);
  const writtenPremiumCents = sumCents(rows.map((each) => each.premiumChangeCents)) + premiumChangeCents;
  const keptFeeCents = policy.feeCents + feeChangeCents;
  const { taxes, changes, taxChangeCents } = taxChange(basis, { charged, writtenPremiumCents, keptFeeCents });
  return {
    kind,
    effectiveDate,
    premiumChangeCents,
    feeChangeCents,
    taxChangeCents,
    totalChangeCents: sumCents([premiumChangeCents, feeChangeCents, taxChangeCents]),
    taxes,
    taxChanges: changes,
    gapPremiumCents,
  };
}

/**
 * Returns the premium of a gap's days, to the cent: the share of each part's days that lie in the gap. Domain facts
 * 3.2.
 */
function gapPremium(
  stack: readonly StackedTransaction[],
  gap: { from: BusinessDate; to: BusinessDate },
  { term, today }: { term: CoverageTerm; today: BusinessDate },
): Cents {
  const coverage = { term, gaps: coverageGaps(stack) };
  const costs = premiumParts(effectiveTransactions(stack, term, today)).map((part) =>
    multiplyRatios(
      ratio(part.premiumCents),
      subtractRatios(unearnedShare(part, gap.from, coverage), unearnedShare(part, gap.to, coverage)),
    ),
  );
  return roundHalfUp(addRatios(...costs));
}

function noMoney(effectiveDate: BusinessDate, charged: readonly TaxCharge[]): ReinstatementFigures {
  return {
    kind: 'withdrawal',
    effectiveDate,
    premiumChangeCents: 0,
    feeChangeCents: 0,
    taxChangeCents: 0,
    totalChangeCents: 0,
    taxes: [...charged],
    taxChanges: [],
    gapPremiumCents: 0,
  };
}
