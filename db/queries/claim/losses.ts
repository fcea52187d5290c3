// The cost of claims, by the producer of the policy.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Cents } from '../../../domain/money.ts';
import type { Visibility } from '../../../domain/permissions.ts';
import { organizationOf } from '../../scope.ts';

/** The loss date range is inclusive. */
export interface LossFilter {
  visibility: Visibility;
  producerId?: string | undefined;
  lossFrom?: BusinessDate | undefined;
  lossTo?: BusinessDate | undefined;
}

/** The claims of a producer's policies; null collects those of policies without one. */
export interface ProducerLosses {
  producerId: string | null;
  claims: number;
  open: number;
  paidCents: Cents;
  outstandingCents: Cents;
  recoveredCents: Cents;
}

/** Adds up the claims a caller may see, one row per producer, by id. */
export async function lossesByProducer(em: EntityManager, filter: LossFilter): Promise<ProducerLosses[]> {
  const { visibility, producerId = null, lossFrom = null, lossTo = null } = filter;
  const rows = await em.execute<Record<keyof ProducerLosses, string | number | null>[]>(
    `select producer_id as "producerId", count(*)::int as claims,
       (count(*) filter (where status <> 'closed'))::int as open,
       sum(paid_indemnity_cents + paid_expense_cents) as "paidCents",
       sum(reserve_indemnity_cents - paid_indemnity_cents + reserve_expense_cents - paid_expense_cents)
         as "outstandingCents",
       sum(recovered_cents) as "recoveredCents"
     from claims
     where org_id = ? and (?::text is null or producer_id = ?) and (?::date is null or loss_date >= ?::date)
       and (?::date is null or loss_date <= ?::date) and ${seenBy(visibility)}
     group by producer_id order by producer_id nulls last`,
    [organizationOf(em), producerId, producerId, lossFrom, lossFrom, lossTo, lossTo, ...namesOf(visibility)],
  );
  return rows.map((row) => ({
    producerId: row.producerId === null ? null : String(row.producerId),
    ...{ claims: Number(row.claims), open: Number(row.open), paidCents: Number(row.paidCents) },
    ...{ outstandingCents: Number(row.outstandingCents), recoveredCents: Number(row.recoveredCents) },
  }));
}

/** An adjuster sees the claims assigned to them, a producer those of their policies. */
function seenBy({ kind }: Visibility): string {
  if (kind === 'all') return 'true';
  if (kind === 'adjuster') return 'adjuster_id = ?';
  return kind === 'producers' ? 'producer_id in (select jsonb_array_elements_text(?::jsonb))' : 'false';
}

function namesOf(visibility: Visibility): string[] {
  if (visibility.kind === 'adjuster') return [visibility.userId];
  return visibility.kind === 'producers' ? [JSON.stringify(visibility.producerIds)] : [];
}
