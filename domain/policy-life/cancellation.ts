// Ending a policy before its term is over: who may do it as of when, what premium is returned, and when it takes effect. Contract 3.2
// "cancel", domain facts 3.2 and 6.1.
import { addDays, type BusinessDate, maxDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { type Cents, percentOf, sumCents } from '../money.ts';
import { addRatios, divideRatios, multiplyRatios, type Ratio, ratio, roundHalfUp } from '../ratio.ts';
import { earliestCarrierDate } from './notice.ts';
import {
  type CoverGap,
  type CoverTerm,
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

/** How far back an insured may ask to be cancelled. Contract 3.2. */
export const INSURED_BACKDATING_DAYS = 30;

const INSURED_REASONS: readonly CancellationReason[] = [
  'insured_request',
  'flat_not_taken',
  'rewrite',
  'sold_out_of_business',
];
const SHORT_RATE = ratio('0.9');
const MINIMUM_EARNED = ratio('0.25');

/** A cancellation with nothing left open. */
export interface CancellationTerms {
  effectiveDate: BusinessDate;
  reason: CancellationReason;
  source: CancellationSource;
  method: CancellationMethod;
}

/** Gives who cancels, for a reason, where the request does not say. Contract 3.2. */
export function defaultSource(reason: CancellationReason): CancellationSource {
  return INSURED_REASONS.includes(reason) ? 'insured' : 'carrier';
}

/** Gives how premium is returned where the request does not say: flat as of inception, else by who cancels. Contract 3.2. */
export function defaultMethod(
  source: CancellationSource,
  effectiveDate: BusinessDate,
  term: CoverTerm,
): CancellationMethod {
  if (effectiveDate === term.effectiveDate) return 'flat';
  return source === 'carrier' ? 'pro_rata' : 'short_rate';
}

/** Completes a request for cancellation with the defaults. Contract 3.2. */
export function cancellationTerms(
  request: Pick<CancellationTerms, 'effectiveDate' | 'reason'> & Partial<CancellationTerms>,
  term: CoverTerm,
): CancellationTerms {
  const source = request.source ?? defaultSource(request.reason);
  const method = request.method ?? defaultMethod(source, request.effectiveDate, term);
  return { effectiveDate: request.effectiveDate, reason: request.reason, source, method };
}

/**
 * Refuses a cancellation as of a day on which it may not be. A flat one needs no notice. Cover that ended and began again later cannot end
 * before it began again.
 * @throws DomainError outside_policy_term with `{effectiveDate, expirationDate}` outside the term, and with `earliestDate` too within or
 * before a gap or when an insured goes back more than 30 days; notice_period_not_met with `{earliestDate}` when the carrier's notice is too short. Contract 3.2
 */
export function ensureCancellable(
  request: CancellationTerms,
  policy: {
    term: CoverTerm;
    gaps?: readonly CoverGap[];
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

/** Tells whether a cancellation takes effect at once, or is scheduled for its day. One as of inception never waits. Contract 3.2. */
export function takesEffectAtOnce(
  request: Pick<CancellationTerms, 'effectiveDate'>,
  term: CoverTerm,
  today: BusinessDate,
): boolean {
  return isInEffect(request, term, today);
}

/** The premium that a cancellation gives back, in positive cents, and what of it each transaction gave; they sum to it. */
export interface PremiumReturn {
  returnCents: Cents;
  parts: { transactionId: string; returnCents: Cents }[];
}

/**
 * Works out the premium that a cancellation returns. Pro rata: of each transaction the days left, of one that has not begun all, to the cent; short rate: nine tenths
 * of that; when the insured cancels at least 25 percent of the written premium is earned. Flat returns everything written. Fee and taxes
 * are for the caller: kept and recomputed, or with flat returned whole (`taxChange`). Contract 3.2, domain facts 3.2.
 */
export function premiumReturn(
  stack: readonly StackedTransaction[],
  request: Pick<CancellationTerms, 'effectiveDate' | 'source' | 'method'>,
  { term, today }: { term: CoverTerm; today: BusinessDate },
): PremiumReturn {
  // A cancellation that is still scheduled gives way to this one, also on its own day.
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
 * The share of a part that is returned: the days left, measured by the days of the whole term. Contract 3.2 measures every transaction so,
 * one that began in mid-term too, of which `unearnedShare` would return more. What has not begun yet is returned whole: a part of a
 * reduction that never came would otherwise be paid out.
 */
function returnedShare(part: PremiumPart, day: BusinessDate, term: CoverTerm): Ratio {
  return part.effectiveDate > day ? ratio(1n) : ratio(daysLeft(term, day), daysOfTerm(term));
}

function byMethod(
  proRataCents: Cents,
  writtenCents: Cents,
  { source, method }: Pick<CancellationTerms, 'source' | 'method'>,
): Cents {
  const returnCents = method === 'short_rate' ? percentOf(proRataCents, SHORT_RATE) : proRataCents;
  // Measured by the whole term, what is left of reductions can fall short; more than is written never goes back.
  const keptCents = source === 'carrier' ? 0 : percentOf(writtenCents, MINIMUM_EARNED);
  return Math.min(returnCents, writtenCents - keptCents);
}

/** In proportion to what each transaction has to give; the last one is the residual. */
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
