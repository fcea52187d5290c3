// Triage: how well a submission fits, from 0 to 100, as the sum of eight factors, capped for risks that may never be
// written. The score routes work; it does not decide. Spec 4.4 (quote-readiness), Contract 3.1 "Detail".
import type { Cents } from '../money.ts';
import { ratio, roundHalfUp } from '../ratio.ts';
import type { Appetite } from './rating.ts';

const TRIAGE_BANDS = ['auto_quote', 'standard', 'refer', 'decline_recommended'] as const;
export type TriageBand = (typeof TRIAGE_BANDS)[number];

/** One factor's result; all factors' points sum to the score. */
export interface TriageFactor {
  code: string;
  points: number;
  max: number;
  reason: string;
}

export interface Triage {
  score: number;
  band: TriageBand;
  factors: TriageFactor[];
}

/** The facts behind triage. Null means not (yet) known and earns no points, except for losses. */
export interface TriageInput {
  appetite: Appetite | null;
  /** Required and optional fields: the number given, and the total. */
  completeness: { given: number; of: number };
  lossesLast5Years: number | null;
  annualRevenueCents: Cents | null;
  requestedLimitCents: Cents | null;
  /** The highest limit of the contract in force; null without one. */
  contractMaxLimitCents: Cents | null;
  stateAuthorized: boolean | null;
  lineAuthorized: boolean | null;
  sanctionsHit: boolean;
  /** Days from today to the effective date. */
  leadDays: number | null;
  /** Appointed for state and line; null without a producer. */
  producerAppointed: boolean | null;
}

/** The maximum score of a submission that breaks a hard rule. */
const HARD_RULE_CAP = 20;

const SMALL_REVENUE_CENTS = 10_000_000;
const MEDIUM_REVENUE_CENTS = 1_000_000_000;
const LARGE_REVENUE_CENTS = 5_000_000_000;
const APPETITE_POINTS: Record<Appetite, number> = { preferred: 30, standard: 22, refer: 8, prohibited: 0 };

/**
 * Scores a submission: class 30, completeness 20, losses 15, size 10, limit 10, state 5, lead time 5, producer 5. A
 * prohibited class, a state or line outside the contract, or a sanctions match caps the score at 20, shown as a
 * separate factor with negative points. Bands: from 75 `auto_quote`, from 50 `standard`, from 25 `refer`, below
 * `decline_recommended`. Contract 3.1.
 */
export function triage(input: TriageInput): Triage {
  const factors = [
    appetiteFactor(input.appetite),
    completenessFactor(input.completeness),
    lossFactor(input.lossesLast5Years),
    sizeFactor(input.annualRevenueCents),
    limitFactor(input.requestedLimitCents, input.contractMaxLimitCents),
    stateFactor(input.stateAuthorized),
    leadFactor(input.leadDays),
    producerFactor(input.producerAppointed),
  ];
  const sum = factors.reduce((total, factor) => total + factor.points, 0);
  const broken = brokenHardRules(input);
  if (broken.length > 0) {
    factors.push({ code: 'HARD_RULE', points: Math.min(0, HARD_RULE_CAP - sum), max: 0, reason: broken.join(', ') });
  }
  const score = broken.length > 0 ? Math.min(sum, HARD_RULE_CAP) : sum;
  return { score, band: bandOf(score), factors };
}

/** The years of losses that count. Contract 3.1 `lossesLast5Years`. */
export const LOSS_YEARS = 5;

/** Returns the band of a score. */
export function bandOf(score: number): TriageBand {
  if (score >= 75) return 'auto_quote';
  if (score >= 50) return 'standard';
  return score >= 25 ? 'refer' : 'decline_recommended';
}

function brokenHardRules(input: TriageInput): string[] {
  return [
    ...(input.appetite === 'prohibited' ? ['prohibited class'] : []),
    ...(input.stateAuthorized === false ? ['state not authorized'] : []),
    ...(input.lineAuthorized === false ? ['line of business not authorized'] : []),
    ...(input.sanctionsHit ? ['sanctions review'] : []),
  ];
}

function appetiteFactor(appetite: Appetite | null): TriageFactor {
  const points = appetite === null ? 0 : APPETITE_POINTS[appetite];
  return { code: 'APPETITE', points, max: 30, reason: appetite === null ? 'class not known' : `class is ${appetite}` };
}

function completenessFactor({ given, of }: TriageInput['completeness']): TriageFactor {
  const points = of === 0 ? 0 : roundHalfUp(ratio(BigInt(20 * given), BigInt(of)));
  return { code: 'COMPLETENESS', points, max: 20, reason: `${given} of ${of} fields given` };
}

function lossFactor(losses: number | null): TriageFactor {
  const factor = (points: number, reason: string) => ({ code: 'LOSS_HISTORY', points, max: 15, reason });
  if (losses === null) return factor(8, 'losses not known');
  if (losses === 0) return factor(15, 'no losses in five years');
  if (losses === 1) return factor(12, 'one loss in five years');
  return losses === 2 ? factor(7, 'two losses in five years') : factor(0, 'three or more losses in five years');
}

function sizeFactor(revenueCents: Cents | null): TriageFactor {
  const factor = (points: number, reason: string) => ({ code: 'SIZE', points, max: 10, reason });
  if (revenueCents === null) return factor(0, 'revenue not known');
  if (revenueCents < SMALL_REVENUE_CENTS) return factor(2, 'revenue below 100,000');
  if (revenueCents <= MEDIUM_REVENUE_CENTS) return factor(10, 'revenue from 100,000 to 10 million');
  return revenueCents <= LARGE_REVENUE_CENTS
    ? factor(6, 'revenue up to 50 million')
    : factor(2, 'revenue above 50 million');
}

function limitFactor(limitCents: Cents | null, maxCents: Cents | null): TriageFactor {
  const factor = (points: number, reason: string) => ({ code: 'LIMIT', points, max: 10, reason });
  if (limitCents === null) return factor(0, 'limit not known');
  if (maxCents === null) return factor(0, 'no authority in force');
  if (2 * limitCents <= maxCents) return factor(10, 'limit up to half of the authority');
  return limitCents <= maxCents ? factor(7, 'limit within the authority') : factor(0, 'limit above the authority');
}

function stateFactor(authorized: boolean | null): TriageFactor {
  const reason = authorized === null ? 'state not known' : authorized ? 'state authorized' : 'state not authorized';
  return { code: 'STATE', points: authorized === true ? 5 : 0, max: 5, reason };
}

function leadFactor(days: number | null): TriageFactor {
  const factor = (points: number, reason: string) => ({ code: 'LEAD_TIME', points, max: 5, reason });
  if (days === null) return factor(0, 'effective date not known');
  if (days < 0) return factor(0, 'effective date in the past');
  if (days < 5) return factor(3, 'fewer than 5 days ahead');
  if (days <= 90) return factor(5, '5 to 90 days ahead');
  return days <= 180 ? factor(3, '91 to 180 days ahead') : factor(0, 'more than 180 days ahead');
}

function producerFactor(appointed: boolean | null): TriageFactor {
  const reason =
    appointed === null ? 'no producer' : appointed ? 'producer appointed' : 'producer not appointed for state and line';
  return { code: 'PRODUCER', points: appointed === true ? 5 : 0, max: 5, reason };
}
