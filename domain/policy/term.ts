// The days of a term and how its premium is earned over them. Coverage begins and ends at the start of a day, so a
// one-year term has 365 or 366 days. Domain facts 3.2.
import { type BusinessDate, daysBetween, maxDate, minDate } from '../dates.ts';
import { type Cents, sumCents } from '../money.ts';
import { addRatios, multiplyRatios, type Ratio, ratio, roundHalfUp, subtractRatios } from '../ratio.ts';
import {
  type CoverageGap,
  type CoverageTerm,
  coverageGaps,
  effectiveTransactions,
  grantsCoverage,
  isInEffect,
  type StackedTransaction,
  standingCancellation,
} from './stack.ts';

/** Premium that buys coverage from a day to the end of the term. */
export interface PremiumPart {
  /** The transaction whose terms it pays for. */
  transactionId: string;
  effectiveDate: BusinessDate;
  premiumCents: Cents;
  /** The place in the stack of the row that charges it. */
  sequence: number;
}

/** Earned and unearned premium; the two sum to written premium. */
export interface EarnedPremium {
  writtenCents: Cents;
  earnedCents: Cents;
  unearnedCents: Cents;
}

/** Counts the days of a term: 365, or 366 with a 29 February in it. Domain facts 3.2. */
export function daysOfTerm({ effectiveDate, expirationDate }: CoverageTerm): number {
  return daysBetween(effectiveDate, expirationDate);
}

/** Counts the days of a term from a date on: all before it begins, none once it is over. */
export function daysLeft({ effectiveDate, expirationDate }: CoverageTerm, from: BusinessDate): number {
  return daysBetween(minDate(maxDate(effectiveDate, from), expirationDate), expirationDate);
}

/** Counts the days of a term from a date on, leaving out the gaps. */
export function coveredDaysLeft(term: CoverageTerm, gaps: readonly CoverageGap[], from: BusinessDate): number {
  const withoutCoverage = gaps.map(
    (gap) => daysLeft(term, maxDate(gap.from, from)) - daysLeft(term, maxDate(gap.to, from)),
  );
  return daysLeft(term, from) - sumCents(withoutCoverage);
}

/**
 * Splits a stack's premium by the day from which it buys coverage. What an endorsement changed in a later one counts
 * from the later one's day. The parts sum to the premium of all transactions that grant coverage.
 */
export function premiumParts(stack: readonly StackedTransaction[]): PremiumPart[] {
  const byId = new Map(stack.map((each) => [each.id, each]));
  const parts = stack.filter(grantsCoverage).flatMap((row) => {
    const { id, effectiveDate, sequence } = row;
    const reapplied = row.reapplied.map(({ transactionId, premiumChangeCents }) => ({
      transactionId,
      effectiveDate: byId.get(transactionId)?.effectiveDate ?? effectiveDate,
      premiumCents: premiumChangeCents,
      sequence,
    }));
    const ownCents = row.premiumChangeCents - sumCents(reapplied.map(({ premiumCents }) => premiumCents));
    return [{ transactionId: row.reverses ?? id, effectiveDate, premiumCents: ownCents, sequence }, ...reapplied];
  });
  return foldVoids(parts, stack);
}

/**
 * A void reverses what its endorsement charged and what that changed in later ones: it changes their parts instead of
 * adding new ones, so that every cent is earned as if the endorsement had never been issued. Parts charged before and
 * after a gap stay separate, since they pay for different days.
 */
function foldVoids(parts: readonly PremiumPart[], stack: readonly StackedTransaction[]): PremiumPart[] {
  const gaps = coverageGaps(stack);
  const era = ({ sequence }: PremiumPart) => gaps.filter((gap) => gap.sequence < sequence).length;
  const voids = new Set(stack.filter(({ reverses }) => reverses).map(({ sequence }) => sequence));
  const touched = new Set(parts.filter(({ sequence }) => voids.has(sequence)).map((part) => part.transactionId));
  const folded: PremiumPart[] = [];
  for (const part of parts) {
    const same = folded.findIndex((each) => each.transactionId === part.transactionId && era(each) === era(part));
    const earlier = folded[same];
    if (earlier === undefined || !touched.has(part.transactionId)) folded.push(part);
    else folded[same] = { ...earlier, premiumCents: earlier.premiumCents + part.premiumCents };
  }
  return folded;
}

