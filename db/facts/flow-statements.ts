// What rows add to the daily sums of a portfolio, as statements: the premium of policies, the costs of claims, the
// quotes of submissions. They are worded like the statements that compute the figures from rows (db/queries/insight/):
// a sum must not differ from its rows. Decision 0140.
import { INCURRED, PAID_LOSSES } from '../queries/insight/losses.ts';
import { endedOn, INVOLVED } from '../queries/insight/premium.ts';
import type { SeenRows } from '../queries/insight/seen-rows.ts';

/** What a day adds, as in `portfolio_facts`. */
export const AMOUNTS = [
  ...['written_cents', 'earned_cents', 'unearned_cents', 'in_force_cents', 'policy_count', 'binding_count'],
  ...['term_count', 'incurred_cents', 'paid_cents', 'entry_count', 'quote_count', 'quoted_and_bound_count'],
] as const;

/** Statements before the main one, and the query of the flows: day, line, state, producer and every amount. */
export interface Flows {
  before: string;
  query: string;
}

/** What some rows add, or with -1 no longer add. */
type FlowsOf = (seen: SeenRows, sign: 1 | -1) => Flows;

function amounts(given: Partial<Record<(typeof AMOUNTS)[number], string>>, sign: 1 | -1): string {
  return AMOUNTS.map((name) => `${given[name] ? `${sign} * (${given[name]})` : '0'}::bigint as ${name}`).join(', ');
}

/** Cents x part / whole, rounded like the rules: half away from zero, in whole numbers. */
const share = (cents: string, part: string, whole: string) =>
  `(case when ${cents} < 0 then -1 else 1 end * ((2 * abs(${cents}) * (${part}) + (${whole})) / nullif(2 * (${whole}), 0)))`;

/** The part of a row earned by a day on or after its booking. */
const earnedBy = (day: string) => `
  case when ended_on <= ${day} or starts >= term_to then cents
    else cents - ${share('cents', `term_to - greatest(least(${day}, term_to), starts)`, 'term_to - starts')}
  end`;

const PLACE = 'line, state, producer';

export const premiumFlowStatements: FlowsOf = (seen, sign) => {
  const [rows, days] = ['rows', 'days'].map((name) => `${name}_${sign === 1 ? 'after' : 'before'}`);
  const before = `
${rows} as materialized (
  select *, ${endedOn('id')} as ended_on from (
    select p.id, p.line_of_business as line, p.state, p.producer_id as producer, p.effective_date as term_from,
      p.expiration_date as term_to, t.type, t.sequence, t.effective_date as starts, t.premium_change_cents as cents,
      case when t.type = 'cancellation' then b.booked_on else t.issued_on end as booked_on,
      p.id in (select policy_id from ${seen.transactions} known where org_id = $1 and (${INVOLVED})) as is_involved
    from ${seen.policies} p
    join ${seen.transactions} t on t.org_id = $1 and t.policy_id = p.id
    left join ${seen.billings} b on b.org_id = $1 and b.transaction_id = t.id and t.type = 'cancellation'
    where p.org_id = $1 and (t.type <> 'cancellation' or b.transaction_id is not null)
  ) booked
),
${days} as materialized (
  select booked_on + i as day, ${PLACE},
    sum(${earnedBy('(booked_on + i)')} - case when i = 0 then 0 else ${earnedBy('(booked_on + i - 1)')} end) as earned
  from ${rows}
  cross join lateral generate_series(0, greatest(0, least(term_to, ended_on) - booked_on)) as i
  where not is_involved and cents <> 0
  group by 1, ${PLACE}
)`;
  const isBind = `case when type in ('new_business', 'renewal') then 1 else 0 end`;
  const simple = 'case when is_involved then 0 else cents end';
  const annual = share('cents', 'term_to - term_from', 'term_to - starts');
  const query = `
select booked_on as day, ${PLACE},
  ${amounts({ written_cents: 'cents', binding_count: isBind, unearned_cents: simple }, sign)} from ${rows}
union all
select day, ${PLACE}, ${amounts({ earned_cents: 'earned', unearned_cents: '-earned' }, sign)} from ${days} where earned <> 0
union all
select day, ${PLACE}, ${amounts({ in_force_cents: `turn * ${annual}` }, sign)} from ${rows}
  cross join lateral (select greatest(term_from, booked_on, starts) as start, least(term_to, ended_on) as stop) cover
  cross join lateral (values (start, 1), (stop, -1)) turns (day, turn)
  where not is_involved and start < stop and starts < term_to
union all
select day, ${PLACE}, ${amounts({ policy_count: 'turn' }, sign)} from ${rows}
  cross join lateral (select greatest(term_from, booked_on) as start, least(term_to, ended_on) as stop) cover
  cross join lateral (values (start, 1), (stop, -1)) turns (day, turn)
  where not is_involved and sequence = 1 and start < stop
union all
select greatest(max(p.expiration_date), max(t.issued_on), max(b.booked_on)) as day, p.line_of_business, p.state,
    p.producer_id, ${amounts({ term_count: '1' }, sign)}
  from ${seen.policies} p
  join ${seen.transactions} t on t.org_id = $1 and t.policy_id = p.id
  left join ${seen.billings} b on b.org_id = $1 and b.transaction_id = t.id
  where p.org_id = $1
  group by p.id, p.line_of_business, p.state, p.producer_id`;
  return { before, query };
};

