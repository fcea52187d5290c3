// Every payment and return left a record of who made it.
import type { BookCheck } from '../check.ts';

export const paymentAudit: BookCheck = {
  name: 'payment_audit',
  over: 'payments',
  unit: 'count',
  sql: `
select page.id, 'audit' as part, 1 as expected,
    (select least(count(*), 1) from audit_entries a
      where a.org_id = :org and a.entity_id = page.id and a.entity_type = 'payment') as actual
  from page`,
};
