// Incurred and paid losses by period and group, by the business dates of the claim history entries.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Period, PortfolioFigures } from '../../../domain/insight/portfolio.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { DIMENSIONS, type Dimension, type Grouped, groupedOf, PERIODS, periodsText } from './periods.ts';
import { ALL_ROWS, type SeenEntities, type SeenRows, seenRows, sightValues } from './seen-rows.ts';

/** By how many cents an entry `e` moved an amount of its claim. */
export const moved = (field: string) =>
  `(coalesce((e.changes -> '${field}' ->> 'after')::bigint, 0) - coalesce((e.changes -> '${field}' ->> 'before')::bigint, 0))`;

const RECOVERED = moved('recoveredCents');

/**
 * A reserve is the full expected cost of the claim, including paid amounts, so incurred is reserves less recoveries.
 */
export const INCURRED = `(${moved('reserveIndemnityCents')} + ${moved('reserveExpenseCents')} - ${RECOVERED})`;
export const PAID_LOSSES = `(${moved('paidIndemnityCents')} + ${moved('paidExpenseCents')} - ${RECOVERED})`;

const statementOf = (dimension: Dimension, { name, claims, entries }: SeenRows) => ({
  name: `losses by ${dimension} of ${name}`,
  text: `with periods as (${PERIODS})
select label, ${DIMENSIONS[dimension].ofClaim} as key, sum(${INCURRED}) as "incurredCents", sum(${PAID_LOSSES}) as "paidCents",
  count(*) as "entryCount"
from periods join ${entries} e on e.org_id = $1 and e.happened_on between first and last
join ${claims} c on c.org_id = e.org_id and c.id = e.claim_id
group by 1, 2`,
});

/** Adds up the cost of claims by period and group, in cents. */
export async function lossFigures(
  em: EntityManager,
  dimension: Dimension,
  periods: readonly Period[],
  sight: SeenEntities | null = null,
): Promise<Grouped<Pick<PortfolioFigures, 'incurredCents' | 'paidCents'>>[]> {
  const values = [organizationOf(em), periodsText(periods), ...(sight ? sightValues(sight) : [])];
  const statement = statementOf(dimension, sight ? seenRows(3) : ALL_ROWS);
  const rows = await preparedRows<Record<string, string | null>>(em, statement, values);
  return rows.map(groupedOf<Pick<PortfolioFigures, 'incurredCents' | 'paidCents'>>);
}
