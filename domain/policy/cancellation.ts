// Cancelling a policy in mid-term: who may do it as of when, how much premium is returned, and when it takes effect.
// Contract 3.2 "cancel", domain facts 3.2 and 6.1.
import { addDays, type BusinessDate, maxDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { type Cents, percentOf, sumCents } from '../money.ts';
import { earliestCarrierDate } from '../notice/notice.ts';
import { addRatios, divideRatios, multiplyRatios, type Ratio, ratio, roundHalfUp } from '../ratio.ts';
import {
  type CoverageGap,
  type CoverageTerm,
  effectiveTransactions,
  isInEffect,
  type StackedTransaction,
  standingCancellation,
} from './stack.ts';
import { daysLeft, daysOfTerm, type PremiumPart, premiumParts } from './term.ts';

export const CANCELLATION_REASONS = [
  'non_payment',
  'insured_request',
  'underwriting',
  'misrepresentation',
  'fraud',
  'increase_in_hazard',
  'loss_of_reinsurance',
  'rewrite',
  'flat_not_taken',
  'sold_out_of_business',
] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

export const CANCELLATION_SOURCES = ['insured', 'carrier'] as const;
export type CancellationSource = (typeof CANCELLATION_SOURCES)[number];

export const CANCELLATION_METHODS = ['pro_rata', 'short_rate', 'flat'] as const;
export type CancellationMethod = (typeof CANCELLATION_METHODS)[number];

/** How far back an insured may cancel. Contract 3.2. */
const INSURED_BACKDATING_DAYS = 30;

const INSURED_REASONS: readonly CancellationReason[] = [
  'insured_request',
  'flat_not_taken',
  'rewrite',
  'sold_out_of_business',
];
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

/**
 * Returns the premium method when the request does not say: flat as of inception, otherwise by who cancels. Contract
 * 3.2.
 */
function defaultMethod(
  source: CancellationSource,
  effectiveDate: BusinessDate,
  term: CoverageTerm,
): CancellationMethod {
  if (effectiveDate === term.effectiveDate) return 'flat';
  return source === 'carrier' ? 'pro_rata' : 'short_rate';
}

/** Fills in a cancellation request with the defaults. Contract 3.2. */
export function cancellationTerms(
  request: Pick<CancellationTerms, 'effectiveDate' | 'reason'> & Partial<CancellationTerms>,
  term: CoverageTerm,
): CancellationTerms {
  const source = request.source ?? defaultSource(request.reason);
  const method = request.method ?? defaultMethod(source, request.effectiveDate, term);
  return { effectiveDate: request.effectiveDate, reason: request.reason, source, method };
}

/**
 * Refuses a cancellation as of a forbidden day. A flat one needs no notice. Coverage that was reinstated cannot end
 * before its reinstatement.
 * @throws DomainError outside_policy_term with `{effectiveDate, expirationDate}` outside the term, and with
 * `earliestDate` too within or before a gap or when an insured goes back more than 30 days; notice_period_not_met with
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
    throw new DomainError('outside_policy_term', `${day} is outside the policy term.`, {
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
    `With notice given today, coverage can end on ${earliestDate} at the earliest.`,
    {
      earliestDate,
    },
  );
}

/** Whether a cancellation takes effect immediately or is scheduled. One as of inception never waits. Contract 3.2. */
export function takesEffectAtOnce(
  request: Pick<CancellationTerms, 'effectiveDate'>,
  term: CoverageTerm,
  today: BusinessDate,
): boolean {
  return isInEffect(request, term, today);
}

/** The return premium of a cancellation, in positive cents, and each transaction's part of it; the parts sum to it. */
export interface PremiumReturn {
  returnCents: Cents;
  parts: { transactionId: string; returnCents: Cents }[];
}

/**
 * Computes a cancellation's return premium, to the cent. Pro rata: each transaction's remaining days, or all of one
 * that has not begun. Short rate: nine tenths of that, and at least 25 percent of the written premium is earned when
 * the insured cancels. Flat: everything written. The caller handles fee and taxes: kept and recomputed, or with flat
 * returned whole (`taxChange`). Contract 3.2, domain facts 3.2.
 */
export function premiumReturn(
  stack: readonly StackedTransaction[],
  request: Pick<CancellationTerms, 'effectiveDate' | 'source' | 'method'>,
  { term, today }: { term: CoverageTerm; today: BusinessDate },
): PremiumReturn {
  // A scheduled cancellation gives way to this one, even on its own day.
  const scheduled = standingCancellation(stack);
  const rows = effectiveTransactions(stack, term, today).filter((each) => each !== scheduled);
  const writtenCents = sumCents(rows.map((each) => each.premiumChangeCents));
  const parts = premiumParts(rows);
  if (request.method === 'flat') return shareOut(writtenCents, parts, () => ratio(1n));
  const share = (part: PremiumPart) => returnedShare(part, request.effectiveDate, term);
  const exact = addRatios(...parts.map((part) => multiplyRatios(ratio(part.premiumCents), share(part))));
  const proRataCents = roundHalfUp(exact);
  return shareOut(byMethod(proRataCents, writtenCents, request), parts, share);
}

/**
 * The returned share of a part: its days left over the days of the whole term. Contract 3.2 measures every transaction
 * that way, mid-term ones too, where `unearnedShare` would return more. A part that has not begun is returned whole;
 * otherwise a reduction that never took effect would be paid out in part.
 */
function returnedShare(part: PremiumPart, day: BusinessDate, term: CoverageTerm): Ratio {
  return part.effectiveDate > day ? ratio(1n) : ratio(daysLeft(term, day), daysOfTerm(term));
}

function byMethod(
  proRataCents: Cents,
  writtenCents: Cents,
  { source, method }: Pick<CancellationTerms, 'source' | 'method'>,
): Cents {
  const returnCents = method === 'short_rate' ? percentOf(proRataCents, SHORT_RATE) : proRataCents;
  // Measured by the whole term, the remainder of reductions can fall short; never return more than is written.
  const keptCents = source === 'carrier' ? 0 : percentOf(writtenCents, MINIMUM_EARNED);
  return Math.min(returnCents, writtenCents - keptCents);
}

/** In proportion to what each transaction has to return; the last one is the residual. */
function shareOut(
  returnCents: Cents,
  parts: readonly PremiumPart[],
  share: (part: PremiumPart) => Ratio,
): PremiumReturn {
  const weights = new Map<string, Ratio>();
  for (const part of parts) {
    const weight = multiplyRatios(ratio(part.premiumCents), share(part));
    weights.set(part.transactionId, addRatios(weights.get(part.transactionId) ?? ratio(0n), weight));
  }
  const total = addRatios(...weights.values());
  const given = [...weights].map(([transactionId, weight]) => {
    const isNothing = total.n === 0n;
    const cents = isNothing ? 0 : roundHalfUp(multiplyRatios(ratio(returnCents), divideRatios(weight, total)));
    return { transactionId, returnCents: cents };
  });
  const last = given.at(-1);
  if (last) last.returnCents += returnCents - sumCents(given.map((each) => each.returnCents));
  return { returnCents, parts: given };
}
