// The figures of a portfolio from its daily sums: what lies between the ends of a period is the difference of what had
// come together by each. Whole months are one row. Decision 0140.
import type { EntityManager } from '@mikro-orm/postgresql';
import { addFigures, NO_FIGURES, type Period, type PortfolioFigures } from '../../../domain/insight/portfolio.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { type Dimension, type Grouped, PERIODS, periodsText } from './periods.ts';

/** Figures that say, too, whether their group has more to it than quotes. */
export type FactFigures = Grouped<PortfolioFigures> & { hasHistory: boolean };

const flow = (column: string, name: string) => `sum(sign * ${column}) as "${name}"`;
const standing = (column: string, name: string) => `coalesce(sum(${column}) filter (where sign = 1), 0) as "${name}"`;

/** All that had come together by the end of each period, and before its first day. */
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

/** The groups with a term that is not over before the first period, or has changed since. */
const KEYS = {
  name: 'keys of portfolio facts',
  text: `with start as (select min(first) as day, date_trunc('month', min(first))::date as month from (${PERIODS}) periods)
select key from start cross join lateral (
  select key, term_count from portfolio_facts
  where org_id = $1 and dimension = $3 and unit = 'month' and starts_on > month
  union all
  select key, term_count from portfolio_facts
  where org_id = $1 and dimension = $3 and unit = 'day' and starts_on >= day and starts_on < month + interval '1 month'
) facts
group by key having sum(term_count) > 0`,
};

/** What days after a period have changed of the quotes in it. */
const LAGS = {
  name: 'quotes changed later',
  text: `select label, key, -sum(quote_count) as "quoteCount", -sum(quoted_and_bound_count) as "quotedAndBound"
from (${PERIODS}) periods
join quote_lags l on l.org_id = $1 and l.dimension = $3 and l.event_on > last and l.origin_on between first and last
group by label, key`,
};

type Row = { label: string; key: string | null } & Record<string, string>;

/** Reads each period by group, and the groups that have nothing but a term. */
export async function factFigures(
  em: EntityManager,
  dimension: Dimension,
  periods: readonly Period[],
): Promise<FactFigures[]> {
  const values = [organizationOf(em), periodsText(periods), dimension];
  const [sums, keys, lags] = await Promise.all([
    preparedRows<Row>(em, FIGURES, values),
    preparedRows<{ key: string | null }>(em, KEYS, values),
    preparedRows<Row>(em, LAGS, values),
  ]);
  const groups = new Map<string, FactFigures>();
  const add = ({ label, key, ...added }: FactAmounts) => {
    const id = JSON.stringify([label, key]);
    const { figures = NO_FIGURES, hasHistory = false } = groups.get(id) ?? {};
    const group = { label, key, figures: addFigures(figures, added.figures) };
    groups.set(id, { ...group, hasHistory: hasHistory || added.hasHistory });
  };
  for (const row of [...sums, ...lags]) add(amountsOf(row));
  for (const { key } of keys) for (const { label } of periods) add({ label, key, figures: {}, hasHistory: true });
  return [...groups.values()];
}

interface FactAmounts {
  label: string;
  key: string | null;
  figures: Partial<PortfolioFigures>;
  hasHistory: boolean;
}

function amountsOf({ label, key, entryCount, ...sums }: Row): FactAmounts {
  const figures = Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, Number(value)]));
  return { label, key, figures, hasHistory: Number(entryCount ?? 0) > 0 };
}
