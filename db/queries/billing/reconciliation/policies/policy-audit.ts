// Every policy change left a record of who made it; transactions issued together share one.
import type { BookCheck } from '../check.ts';

export const policyAudit: BookCheck = {
  name: 'policy_audit',
  over: 'policies',
  unit: 'count',
  sql: `
select page.id, 'audit' as part, issued.count as expected, least(found.count, issued.count) as actual
  from page
  cross join lateral (select count(distinct t.issued_at) from policy_transactions t
    where t.org_id = :org and t.policy_id = page.id) issued
  cross join lateral (select count(*) from audit_entries a
    where a.org_id = :org and a.entity_id = page.id and a.entity_type = 'policy') found`,
};
