// Every policy transaction that has taken effect was published.
import type { BookCheck } from '../check.ts';
import { HAS_MOVED } from './policy-written.ts';

/** The event of each type of transaction. */
const PUBLISHED = `(values ('new_business', 'policy.bound'), ('endorsement', 'policy.endorsed'),
  ('cancellation', 'policy.cancelled'), ('renewal', 'policy.renewed'),
  ('audit', 'policy.audited'), ('payment_plan', 'policy.payment_plan_changed')) published (type, event)`;

export const policyEvents: BookCheck = {
  name: 'policy_events',
  over: 'policies',
  unit: 'count',
  sql: `
select page.id, published.event as part, issued.count as expected, least(found.count, issued.count) as actual
  from page cross join ${PUBLISHED}
  cross join lateral (select count(*) from policy_transactions t
    where t.org_id = :org and t.policy_id = page.id and t.type = published.type and ${HAS_MOVED}) issued
  cross join lateral (select count(*) from events e
    where e.org_id = :org and e.data ->> 'policyId' = page.id and e.type = published.event) found`,
};
