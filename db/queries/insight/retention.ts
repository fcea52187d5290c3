// Which of the terms that ran to their end were renewed.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Cents } from '../../../domain/money.ts';
import { organizationOf } from '../../scope.ts';

export interface Retention {
  expiringCount: number;
  renewedCount: number;
  /** Written premium of the expiring terms. */
  expiringPremiumCents: Cents;
  /** Written premium of those that were renewed. */
  retainedPremiumCents: Cents;
  /** The starting premium of the next terms. */
  renewalPremiumCents: Cents;
}

/**
 * Counts the terms that expired between two dates, inclusive, without being cancelled. A renewal cancelled flat renewed
 * nothing.
 */
export async function retentionOf(
  em: EntityManager,
  { from, to }: { from: BusinessDate; to: BusinessDate },
): Promise<Retention> {
  const [row] = await em.execute<Record<keyof Retention, string>[]>(
    `select count(*) as "expiringCount", count(next.id) as "renewedCount",
       coalesce(sum(p.gross_premium_cents), 0) as "expiringPremiumCents",
       coalesce(sum(p.gross_premium_cents) filter (where next.id is not null), 0) as "retainedPremiumCents",
       coalesce(sum(next.premium_cents), 0) as "renewalPremiumCents"
     from policies p
     left join lateral (
       select n.id, t.premium_change_cents as premium_cents from policies n
       join policy_transactions t on t.org_id = n.org_id and t.policy_id = n.id and t.sequence = 1
       where n.org_id = p.org_id and n.renewal_of = p.id
         and (n.cancellation is null or (n.cancellation ->> 'effectiveDate')::date > n.effective_date)
       limit 1
     ) next on true
     where p.org_id = ? and p.expiration_date between ?::date and ?::date
       and (p.cancellation is null or (p.cancellation ->> 'effectiveDate')::date >= p.expiration_date)`,
    [organizationOf(em), from, to],
  );
  const numberOf = (name: keyof Retention) => Number(row?.[name] ?? 0);
  return {
    expiringCount: numberOf('expiringCount'),
    renewedCount: numberOf('renewedCount'),
    expiringPremiumCents: numberOf('expiringPremiumCents'),
    retainedPremiumCents: numberOf('retainedPremiumCents'),
    renewalPremiumCents: numberOf('renewalPremiumCents'),
  };
}
