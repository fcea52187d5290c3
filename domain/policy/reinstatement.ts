// Reversing a cancellation: before its day, from its day without a gap, or later with one. Decides when it is allowed
// and what it moves; reinstatement-billing.ts bills it. Contract 3.2 "reinstate", domain facts 3.2.

import { type InvoiceAmounts, invoiceBalance } from '../billing/invoice.ts';
import { addDays, type BusinessDate, maxDate, minDate } from '../dates.ts';
import { DomainError, validationError } from '../errors.ts';
import { type Cents, sumCents, toDollars } from '../money.ts';
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
import { gapPremium, premiumParts } from './term.ts';

/**
 * `withdrawal`: before the day of a scheduled cancellation, moves no money; its row says so in `changes.withdrawal`.
 */
export type ReinstatementKind = 'withdrawal' | 'without_gap' | 'with_gap';

/** What a reinstatement moves; `gapPremiumCents` is the premium deducted for the days without coverage. */
export interface ReinstatementFigures {
  kind: ReinstatementKind;
  effectiveDate: BusinessDate;
  premiumChangeCents: Cents;
  feeChangeCents: Cents;
  taxChangeCents: Cents;
  totalChangeCents: Cents;
  /** The resulting taxes, and the change in each. */
  taxes: TaxCharge[];
  taxChanges: TaxCharge[];
  gapPremiumCents: Cents;
}

/**
 * Returns the kind of a reinstatement: a pending cancellation is withdrawn before its day; otherwise the date decides,
 * and without one there is no gap.
 * @throws DomainError outside_policy_term with `{earliestDate, latestDate, expirationDate}` before the cancellation,
 * after today, or from the end of the term on; validation_failed on `effectiveDate` for a pending cancellation
 */
export function reinstatementKind(facts: {
  cancellation: Pick<StackedTransaction, 'effectiveDate'>;
  effectiveDate?: BusinessDate;
  term: CoverageTerm;
  status: PolicyStatus;
  today: BusinessDate;
}): ReinstatementKind {
  const { cancellation, effectiveDate = cancellation.effectiveDate, term, status, today } = facts;
  if (status === 'pending_cancellation') {
    if (facts.effectiveDate === undefined) return 'withdrawal';
    throw validationError(
      'effectiveDate',
      'enum',
      'A pending cancellation is withdrawn without a date. Leave effectiveDate out.',
    );
  }
  const { effectiveDate: firstDay } = cancellation;
  const lastDay = minDate(maxDate(today, firstDay), addDays(term.expirationDate, -1));
  if (effectiveDate < firstDay || effectiveDate > lastDay) {
    const message = `Coverage cannot be reinstated as of ${effectiveDate}. Choose a day from ${firstDay} to ${lastDay}.`;
    const details = { earliestDate: firstDay, latestDate: lastDay, expirationDate: term.expirationDate };
    throw new DomainError('outside_policy_term', message, details);
  }
  return effectiveDate === cancellation.effectiveDate ? 'without_gap' : 'with_gap';
}

/** A bill of a lapsed policy. */
export interface EarnedBill extends InvoiceAmounts {
  /** The day on which it first fell due, if a returned payment has moved it to a later one. */
  firstDueDate?: BusinessDate | null;
}

/**
 * Refuses to reinstate a lapsed policy while earned premium is past due. Amounts written off still count as unpaid,
 * and so does what is payable again after a returned payment.
 * @throws DomainError not_ready with `{missing, blockers, pastDue}`, the last in dollars. Contract 3.2
 */
export function ensureEarnedPremiumPaid(bills: readonly EarnedBill[], today: BusinessDate): void {
  const isPastDue = ({ firstDueDate, dueDate }: EarnedBill) => (firstDueDate ?? dueDate) < today;
  const pastDueCents = sumCents(bills.filter(isPastDue).map(invoiceBalance));
  if (pastDueCents === 0) return;
  throw new DomainError(
    'not_ready',
    'The premium earned before the lapse is past due. It must be paid before the policy can be reinstated.',
    {
      missing: [],
      blockers: ['PAST_DUE_PREMIUM'],
      pastDue: toDollars(pastDueCents),
    },
  );
}

/**
 * Computes what a reinstatement moves. Without a gap: exactly the cancellation's amounts with the sign reversed,
 * whatever the method. With a gap: the same less the premium for the days without coverage, and the taxes on the
 * resulting written premium. Contract 3.2.
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
    /** The amounts now, after the cancellation. */
    charged: readonly TaxCharge[];
    feeCents: Cents;
  },
): ReinstatementFigures {
  const { cancellation } = request;
  const { term, status, today, basis, charged } = policy;
  const kind = reinstatementKind({ ...request, term, status, today });
  if (kind === 'withdrawal') return noMoney(cancellation.effectiveDate, charged);
  const effectiveDate = request.effectiveDate ?? cancellation.effectiveDate;
  const returnedCents = 0 - cancellation.premiumChangeCents;
  const gap = { from: cancellation.effectiveDate, to: effectiveDate };
  // Never less than the cancellation kept: short rate or a minimum may exceed pro rata without the gap's days.
  const rows = effectiveTransactions(stack, term, today);
  const coverage = { term, gaps: coverageGaps(stack) };
  const ofGapCents = kind === 'without_gap' ? 0 : gapPremium(premiumParts(rows), gap, coverage);
  const gapPremiumCents = Math.min(ofGapCents, returnedCents);
  const premiumChangeCents = returnedCents - gapPremiumCents;
  const feeChangeCents = 0 - cancellation.feeChangeCents;
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
