// Premium from a rate table: exposure × class rate × factors, computed in exact fractions and rounded once, half up, to
// the cent. Tables are data with effective dates; no rate is in the code. Contract 3.1 "Rating inputs".
import type { Cents } from '../money.ts';
import {
  addRatios,
  compareRatios,
  multiplyRatios,
  type Ratio,
  ratio,
  ratioToNumber,
  roundHalfUp,
  subtractRatios,
} from '../ratio.ts';

/** The appetite for a class of business. */
export const APPETITES = ['preferred', 'standard', 'refer', 'prohibited'] as const;
export type Appetite = (typeof APPETITES)[number];

/** A class's rate per $1,000 of revenue; the longest matching NAICS prefix applies. */
export interface ClassRate {
  naicsPrefix: string;
  /** Dollars per $1,000 of annual revenue, a decimal text. */
  rate: string;
  appetite: Appetite;
}

/** The rates of a line of business. Plain JSON: rates and factors are decimal texts, money is cents. */
export interface RateTable {
  lineOfBusiness: string;
  base: { unit: 'per_thousand_revenue'; classRates: ClassRate[]; defaultRate: string };
  stateFactors: Record<string, string>;
  defaultStateFactor: string;
  /** Ascending by limit; the factor 1 marks the basic limit. */
  limitFactors: { limitCents: Cents; factor: string }[];
  /** Ascending by deductible, from 0. */
  deductibleFactors: { deductibleCents: Cents; factor: string }[];
  lossFactors: Record<LossKey, string>;
  minimumPremiumCents: Cents;
  policyFeeCents: Cents;
}

export const LOSS_KEYS = ['unknown', '0', '1', '2', '3+'] as const;
export type LossKey = (typeof LOSS_KEYS)[number];

/** The facts that a risk's premium depends on. Money in cents; a null `lossesLast5Years` is unknown. */
export interface RatingInput {
  naicsCode: string;
  annualRevenueCents: Cents;
  requestedLimitCents: Cents;
  deductibleCents: Cents;
  lossesLast5Years: number | null;
  /** Credit or debit as a decimal text: `'-0.05'` takes five percent off. Default `'0'`. */
  scheduleModification?: string;
  state: string;
}

/** One worksheet line: the factor for display, and the premium after it in cents, rounded for display. */
export interface RatingStep {
  step: string;
  factor: number;
  amountCents: Cents;
}

export interface RatedPremium {
  premiumCents: Cents;
  worksheet: RatingStep[];
}

const FACTOR_DECIMALS = 6;
const CENTS_PER_THOUSAND_DOLLARS = 100_000n;
const ONE = ratio(1n);

/**
 * Rates a risk. Premium = max(minimum premium, revenue in thousands × class rate × state × limit × deductible × losses
 * × (1 + schedule modification)), rounded half up to the cent. Limit and deductible factors are interpolated linearly
 * between the table's rows and flat outside them. The worksheet lists every factor in order and ends with the premium.
 * Contract 3.1.
 */
export function ratePremium(input: RatingInput, table: RateTable): RatedPremium {
  const factors: [step: string, factor: Ratio][] = [
    ['revenue_in_thousands', ratio(BigInt(input.annualRevenueCents), CENTS_PER_THOUSAND_DOLLARS)],
    ['class_rate', ratio(classRateOf(table, input.naicsCode)?.rate ?? table.base.defaultRate)],
    ['state', ratio(ownValue(table.stateFactors, input.state) ?? table.defaultStateFactor)],
    ['limit', limitFactor(table, input.requestedLimitCents)],
    ['deductible', deductibleFactor(table, input.deductibleCents)],
    ['losses', ratio(table.lossFactors[lossKey(input.lossesLast5Years)])],
    ['schedule_modification', addRatios(ONE, ratio(input.scheduleModification ?? '0'))],
  ];
  const worksheet: RatingStep[] = [];
  let cents = ratio(100n);
  for (const [step, factor] of factors) {
    cents = multiplyRatios(cents, factor);
    worksheet.push({ step, factor: ratioToNumber(factor, FACTOR_DECIMALS), amountCents: roundHalfUp(cents) });
  }
  const rated = roundHalfUp(cents);
  const premiumCents = Math.max(rated, table.minimumPremiumCents);
  worksheet.push({ step: 'minimum_premium', factor: 1, amountCents: premiumCents });
  return { premiumCents, worksheet };
}

/** Returns a table's appetite for a class; a class without a row is `standard`. */
export function appetiteOf(table: RateTable, naicsCode: string): Appetite {
  return classRateOf(table, naicsCode)?.appetite ?? 'standard';
}

/** Returns the increased limit factor for a limit, exactly. Contract 3.1 "ILF". */
function limitFactor(table: RateTable, limitCents: Cents): Ratio {
  return interpolate(
    table.limitFactors.map((row) => ({ at: row.limitCents, factor: row.factor })),
    limitCents,
  );
}

/** Returns the factor for a deductible, exactly. Contract 3.1. */
function deductibleFactor(table: RateTable, deductibleCents: Cents): Ratio {
  return interpolate(
    table.deductibleFactors.map((row) => ({ at: row.deductibleCents, factor: row.factor })),
    deductibleCents,
  );
}

/** Returns the table row for a number of losses in five years; null is unknown. */
function lossKey(lossesLast5Years: number | null): LossKey {
  if (lossesLast5Years === null) return 'unknown';
  if (lossesLast5Years <= 0) return '0';
  if (lossesLast5Years === 1) return '1';
  return lossesLast5Years === 2 ? '2' : '3+';
}

function classRateOf(table: RateTable, naicsCode: string): ClassRate | null {
  let best: ClassRate | null = null;
  for (const row of table.base.classRates) {
    const longer = best === null || row.naicsPrefix.length > best.naicsPrefix.length;
    if (longer && naicsCode.startsWith(row.naicsPrefix)) best = row;
  }
  return best;
}

function ownValue(record: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

interface Point {
  at: number;
  factor: string;
}

function interpolate(points: readonly Point[], at: number): Ratio {
  const above = points.find((point) => point.at >= at);
  const below = points.findLast((point) => point.at <= at);
  if (above === undefined || below === undefined) return ratio((above ?? below)?.factor ?? '1');
  const [low, high] = [ratio(below.factor), ratio(above.factor)];
  if (above.at === below.at || compareRatios(low, high) === 0) return low;
  const share = ratio(BigInt(at) - BigInt(below.at), BigInt(above.at) - BigInt(below.at));
  return addRatios(low, multiplyRatios(subtractRatios(high, low), share));
}
