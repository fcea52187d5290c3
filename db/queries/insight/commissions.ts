// Commission by month or quarter, by the business date on which each record was written, from the daily sums. Decision
// 0140.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Cents } from '../../../domain/money.ts';
import { organizationOf } from '../../scope.ts';

/** How the periods of the summary are named: `2026-03`, `2026-Q1`. */
const LABELS = { month: 'YYYY-MM', quarter: 'YYYY-"Q"Q' } as const;
export type CommissionPeriod = keyof typeof LABELS;

export interface CommissionSum {
  period: string;
  grossPremiumCents: Cents;
  agentCommissionCents: Cents;
  mgaCommissionCents: Cents;
  carrierNetCents: Cents;
  count: number;
}

/** Adds up the records of each period between two dates, inclusive, oldest period first. */
export async function commissionSums(
  em: EntityManager,
  { period, from, to }: { period: CommissionPeriod; from: BusinessDate; to: BusinessDate },
): Promise<CommissionSum[]> {
  const rows = await em.execute<({ period: string } & Record<string, string>)[]>(
    `select to_char(recorded_on, '${LABELS[period]}') as period, sum(gross_premium_cents) as gross,
       sum(agent_commission_cents) as agent, sum(mga_commission_cents) as mga, sum(carrier_net_cents) as carrier,
       sum(record_count) as count
     from commission_facts where org_id = ? and recorded_on between ?::date and ?::date
     group by 1 order by 1`,
    [organizationOf(em), from, to],
  );
  return rows.map((row) => ({
    period: row.period,
    ...{ grossPremiumCents: Number(row.gross), agentCommissionCents: Number(row.agent) },
    ...{ mgaCommissionCents: Number(row.mga), carrierNetCents: Number(row.carrier), count: Number(row.count) },
  }));
}
