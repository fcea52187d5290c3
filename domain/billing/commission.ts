// The shape of a commission schedule: the premium shares of the producer's agency and of the managing general agent, in
// tiers by the producer's premium. Spec 6.4.4, Contract 3.4 "Commission record".
import { type Cents, percentOf } from '../money.ts';
import { addRatios, compareRatios, ratio } from '../ratio.ts';

/** A tier by the producer's premium issued in the last 12 months; `maxCents` is its upper bound, null for none. */
export interface CommissionTier {
  tier: number;
  maxCents: Cents | null;
  /** Share of gross premium, as decimal text. */
  agentRate: string;
}

/** The rates for a line of business. Plain JSON. The carrier gets what neither agent nor MGA takes. */
export interface CommissionSchedule {
  lineOfBusiness: string;
  /** Ascending; the last tier has no maximum. */
  tiers: CommissionTier[];
  mgaRate: string;
}

/** Picks the tier for a producer's 12-month premium in cents; null if the schedule has no tier that high. */
export function commissionTier(schedule: CommissionSchedule, producerPremiumCents: Cents): CommissionTier | null {
  return schedule.tiers.find((tier) => tier.maxCents === null || producerPremiumCents <= tier.maxCents) ?? null;
}

/** A transaction's tier and rates, fixed at issue. Plain JSON. Contract 3.4 "Commission record". */
export interface CommissionTerms {
  tier: number;
  /** Shares of gross premium, decimal texts. */
  agentRate: string;
  mgaRate: string;
}

/**
 * Fixes a transaction's terms by the producer's premium issued in the 12 months before; a rate agreed with the
 * producer replaces the tier's. Null without a schedule, or if it has no tier that high.
 */
export function commissionTerms(
  schedule: CommissionSchedule | null,
  producerPremiumCents: Cents,
  agreedRate: string | null = null,
): CommissionTerms | null {
  const tier = schedule && commissionTier(schedule, producerPremiumCents);
  if (!schedule || !tier) return null;
  const { mgaRate } = schedule;
  // A later schedule may leave no room for a rate agreed earlier.
  const isAgreed = agreedRate !== null && leavesCarrierItsPart(agreedRate, mgaRate);
  return { tier: tier.tier, agentRate: isAgreed ? agreedRate : tier.agentRate, mgaRate };
}

/**
 * The most that producer and managing general agent may get together. Carriers pay 20 to 35 percent for both (domain
 * facts 3.5); more than half of the premium is a slip, and would leave nothing to pay losses from. Decision 0187.
 */
export const SHARES_MAX = '0.5';

/** Whether the shares leave the carrier its half. */
export function leavesCarrierItsPart(agentRate: string, mgaRate: string): boolean {
  return compareRatios(addRatios(ratio(agentRate), ratio(mgaRate)), ratio(SHARES_MAX)) <= 0;
}

/** How premium is shared; the parts sum to it. */
export interface PremiumShares {
  carrierCents: Cents;
  agentCents: Cents;
  mgaCents: Cents;
}

/**
 * Splits premium: agent and managing general agent by their rates, rounded half up; the carrier gets the rest. Without
 * a producer there is no agent's share. Spec 6.4.4, Contract 3.4.
 */
export function premiumShares(premiumCents: Cents, terms: CommissionTerms, hasProducer: boolean): PremiumShares {
  const agentCents = hasProducer ? percentOf(premiumCents, ratio(terms.agentRate)) : 0;
  const mgaCents = percentOf(premiumCents, ratio(terms.mgaRate));
  return { carrierCents: premiumCents - agentCents - mgaCents, agentCents, mgaCents };
}
