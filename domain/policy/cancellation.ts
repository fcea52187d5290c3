// Cancelling a policy mid-term: who may cancel as of when, how much premium is returned, and when it takes effect.
// Contract 3.2 "cancel", domain facts 3.2 and 6.1.
import { type InvoiceAmounts, invoiceBalance } from '../billing/invoice.ts';
import { addDays, type BusinessDate, maxDate } from '../dates.ts';
import { DomainError, validationError } from '../errors.ts';
import { type Cents, percentOf, sumCents } from '../money.ts';
import { earliestCarrierDate } from '../notice/notice.ts';
import { ratio } from '../ratio.ts';
import type { CancellationMethod, CancellationReason, CancellationSource } from './cancellation-words.ts';
import {
  type CoverageGap,
  type CoverageTerm,
  coverageGaps,
  effectiveTransactions,
  isInEffect,
  type StackedTransaction,
  standingCancellation,
} from './stack.ts';
import { premiumParts, unearnedPremium } from './term.ts';

/** How far back an insured may cancel. Contract 3.2. */
const INSURED_BACKDATING_DAYS = 30;

const INSURED_REASONS: readonly CancellationReason[] = [
  'insured_request',
  'flat_not_taken',
  'rewrite',
  'sold_out_of_business',
];
/** Reasons for which the carrier may rescind coverage that has begun. Contract 3.2. */
const RESCISSION_REASONS: readonly CancellationReason[] = ['flat_not_taken', 'misrepresentation', 'fraud'];
const SHORT_RATE = ratio('0.9');
const MINIMUM_EARNED = ratio('0.25');

/** A cancellation with all defaults filled in. */
export interface CancellationTerms {
  effectiveDate: BusinessDate;
  reason: CancellationReason;
  source: CancellationSource;
  method: CancellationMethod;
}

/** Returns who cancels, by reason, when the request does not say. Contract 3.2. */
export function defaultSource(reason: CancellationReason): CancellationSource {
  return INSURED_REASONS.includes(reason) ? 'insured' : 'carrier';
}

function defaultMethod(source: CancellationSource): CancellationMethod {
  return source === 'carrier' ? 'pro_rata' : 'short_rate';
}

/**
 * Fills in a cancellation request with the defaults.
 * @throws DomainError validation_failed on `method` for a flat cancellation as of any day but inception, and for one
 * by the carrier once coverage has begun, unless it rescinds the policy. Contract 3.2
 */
export function cancellationTerms(
  request: Pick<CancellationTerms, 'effectiveDate' | 'reason'> & Partial<CancellationTerms>,
  term: CoverageTerm,
  today: BusinessDate,
): CancellationTerms {
  const { effectiveDate, reason } = request;
  const source = request.source ?? defaultSource(reason);
  const mayBeFlat =
    effectiveDate === term.effectiveDate &&
    (source === 'insured' || today < term.effectiveDate || RESCISSION_REASONS.includes(reason));
  const method = request.method ?? (mayBeFlat ? 'flat' : defaultMethod(source));
  if (method === 'flat' && !mayBeFlat) {
    const why =
      'A flat cancellation takes effect at inception. Once coverage has begun, the carrier may cancel flat only to rescind the policy.';
    throw validationError('method', 'enum', why);
  }
  return { effectiveDate, reason, source, method };
}

/**
 * Refuses a cancellation date that is not allowed. A flat one needs no notice. Coverage that was reinstated cannot end
 * before its reinstatement.
 * @throws DomainError outside_policy_term with `{effectiveDate, expirationDate}` outside the term, also with
 * `earliestDate` within or before a gap, or when an insured backdates by more than 30 days; notice_period_not_met with
 * `{earliestDate}` when the carrier's notice is too short. Contract 3.2
 */
