// Portfolio figures from the daily sums: a period is the difference between the running totals at its ends. Whole
// months are one row. Decision 0140.
import type { EntityManager } from '@mikro-orm/postgresql';
import { addFigures, NO_FIGURES, type Period, type PortfolioFigures } from '../../../domain/insight/portfolio.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { type Dimension, type Grouped, groupedOf, PERIODS, periodsText } from './periods.ts';

/** Terms relevant to the periods, and claim entries: a group with either is in the result. */
export interface GroupPresence {
  termCount: number;
  entryCount: number;
}

export type FactFigures = Grouped<PortfolioFigures & GroupPresence>;

const flow = (column: string, name: string) => `sum(sign * ${column}) as "${name}"`;
const standing = (column: string, name: string) => `coalesce(sum(${column}) filter (where sign = 1), 0) as "${name}"`;

/** The running totals by the end of each period, and before its first day. */
const FIGURES = {
  name: 'portfolio facts',
  text: `with periods as (${PERIODS}),
ends as (
  select label, day, sign, date_trunc('month', day)::date as month
  from periods cross join lateral (values (last, 1), (first - 1, -1)) each (day, sign)
)
select label, key, ${flow('written_cents', 'writtenCents')}, ${flow('earned_cents', 'earnedCents')},
  ${standing('unearned_cents', 'unearnedCents')}, ${standing('in_force_cents', 'inForceCents')},
  ${standing('policy_count', 'policyCount')}, ${flow('binding_count', 'bindingCount')},
  ${flow('incurred_cents', 'incurredCents')}, ${flow('paid_cents', 'paidCents')}, ${flow('entry_count', 'entryCount')},
  ${flow('quote_count', 'quoteCount')}, ${flow('quoted_and_bound_count', 'quotedAndBound')}
from ends cross join lateral (
  select * from portfolio_facts where org_id = $1 and dimension = $3 and unit = 'month' and starts_on < month
  union all
  select * from portfolio_facts where org_id = $1 and dimension = $3 and unit = 'day' and starts_on between month and day
) facts
group by label, key`,
};

/** Terms that do not end before the first period, or have changed since, by group. */
const KEYS = {
  name: 'keys of portfolio facts',
  text: `with start as (select min(first) as day, date_trunc('month', min(first))::date as month from (${PERIODS}) periods)
select key, sum(term_count) as "termCount" from start cross join lateral (
  select key, term_count from portfolio_facts
  where org_id = $1 and dimension = $3 and unit = 'month' and starts_on > month
  union all
  select key, term_count from portfolio_facts
  where org_id = $1 and dimension = $3 and unit = 'day' and starts_on >= day and starts_on < month + interval '1 month'
) facts
group by key having sum(term_count) <> 0`,
};

/** How days after a period have changed its quotes. */
const LAGS = {
  name: 'quotes changed later',
  text: `select label, key, -sum(quote_count) as "quoteCount", -sum(quoted_and_bound_count) as "quotedAndBound"
from (${PERIODS}) periods
join quote_lags l on l.org_id = $1 and l.dimension = $3 and l.event_on > last and l.origin_on between first and last
group by label, key`,
};

type Row = Record<string, string | null>;

/** Reads each period by group, including all groups with terms. */
export async function factFigures(
  em: EntityManager,
  dimension: Dimension,
  periods: readonly Period[],
): Promise<FactFigures[]> {
  const values = [organizationOf(em), periodsText(periods), dimension];
  const [sums, keys, lags] = await Promise.all([
    preparedRows<Row>(em, FIGURES, values),
    preparedRows<{ key: string | null; termCount: string }>(em, KEYS, values),
    preparedRows<Row>(em, LAGS, values),
  ]);
  const groups = new Map<string, FactFigures>();
  const add = ({ label, key, figures: added }: Grouped<Partial<PortfolioFigures & GroupPresence>>) => {
    const id = JSON.stringify([label, key]);
    const { figures } = groups.get(id) ?? { figures: { ...NO_FIGURES, termCount: 0, entryCount: 0 } };
    groups.set(id, { label, key, figures: addFigures(figures, added) });
  };
  for (const row of [...sums, ...lags]) add(groupedOf(row));
  for (const { key, termCount } of keys) {
    for (const { label } of periods) add({ label, key, figures: { termCount: Number(termCount) } });
  }
  return [...groups.values()];
}
