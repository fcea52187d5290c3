// Somebody was alerted to every dispute that was opened, to every one that was lost, and to money that operating funds
// had to cover. Contract 3.4, spec 6.4.
import type { BookCheck } from '../check.ts';
import { IS_OF_WON_DISPUTE, RETURNS } from '../sql.ts';

/** A dispute that was won before we heard of its opening took nothing, and alerted nobody. */
const WAS_OPEN = `(page.status = 'succeeded' or exists (select from audit_entries won
    where won.org_id = :org and won.entity_id = page.id and ${IS_OF_WON_DISPUTE}))`;

export const alertEvents: BookCheck = {
  name: 'alert_events',
  over: 'payments',
  unit: 'count',
  sql: `
select page.id, due.operation as part, due.times as expected, least(count(e.id), due.times) as actual
  from page
  cross join lateral (values
    ('chargeback', case when page.dispute is null or not ${WAS_OPEN} then 0
      when page.dispute ->> 'outcome' = 'lost' then 2 else 1 end),
    ('trust.covered', case when page.status = 'succeeded' and page.covered_cents > 0 then 1 else 0 end)
  ) due (operation, times)
  left join events e on e.org_id = :org and e.type = 'financial.operation_failed'
    and e.data ->> 'paymentId' = page.id and e.data ->> 'operation' = due.operation
    and e.data ->> 'reference' = page.reference
  where page.kind in ${RETURNS} and due.times > 0
  group by page.id, due.operation, due.times`,
};
