// Submissions that were quoted in a period, and how many of them were bound by its end.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Period, PortfolioFigures } from '../../../domain/insight/portfolio.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { DIMENSIONS, type Dimension, type Grouped, groupedOf, PERIODS, periodsText } from './periods.ts';
import { ALL_ROWS, type SeenEntities, type SeenRows, seenRows, sightValues } from './seen-rows.ts';

type QuoteFigures = Pick<PortfolioFigures, 'quoteCount' | 'quotedAndBound'>;

const statementOf = (dimension: Dimension, { name, bound, quotes, submissions }: SeenRows) => ({
  name: `quotes by ${dimension} of ${name}`,
  text: `with periods as (${PERIODS})
select label, ${DIMENSIONS[dimension].ofSubmission} as key, count(*) as "quoteCount",
  count(*) filter (where exists (
    select from policies p join ${bound} t on t.org_id = p.org_id and t.policy_id = p.id and t.sequence = 1
    where p.org_id = $1 and p.submission_id = s.id and p.renewal_of is null and t.issued_on <= last
  )) as "quotedAndBound"
from periods
cross join lateral (
  select distinct q.submission_id from ${quotes} q where q.org_id = $1 and q.issued_on between first and last
) quoted
join ${submissions} s on s.org_id = $1 and s.id = quoted.submission_id
group by 1, 2`,
});

/** Counts quoted submissions by period and group. A submission quoted twice counts once. */
export async function quoteFigures(
  em: EntityManager,
  dimension: Dimension,
  periods: readonly Period[],
  sight: SeenEntities | null = null,
): Promise<Grouped<QuoteFigures>[]> {
  const values = [organizationOf(em), periodsText(periods), ...(sight ? sightValues(sight) : [])];
  const statement = statementOf(dimension, sight ? seenRows(3) : ALL_ROWS);
  const rows = await preparedRows<Record<string, string | null>>(em, statement, values);
  return rows.map(groupedOf<QuoteFigures>);
}
