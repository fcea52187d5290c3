// The shape of a commission schedule: which share of the premium goes to the producer's agency, which the managing
// general agent keeps, by tiers of the producer's premium. Spec 6.4.4, Contract 3.4 "Commission record".
import type { Cents } from './money.ts';

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
