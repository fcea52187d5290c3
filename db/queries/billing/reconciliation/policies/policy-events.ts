// Every policy transaction that took effect was published, and so was everything announced, withdrawn, or ended by
// date. Contract 3.2, 3.6.
import type { BookCheck } from '../check.ts';
import { HAS_MOVED } from './policy-written.ts';

/** The event for each transaction type; those of the second list name their transaction. */
const OF_TERM = `(values ('new_business', 'policy.bound'), ('renewal', 'policy.renewed'),
  ('non_renewal', 'policy.non_renewed')) published (type, event)`;
const OF_CHANGE = `(values ('endorsement', 'policy.endorsed'), ('cancellation', 'policy.cancelled'),
  ('reinstatement', 'policy.reinstated'), ('audit', 'policy.audited'),
  ('payment_plan', 'policy.payment_plan_changed')) published (type, event)`;

/** A reinstatement before the effective date of a cancellation only withdraws it. */
const IS_WITHDRAWAL = "coalesce((t.changes ->> 'withdrawal')::boolean, false)";

/** How often the policy in `page` has an event, for transaction `t` if given. */
const publishedOf = (event: string, ofTransaction = '') => `(select count(*) from events e
    where e.org_id = :org and e.data ->> 'policyId' = page.id and e.type = ${event} ${ofTransaction})`;
const OF_TRANSACTION = "and e.data ->> 'transactionId' = t.id";

/**
 * A cancellation that has not moved money was announced. Unless it or another one is still pending, it was withdrawn.
 * One that lapsed the policy has its own event.
 */
export const policyEvents: BookCheck = {
  name: 'policy_events',
  over: 'policies',
  unit: 'count',
  sql: `
select page.id, published.event as part, issued.count as expected, least(found.count, issued.count) as actual
  from page cross join ${OF_TERM}
  cross join lateral (select count(*) from policy_transactions t where t.org_id = :org and t.policy_id = page.id
    and t.type = published.type) issued
  cross join lateral ${publishedOf('published.event')} found
union all
select page.id, published.event || ' ' || t.id, 1, least(${publishedOf('published.event', OF_TRANSACTION)}, 1)
  from page join policy_transactions t on t.org_id = :org and t.policy_id = page.id
  join ${OF_CHANGE} using (type)
  where not ${IS_WITHDRAWAL} and ${HAS_MOVED}
union all
select page.id, 'policy.expired', 1, least(${publishedOf("'policy.expired'")}, 1) from page where page.status = 'expired'
union all
select page.id, ended.event || ' ' || t.id, 1, least(${publishedOf('ended.event', OF_TRANSACTION)}, 1)
  from page join policy_transactions t on t.org_id = :org and t.policy_id = page.id and t.type = 'cancellation'
  cross join lateral (select ${HAS_MOVED} as moved) is_over
  cross join lateral (values
    ('policy.cancellation_scheduled', not is_over.moved),
    ('policy.cancellation_withdrawn', not is_over.moved and page.status <> 'pending_cancellation'),
    ('policy.lapsed', is_over.moved and coalesce((t.changes ->> 'lapse')::boolean, false))) ended (event, is_due)
  where ended.is_due`,
};
