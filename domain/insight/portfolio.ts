// The figures of a portfolio over a period, by issue date, and their ratios. Contract 3.7 "Analytics", domain facts
// 3.3.
import { addDays, type BusinessDate, firstDayOf, lastDayOf, maxDate, minDate, monthAfter, monthOf } from '../dates.ts';
import { type Cents, sumCents } from '../money.ts';
import {
  type CoverageTerm,
  coverageGaps,
  effectiveTransactions,
  type StackedTransaction,
  standingCancellation,
} from '../policy/stack.ts';
import { coveredDaysLeft, daysOfTerm, earnedPremium, premiumParts } from '../policy/term.ts';
import { multiplyRatios, ratio, ratioToNumber, roundHalfUp } from '../ratio.ts';

/** A range of days, both ends included. */
export interface Period {
  label: string;
  first: BusinessDate;
  last: BusinessDate;
}

/** The premium figures of a set of policies: counts, and amounts in cents. */
export interface PremiumFigures {
  writtenCents: Cents;
  earnedCents: Cents;
  /** Written but not earned by the end of the period. */
  unearnedCents: Cents;
  /** Annualized premium of the policies in force on the last day. */
  inForceCents: Cents;
  /** Policies in force on the last day. */
  policyCount: number;
  /** Terms bound: new business and renewals. */
  bindingCount: number;
}

/** The figures of a period or of a group. */
export interface PortfolioFigures extends PremiumFigures {
  incurredCents: Cents;
  paidCents: Cents;
  /** Submissions that were quoted. */
  quoteCount: number;
  /** How many of them were bound by the end of the period. */
  quotedAndBound: number;
}

export const NO_FIGURES: PortfolioFigures = {
  ...{ writtenCents: 0, earnedCents: 0, unearnedCents: 0, inForceCents: 0, policyCount: 0, bindingCount: 0 },
  ...{ incurredCents: 0, paidCents: 0, quoteCount: 0, quotedAndBound: 0 },
};

/** Adds figures up, field by field. */
export function addFigures<T extends object>(one: T, other: Partial<T>): T {
  const sums = Object.entries(other).map(([name, value]) => [
    name,
    sumCents([Number(one[name as keyof T] ?? 0), Number(value)]),
  ]);
  return { ...one, ...Object.fromEntries(sums) };
}

/** A fraction to four decimals; null if the divisor is zero. */
export function fractionOf(part: number, whole: number): number | null {
  return whole <= 0 ? null : ratioToNumber(ratio(part, whole), 4);
}

/** The day up to which a period is known: no premium is earned, and no policy is in force, ahead of today. */
export function knownPeriod({ label, first, last }: Period, today: BusinessDate): Period {
  const known = minDate(last, today);
  return { label, first: minDate(first, addDays(known, 1)), last: known };
}

/** Divides a range of days into months; the first and the last may be partial. */
export function monthsOf(first: BusinessDate, last: BusinessDate): Period[] {
  const months: Period[] = [];
  for (let month = monthOf(first); month <= monthOf(last); month = monthAfter(month)) {
    months.push({ label: month, first: maxDate(firstDayOf(month), first), last: minDate(lastDayOf(month), last) });
  }
  return months;
}

/** How much of a policy's premium was earned by a day, and is in force on it. */
interface Standing {
  writtenCents: Cents;
  earnedCents: Cents;
  inForceCents: Cents;
  isInForce: boolean;
}

/**
 * Returns what a policy with special history (reinstated, or with voided or out-of-sequence endorsements) adds to a
 * period, by the transactions known at each end of it.
 */
export function premiumOf(
  stack: readonly StackedTransaction[],
  term: CoverageTerm,
  { first, last }: Period,
): Pick<PremiumFigures, 'earnedCents' | 'unearnedCents' | 'inForceCents' | 'policyCount'> {
  const [before, after] = [standingAt(stack, term, addDays(first, -1)), standingAt(stack, term, last)];
  return {
    earnedCents: after.earnedCents - before.earnedCents,
    unearnedCents: after.writtenCents - after.earnedCents,
    inForceCents: after.inForceCents,
    policyCount: after.isInForce ? 1 : 0,
  };
}

/** What one day adds to the premium figures of a policy. */
export interface PremiumFlow
  extends Pick<PremiumFigures, 'earnedCents' | 'unearnedCents' | 'inForceCents' | 'policyCount'> {
  day: BusinessDate;
}

/**
 * Divides a policy's `premiumOf` figures by day: up to any day, the flows sum to them. Days without any are left out.
 */
export function premiumFlows(stack: readonly StackedTransaction[], term: CoverageTerm): PremiumFlow[] {
  const issued = stack.map(({ issuedOn }) => issuedOn).sort();
  const [first = term.expirationDate, last = first] = [issued[0], issued.at(-1)];
  const end = addDays(maxDate(last, maxDate(term.expirationDate, first)), 1);
  const flows: PremiumFlow[] = [];
  let before = standingAt(stack, term, addDays(first, -1));
  for (let day = first; day <= end; day = addDays(day, 1)) {
    const after = standingAt(stack, term, day);
    const earnedCents = after.earnedCents - before.earnedCents;
    const unearnedCents = after.writtenCents - before.writtenCents - earnedCents;
    const inForceCents = after.inForceCents - before.inForceCents;
    const policyCount = Number(after.isInForce) - Number(before.isInForce);
    const flow = { day, earnedCents, unearnedCents, inForceCents, policyCount };
    if (earnedCents !== 0 || unearnedCents !== 0 || inForceCents !== 0 || policyCount !== 0) flows.push(flow);
    before = after;
  }
  return flows;
}

function standingAt(stack: readonly StackedTransaction[], term: CoverageTerm, day: BusinessDate): Standing {
  const known = stack.filter(({ issuedOn }) => issuedOn <= day);
  if (known.length === 0) return { writtenCents: 0, earnedCents: 0, inForceCents: 0, isInForce: false };
  const { writtenCents, earnedCents } = earnedPremium(known, term, { on: day, today: day });
  const isInForce = coversDay(known, term, day);
  return { writtenCents, earnedCents, isInForce, inForceCents: isInForce ? annualized(known, term, day) : 0 };
}

function coversDay(stack: readonly StackedTransaction[], term: CoverageTerm, day: BusinessDate): boolean {
  const ending = standingCancellation(stack);
  if (ending !== null && ending.effectiveDate <= day) return false;
  if (coverageGaps(stack).some(({ from, to }) => from <= day && day < to)) return false;
  return term.effectiveDate <= day && day < term.expirationDate;
}

/** The whole-term cost of the parts in force on a day, each to the cent. */
function annualized(stack: readonly StackedTransaction[], term: CoverageTerm, day: BusinessDate): Cents {
  const gaps = coverageGaps(stack);
  const parts = premiumParts(effectiveTransactions(stack, term, day)).filter(
    ({ effectiveDate }) => effectiveDate <= day,
  );
  const ofTerm = parts.map(({ premiumCents, effectiveDate, sequence }) => {
    const known = gaps.filter((gap) => gap.sequence < sequence);
    const days = coveredDaysLeft(term, known, effectiveDate);
    return days === 0 ? 0 : roundHalfUp(multiplyRatios(ratio(premiumCents), ratio(daysOfTerm(term), days)));
  });
  return sumCents(ofTerm);
}
