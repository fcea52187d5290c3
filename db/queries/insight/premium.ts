// Premium by period and group, on the basis of issued dates: written, earned day by day, in force. A policy whose
// history is more than a series of endorsements and perhaps an end is left to the rules in domain/policy/term.ts.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Period, PremiumFigures } from '../../../domain/insight/portfolio.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { DIMENSIONS, type Dimension, type Grouped, groupedOf, PERIODS, periodsText } from './periods.ts';
import { ALL_ROWS, type SeenEntities, type SeenRows, seenRows, sightValues } from './seen-rows.ts';

/** A term left to the rules. */
export interface InvolvedPolicy {
  policyId: string;
  key: string | null;
  effectiveDate: string;
  expirationDate: string;
}

/**
 * What makes a policy history more than a simple series; the index `policy_transactions_involved` has the same
 * condition.
 */
export const INVOLVED = `reverses is not null or reapplied <> '[]' or type = 'reinstatement'`;

/**
 * The day from which the premium left by a cancellation is earned: when it was booked, but not before it takes effect.
 * A flat cancellation before the term begins is booked immediately, and earns nothing until then.
 */
export const endedOn = (policy: string) =>
  `min(greatest(booked_on, starts)) filter (where type = 'cancellation') over (partition by ${policy})`;

/** The terms relevant to the periods: not over before the first of them, or with a transaction since. */
const terms = (key: string, { policies, transactions, billings }: SeenRows) => `
periods as (${PERIODS}),
terms as (
  select p.id, p.effective_date, p.expiration_date, ${key} as key,
    p.id in (select policy_id from ${transactions} known where org_id = $1 and (${INVOLVED})) as is_involved
  from ${policies} p
  where p.org_id = $1 and (
    p.expiration_date >= (select min(first) from periods)
    or p.id in (select policy_id from ${transactions} known
      where org_id = $1 and issued_on >= (select min(first) from periods))
    or p.id in (select t.policy_id from ${billings} b
      join ${transactions} t on t.org_id = b.org_id and t.id = b.transaction_id
      where b.org_id = $1 and b.booked_on >= (select min(first) from periods)))
)`;

/** Transactions that moved money, with the day they did. */
const booked = (key: string, seen: SeenRows) => `${terms(key, seen)},
booked as (
  select p.id as policy_id, p.key, p.is_involved, p.effective_date as term_from, p.expiration_date as term_to,
    t.type, t.sequence, t.effective_date as starts, t.premium_change_cents as cents,
    case when t.type = 'cancellation' then b.booked_on else t.issued_on end as booked_on
  from terms p
  join ${seen.transactions} t on t.org_id = $1 and t.policy_id = p.id
  left join ${seen.billings} b on b.org_id = $1 and b.transaction_id = t.id and t.type = 'cancellation'
  where t.type <> 'cancellation' or b.transaction_id is not null
),
rows as (
  select *, ${endedOn('policy_id')} as ended_on from booked
)`;

/**
 * The part of a row earned before a day, that day excluded; all of it once coverage has ended. Rounded as in the rules.
 * Domain facts 3.2: premium x elapsed days / days of the term.
 */
const earnedBy = (day: string) => `
  case when is_involved or booked_on > ${day} then 0
    when ended_on <= ${day} or starts >= term_to then cents
    else cents - round(cents::numeric * (term_to - greatest(least(${day}, term_to), starts)) / (term_to - starts))
  end`;

const IN_FORCE = `not is_involved and term_from <= last and last < term_to and booked_on <= last
  and (ended_on is null or ended_on > last)`;

const statementOf = (dimension: Dimension, seen: SeenRows) => ({
  name: `premium by ${dimension} of ${seen.name}`,
  text: `with ${booked(DIMENSIONS[dimension].ofPolicy, seen)}
select label, key,
  coalesce(sum(cents) filter (where booked_on between first and last), 0) as "writtenCents",
  sum(earned_last - earned_before) as "earnedCents",
  sum(case when is_involved or booked_on > last then 0 else cents end - earned_last) as "unearnedCents",
  coalesce(sum(round(cents::numeric * (term_to - term_from) / nullif(term_to - starts, 0)))
    filter (where ${IN_FORCE} and starts <= last), 0) as "inForceCents",
  count(*) filter (where ${IN_FORCE} and sequence = 1) as "policyCount",
  count(*) filter (where type in ('new_business', 'renewal') and booked_on between first and last) as "bindingCount"
  ${seen === ALL_ROWS ? '' : ', count(distinct policy_id) as "termCount"'}
from periods cross join rows
cross join lateral (select ${earnedBy('(first - 1)')} as earned_before, ${earnedBy('last')} as earned_last) earned
group by label, key`,
});

const involvedOf = (dimension: Dimension, seen: SeenRows) => ({
  name: `involved policies by ${dimension} of ${seen.name}`,
  text: `with ${terms(DIMENSIONS[dimension].ofPolicy, seen)}
select id as "policyId", key, effective_date::text as "effectiveDate", expiration_date::text as "expirationDate"
from terms where is_involved order by id`,
});

/**
 * Adds up premium by period and group. Involved policies contribute only written premium and bound counts; the rest
 * follows from their transactions.
 */
export async function premiumFigures(
  em: EntityManager,
  dimension: Dimension,
  periods: readonly Period[],
  sight: SeenEntities | null = null,
): Promise<{ figures: Grouped<PremiumFigures>[]; involved: InvolvedPolicy[] }> {
  const seen = sight ? seenRows(3) : ALL_ROWS;
  const values = [organizationOf(em), periodsText(periods), ...(sight ? sightValues(sight) : [])];
  const rows = await preparedRows<Record<string, string | null>>(em, statementOf(dimension, seen), values);
  const involved = await preparedRows<InvolvedPolicy>(em, involvedOf(dimension, seen), values);
  return { figures: rows.map(groupedOf<PremiumFigures>), involved };
}