/**
 * Returns the written premium earned by the beginning of a day, and what is still unearned, each part to the cent. A
 * part is earned evenly from its own day to the end of the term; nothing is earned in a gap, and whatever premium a
 * cancellation leaves is earned on its day. `today` decides which scheduled cancellations count. Domain facts 3.2.
 */
export function earnedPremium(
  stack: readonly StackedTransaction[],
  term: CoverageTerm,
  facts: { on: BusinessDate; today: BusinessDate },
): EarnedPremium {
  const rows = effectiveTransactions(stack, term, facts.today);
  const writtenCents = sumCents(rows.map((each) => each.premiumChangeCents));
  const ending = standingCancellation(stack);
  if (ending !== null && ending.effectiveDate <= facts.on && isInEffect(ending, term, facts.today)) {
    return { writtenCents, earnedCents: writtenCents, unearnedCents: 0 };
  }
  const parts = premiumParts(rows);
  const gaps = coverageGaps(stack);
  const lostCents = sumCents(gaps.filter(({ to }) => to <= facts.on).map((gap) => gap.premiumCents));
  const on = startOfGapAt(gaps, facts.on);
  const grantedCents = sumCents(parts.map(({ premiumCents }) => premiumCents));
  const earnedCents = grantedCents - unearnedPremium(parts, on, { term, gaps }) - lostCents;
  return { writtenCents, earnedCents, unearnedCents: writtenCents - earnedCents };
}

/**
 * Returns the premium for the days from a date on, each part to the cent: what a pro-rata cancellation returns.
 * Contract 3.2.
 */
export function unearnedPremium(
  parts: readonly PremiumPart[],
  on: BusinessDate,
  coverage: { term: CoverageTerm; gaps: readonly CoverageGap[] },
): Cents {
  const ofPart = (part: PremiumPart) => multiplyRatios(ratio(part.premiumCents), unearnedShare(part, on, coverage));
  return sumCents(parts.map((part) => roundHalfUp(ofPart(part))));
}

/**
 * Returns the premium for a gap's days: what each part costs less without them, to the cent. Contract 3.2 "reinstate",
 * domain facts 3.2.
 */
export function gapPremium(
  parts: readonly PremiumPart[],
  gap: { from: BusinessDate; to: BusinessDate },
  coverage: { term: CoverageTerm; gaps: readonly CoverageGap[] },
): Cents {
  const keptOf = (part: PremiumPart) => {
    const [from, to] = [gap.from, gap.to].map((on) => unearnedShare(part, on, coverage)) as [Ratio, Ratio];
    const share = addRatios(subtractRatios(ratio(1n), from), to);
    return roundHalfUp(multiplyRatios(ratio(part.premiumCents), share));
  };
  return sumCents(parts.map((part) => part.premiumCents - keptOf(part)));
}

/** Returns the share of a part that pays for days ahead: all before its own day, none from the end of the term on. */
function unearnedShare(
  part: Pick<PremiumPart, 'effectiveDate' | 'sequence'>,
  on: BusinessDate,
  { term, gaps }: { term: CoverageTerm; gaps: readonly CoverageGap[] },
): Ratio {
  // A part charged after a gap was never charged for the gap's days.
  const known = gaps.filter(({ sequence }) => sequence < part.sequence);
  const days = coveredDaysLeft(term, known, part.effectiveDate);
  if (days === 0) return ratio(0n);
  return ratio(coveredDaysLeft(term, known, maxDate(on, part.effectiveDate)), days);
}

/** Within a gap nothing is earned beyond what was earned on its first day. */
function startOfGapAt(gaps: readonly CoverageGap[], on: BusinessDate): BusinessDate {
  return gaps.find(({ from, to }) => from <= on && on < to)?.from ?? on;
}
