// The shape of a commission schedule: which share of the premium goes to the producer's agency, which the managing
// general agent keeps, by tiers of the producer's premium. Spec 6.4.4, Contract 3.4 "Commission record".
import { type Cents, percentOf } from './money.ts';
import { ratio } from './ratio.ts';

/** A tier by the producer's premium issued in the 12 months before; `maxCents` is the most it holds, null without end. */
export interface CommissionTier {
  tier: number;
  maxCents: Cents | null;
  /** Share of gross premium, a decimal text. */
  agentRate: string;
}

/** The rates of a line of business. Plain JSON. What neither agent nor MGA takes is the carrier's. */
export interface CommissionSchedule {
  lineOfBusiness: string;
  /** Ascending; the last one has no maximum. */
  tiers: CommissionTier[];
  mgaRate: string;
}

/** Picks the tier for a producer's 12-month premium in cents; null for a schedule that has no tier that high. */
export function commissionTier(schedule: CommissionSchedule, producerPremiumCents: Cents): CommissionTier | null {
  return schedule.tiers.find((tier) => tier.maxCents === null || producerPremiumCents <= tier.maxCents) ?? null;
}

/** Tier and rates of a transaction, fixed when it is issued. Plain JSON. Contract 3.4 "Commission record". */
export interface CommissionTerms {
  tier: number;
  /** Shares of gross premium, decimal texts. */
  agentRate: string;
  mgaRate: string;
}

/**
 * Fixes the terms of a transaction by the producer's premium issued in the 12 months before it. Null for a schedule without a tier
 * that high, or where there is no schedule.
 */
export function commissionTerms(
  schedule: CommissionSchedule | null,
  producerPremiumCents: Cents,
): CommissionTerms | null {
  const tier = schedule && commissionTier(schedule, producerPremiumCents);
  return schedule && tier ? { tier: tier.tier, agentRate: tier.agentRate, mgaRate: schedule.mgaRate } : null;
}

/** How premium is shared; the parts sum to it. */
export interface PremiumShares {
  carrierCents: Cents;
  agentCents: Cents;
  mgaCents: Cents;
}

/**
 * Shares premium out: agent and managing general agent by their rates, rounded half up; what neither takes is the carrier's. Without a
 * producer there is no agent's share. Spec 6.4.4, Contract 3.4.
 */
export function premiumShares(premiumCents: Cents, terms: CommissionTerms, hasProducer: boolean): PremiumShares {
  const agentCents = hasProducer ? percentOf(premiumCents, ratio(terms.agentRate)) : 0;
  const mgaCents = percentOf(premiumCents, ratio(terms.mgaRate));
  return { carrierCents: premiumCents - agentCents - mgaCents, agentCents, mgaCents };
}
