// The commission rates a new organization starts with, by line of business and tier of the producer's premium issued in
// the prior 12 months: below 250,000, up to 1 million, above.
import type { CommissionSchedule } from '../../domain/billing/commission.ts';

export interface SeedCommissionSchedule {
  effectiveFrom: string;
  schedule: CommissionSchedule;
}

function schedule(
  lineOfBusiness: string,
  agentRates: readonly [string, string, string],
  mgaRate: string,
): SeedCommissionSchedule {
  const [small, medium, large] = agentRates;
  return {
    effectiveFrom: '1900-01-01',
    schedule: {
      lineOfBusiness,
      tiers: [
        { tier: 1, maxCents: 24_999_999, agentRate: small },
        { tier: 2, maxCents: 100_000_000, agentRate: medium },
        { tier: 3, maxCents: null, agentRate: large },
      ],
      mgaRate,
    },
  };
}

export const DEFAULT_COMMISSION_SCHEDULES: readonly SeedCommissionSchedule[] = [
  schedule('GL', ['0.125', '0.135', '0.15'], '0.10'),
  schedule('CA', ['0.10', '0.11', '0.12'], '0.08'),
  schedule('MTC', ['0.10', '0.11', '0.12'], '0.08'),
  schedule('CP', ['0.13', '0.14', '0.15'], '0.10'),
  schedule('BOP', ['0.13', '0.14', '0.15'], '0.10'),
  schedule('PL', ['0.15', '0.16', '0.175'], '0.10'),
  schedule('CYBER', ['0.15', '0.16', '0.175'], '0.10'),
  schedule('UMB', ['0.10', '0.11', '0.125'], '0.10'),
  schedule('WC', ['0.08', '0.09', '0.10'], '0.06'),
];
