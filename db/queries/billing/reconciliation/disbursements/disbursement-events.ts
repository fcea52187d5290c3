// Every step of a check or transfer was published, and nothing was cancelled but what was published. Contract 3.4.
import type { BookCheck } from '../check.ts';
import { PAID_BEFORE_ISSUED } from './disbursement-entries.ts';

/** How much of the disbursement in `page` was cancelled, by its events: a kept part is one of them. */
const PUBLISHED_CENTS = `(select coalesce(sum(round(coalesce(e.data ->> 'cancelledAmount', e.data ->> 'amount')::numeric * 100)), 0)::bigint
  from events e where e.org_id = :org and e.data ->> 'policyId' = page.policy_id
    and e.type = 'disbursement.cancelled' and e.data ->> 'disbursementId' = page.id)`;

export const disbursementEvents: BookCheck = {
  name: 'disbursement_events',
  over: 'disbursements',
  unit: 'count',
  sql: `
select page.id, step.event as part, step.times as expected, least(count(e.id), step.times) as actual
  from page
  cross join lateral (values ('disbursement.created', 1), ('disbursement.issued', page.issues),
    ('disbursement.cleared', case when page.status = 'cleared' then 1 else 0 end),
    ('disbursement.stopped', case when page.status = 'stopped' then 1 else 0 end),
    ('disbursement.cancelled', case when page.cancelled_cents > 0 then 1 else 0 end)) step (event, times)
  left join events e on e.org_id = :org and e.data ->> 'policyId' = page.policy_id and e.type = step.event
    and e.data ->> 'disbursementId' = page.id
  where page.policy_id is not null and step.times > 0 and not ${PAID_BEFORE_ISSUED('page')}
  group by page.id, step.event, step.times
union all
select page.id, 'cancelled amount', 1, (page.cancelled_cents = ${PUBLISHED_CENTS})::int
  from page where page.policy_id is not null`,
};
