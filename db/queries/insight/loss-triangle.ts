// The cost of claims by year of loss and by the number of calendar years until it was booked.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { YearOfLoss } from '../../../domain/insight/loss-triangle.ts';
import { organizationOf } from '../../scope.ts';
import { INCURRED, PAID_LOSSES } from './losses.ts';

/** Adds up the entries of all claims, by year of loss and lag in years. */
export async function yearsOfLoss(em: EntityManager): Promise<YearOfLoss[]> {
  const rows = await em.execute<Record<keyof YearOfLoss, string>[]>(
    `select extract(year from c.loss_date)::int as "accidentYear",
       greatest(0, extract(year from e.happened_on) - extract(year from c.loss_date))::int as lag,
       sum(${INCURRED}) as "incurredCents", sum(${PAID_LOSSES}) as "paidCents"
     from claim_entries e join claims c on c.org_id = e.org_id and c.id = e.claim_id
     where e.org_id = ? group by 1, 2 order by 1, 2`,
    [organizationOf(em)],
  );
  return rows.map(({ accidentYear, lag, incurredCents, paidCents }) => ({
    ...{ accidentYear: Number(accidentYear), lag: Number(lag) },
    ...{ incurredCents: Number(incurredCents), paidCents: Number(paidCents) },
  }));
}
