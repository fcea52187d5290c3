// Changing the terms mid-term: the annual premium before and after, pro rata by the days left. An endorsement
// effective before others is inserted out of sequence: the later ones are reversed and reapplied on top of the new
// terms. Contract 3.2 "endorse", domain facts 3.2.
import type { BusinessDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { type Cents, sumCents } from '../money.ts';
import { multiplyRatios, ratio, roundHalfUp } from '../ratio.ts';
import { type CoverageGap, type CoverageTerm, inOrderOfEffect } from './stack.ts';
import { coveredDaysLeft, daysOfTerm } from './term.ts';

/** What pricing needs of an endorsement: its effective date and terms. */
export interface Endorsement<Terms> {
  transactionId: string;
  /** Its place in the stack; of two effective the same day, the later one goes on top. */
  sequence: number;
  effectiveDate: BusinessDate;
  changes: Partial<Terms>;
}

/** Rates terms with the policy's tables; returns the premium of a whole term in cents. */
export type AnnualPremium<Terms> = (terms: Terms) => Cents;

/** The cost of an endorsement. */
export interface EndorsementPrice<Terms> {
  /** Terms on its day without it and with it. */
  termsBefore: Terms;
  termsAfter: Terms;
  /** Terms at expiration with it and with everything reapplied on top. */
  lastTerms: Terms;
  annualBeforeCents: Cents;
  annualAfterCents: Cents;
  /**
   * Its total premium change: its own plus what it changes in later ones, so that written premium stays the sum of all
   * transactions.
   */
  premiumChangeCents: Cents;
  ownPremiumChangeCents: Cents;
  /** Later endorsements by effective date, each with its reapplied premium less its reversed premium. */
  reapplied: { transactionId: string; premiumChangeCents: Cents }[];
}

/**
 * Refuses an endorsement as of a day outside the term.
 * @throws DomainError outside_policy_term with `{effectiveDate, expirationDate}`. Contract 3.2
 */
function ensureWithinTerm({ effectiveDate, expirationDate }: CoverageTerm, day: BusinessDate): void {
  if (day >= effectiveDate && day < expirationDate) return;
  throw new DomainError('outside_policy_term', `${day} is outside the policy term.`, {
    effectiveDate,
    expirationDate,
  });
}

/**
 * Returns the part of an annual change that falls on the covered days from a date on, to the cent: 1,200 a year from
 * day 100 of 365 is 871.23. Domain facts 3.2 "endorsement".
 */
export function proRataChange(
  annualChangeCents: Cents,
  { term, gaps = [], from }: { term: CoverageTerm; gaps?: readonly CoverageGap[]; from: BusinessDate },
): Cents {
  const days = coveredDaysLeft(term, gaps, from);
  return roundHalfUp(multiplyRatios(ratio(annualChangeCents), ratio(days, daysOfTerm(term))));
}

/**
 * Prices an endorsement, in or out of sequence. Each endorsement is worth the annual premium with it minus that
 * without it, on top of all earlier-effective ones, for the days left from its own day. Days in a coverage gap are not
 * charged. Contract 3.2.
 * @throws DomainError outside_policy_term
 */
export function priceEndorsement<Terms extends object>(order: {
  term: CoverageTerm;
  gaps?: readonly CoverageGap[];
  /** Terms on the first day. */
  firstTerms: Terms;
  /** Those issued so far. */
  endorsements: readonly Endorsement<Terms>[];
  added: Endorsement<Terms>;
  rate: AnnualPremium<Terms>;
}): EndorsementPrice<Terms> {
  const { term, gaps = [], firstTerms, endorsements, added, rate } = order;
  ensureWithinTerm(term, added.effectiveDate);
  const without = applyInOrder(firstTerms, endorsements, rate);
  const withAdded = applyInOrder(firstTerms, [...endorsements, added], rate);
  const place = withAdded.findIndex(({ endorsement }) => endorsement === added);
  const first = firstStep(firstTerms, rate);
  const [before, after] = [withAdded[place - 1] ?? first, ensureFound(withAdded[place])];
  const coverage = { term, gaps, first };
  const reapplied = withAdded.slice(place + 1).map(({ endorsement }, index) => ({
    transactionId: endorsement.transactionId,
    premiumChangeCents: worthOf(withAdded, place + 1 + index, coverage) - worthOf(without, place + index, coverage),
  }));
  const ownPremiumChangeCents = worthOf(withAdded, place, coverage);
  return {
    termsBefore: before.terms,
    termsAfter: after.terms,
    lastTerms: (withAdded.at(-1) ?? after).terms,
    annualBeforeCents: before.annualCents,
    annualAfterCents: after.annualCents,
    premiumChangeCents: sumCents([ownPremiumChangeCents, ...reapplied.map((each) => each.premiumChangeCents)]),
    ownPremiumChangeCents,
    reapplied,
  };
}

/**
 * Terms rated only when their premium is first needed: an in-sequence change needs only the last endorsement's, an
 * out-of-sequence change those of the later endorsements.
 */
class Rated<Terms> {
  readonly terms: Terms;
  readonly #rate: AnnualPremium<Terms>;
  #annualCents: Cents | null = null;

  constructor(terms: Terms, rate: AnnualPremium<Terms>) {
    this.terms = terms;
    this.#rate = rate;
  }

  get annualCents(): Cents {
    this.#annualCents ??= this.#rate(this.terms);
    return this.#annualCents;
  }
}

/** The terms once an endorsement is applied. */
class Step<Terms> extends Rated<Terms> {
  readonly endorsement: Endorsement<Terms>;

  constructor(endorsement: Endorsement<Terms>, terms: Terms, rate: AnnualPremium<Terms>) {
    super(terms, rate);
    this.endorsement = endorsement;
  }
}

/** Returns a step's premium: the annual difference it makes, for the covered days from its effective date on. */
export function worthOf<Terms>(
  steps: readonly Step<Terms>[],
  index: number,
  { term, gaps, first }: { term: CoverageTerm; gaps: readonly CoverageGap[]; first: { annualCents: Cents } },
): Cents {
  const { annualCents, endorsement } = ensureFound(steps[index]);
  const annualBeforeCents = (steps[index - 1] ?? first).annualCents;
  return proRataChange(annualCents - annualBeforeCents, { term, gaps, from: endorsement.effectiveDate });
}

/** Returns a step that must exist. @throws RangeError */
export function ensureFound<T>(step: T | undefined): T {
  if (step === undefined) throw new RangeError('An endorsement has no place among the others');
  return step;
}

/** Lists the terms and their annual premium after each endorsement, by effective date. */
export function applyInOrder<Terms extends object>(
  firstTerms: Terms,
  endorsements: readonly Endorsement<Terms>[],
  rate: AnnualPremium<Terms>,
): Step<Terms>[] {
  let terms = firstTerms;
  return inOrderOfEffect(endorsements).map((endorsement) => {
    terms = { ...terms, ...endorsement.changes };
    return new Step(endorsement, terms, rate);
  });
}

/** Returns the terms of the first day with their annual premium. */
export function firstStep<Terms>(terms: Terms, rate: AnnualPremium<Terms>): Rated<Terms> {
  return new Rated(terms, rate);
}