export const lossFlows: FlowsOf = ({ claims, entries }, sign) => ({
  before: '',
  query: `
select e.happened_on as day, c.line_of_business as line, c.state, c.producer_id as producer,
  ${amounts({ incurred_cents: INCURRED, paid_cents: PAID_LOSSES, entry_count: '1' }, sign)}
from ${entries} e join ${claims} c on c.org_id = e.org_id and c.id = e.claim_id where e.org_id = $1`,
});

/** A quote counts from its day until its submission's next quote, and as bound from the bind on. */
const quoteEvents = ({ submissions, quotes, bound }: SeenRows) => `
select ${PLACE}, origin, event, quotes, bound
from (
  select s.id, s.line_of_business as line, s.state, s.producer_id as producer, q.issued_on as origin,
    lead(q.issued_on) over (partition by s.id order by q.issued_on, q.quote_version) as next_on,
    b.bound_on
  from ${submissions} s join ${quotes} q on q.org_id = $1 and q.submission_id = s.id
  left join lateral (
    select min(t.issued_on) as bound_on from policies p
    join ${bound} t on t.org_id = p.org_id and t.policy_id = p.id and t.sequence = 1
    where p.org_id = $1 and p.submission_id = s.id and p.renewal_of is null
  ) b on true
  where s.org_id = $1
) spans
cross join lateral (
  select case when bound_on is not null and greatest(origin, bound_on) < coalesce(next_on, 'infinity')
    then greatest(origin, bound_on) end as taken_on
) taken
cross join lateral (values (origin, 1, 0), (next_on, -1, 0), (taken_on, 0, 1),
  (case when taken_on is not null then next_on end, 0, -1)) events (event, quotes, bound)
where event is not null`;

export const quoteFlows: FlowsOf = (seen, sign) => ({
  before: '',
  query: `
select origin as day, ${PLACE}, ${amounts({ quote_count: 'quotes', quoted_and_bound_count: 'bound' }, sign)}
from (${quoteEvents(seen)}) each`,
});

/** The quote events that come after the day of the quote. */
export const quoteLags = (seen: SeenRows, sign: 1 | -1) => `
select origin, event, ${PLACE}, ${sign} * quotes as quotes, ${sign} * bound as bound
from (${quoteEvents(seen)}) each where event > origin`;

/** The flows of policies whose premium follows from their history, as rows of a parameter. */
export const givenFlows: Flows = {
  before: '',
  query: `
select day, ${PLACE}, ${amounts(
    { earned_cents: 'earned', unearned_cents: 'unearned', in_force_cents: 'in_force', policy_count: 'policies' },
    1,
  )}
from jsonb_to_recordset($2::jsonb) as given (day date, line text, state text, producer text, earned bigint,
  unearned bigint, in_force bigint, policies bigint)`,
};