export function ensureCancellable(
  request: CancellationTerms,
  policy: {
    term: CoverageTerm;
    gaps?: readonly CoverageGap[];
    state: string;
    inForceSince: BusinessDate;
    today: BusinessDate;
  },
): void {
  const { effectiveDate: day, source, method, reason } = request;
  const { term, gaps = [], state, inForceSince, today } = policy;
  const { effectiveDate, expirationDate } = term;
  if (day < effectiveDate || day >= expirationDate) {
    throw new DomainError('outside_policy_term', `effectiveDate ${day} is outside the policy term.`, {
      effectiveDate,
      expirationDate,
    });
  }
  const backTo = source === 'insured' ? addDays(today, -INSURED_BACKDATING_DAYS) : effectiveDate;
  const firstDay = maxDate(backTo, ...gaps.map(({ to }) => to));
  if (day < firstDay) {
    throw new DomainError('outside_policy_term', `Coverage cannot be cancelled before ${firstDay}.`, {
      effectiveDate,
      expirationDate,
      earliestDate: firstDay,
    });
  }
  if (source === 'insured' || method === 'flat') return;
  const earliestDate = earliestCarrierDate({ state, reason, inForceSince, today });
  if (day >= earliestDate) return;
  throw new DomainError(
    'notice_period_not_met',
    `With notice given today, the earliest date on which coverage can end is ${earliestDate}.`,
    {
      earliestDate,
    },
  );
}

/** Returns what is past due on a policy's invoices on a day; amounts written off do not count. */
export function pastDueOn(invoices: readonly InvoiceAmounts[], day: BusinessDate): Cents {
  return sumCents(invoices.filter((each) => !each.uncollectible && each.dueDate < day).map(invoiceBalance));
}

/**
 * Refuses a cancellation for non-payment when nothing is past due.
 * @throws DomainError not_ready with `{missing, blockers}`. Contract 3.2
 */
export function ensurePastDue(pastDueCents: Cents): void {
  if (pastDueCents > 0) return;
  throw new DomainError('not_ready', 'Nothing is past due on the policy.', {
    missing: [],
    blockers: ['NOTHING_PAST_DUE'],
  });
}

/** Whether a cancellation takes effect immediately or is scheduled. One as of inception never waits. Contract 3.2. */
export function takesEffectAtOnce(
  request: Pick<CancellationTerms, 'effectiveDate'>,
  term: CoverageTerm,
  today: BusinessDate,
): boolean {
  return isInEffect(request, term, today);
}

/**
 * Returns a cancellation's return premium in positive cents. Pro rata: the unearned premium. Short rate: 90 percent of
 * it, and at least 25 percent of the written premium is earned when the insured cancels. Flat: all written premium.
 * The caller handles the fee (kept) and taxes (recomputed), both returned in full on a flat cancellation
 * (`taxChange`). Contract 3.2, domain facts 3.2.
 */
export function premiumReturn(
  stack: readonly StackedTransaction[],
  { effectiveDate, source, method }: Pick<CancellationTerms, 'effectiveDate' | 'source' | 'method'>,
  { term, today }: { term: CoverageTerm; today: BusinessDate },
): Cents {
  // A scheduled cancellation gives way to this one, even on its own day.
  const scheduled = standingCancellation(stack);
  const rows = effectiveTransactions(stack, term, today).filter((each) => each !== scheduled);
  const writtenCents = sumCents(rows.map((each) => each.premiumChangeCents));
  if (method === 'flat') return writtenCents;
  const unearnedCents = unearnedPremium(premiumParts(rows), effectiveDate, { term, gaps: coverageGaps(stack) });
  const returnCents = method === 'short_rate' ? percentOf(unearnedCents, SHORT_RATE) : unearnedCents;
  const keptCents = source === 'carrier' ? 0 : percentOf(writtenCents, MINIMUM_EARNED);
  // Where reductions offset increases, rounding across many parts may overshoot either end by a cent.
  return Math.max(Math.min(returnCents, writtenCents - keptCents), 0);
}
