// An alert was raised for every dispute opened, every dispute lost, money that operating funds had to cover, and any
// money of a won dispute that its invoice could not take. Contract 3.4, spec 6.4.
import type { BookCheck } from '../check.ts';
import { IS_OF_WON_DISPUTE, RETURNS } from '../sql.ts';

/** A dispute won before we heard of its opening took nothing and raised no alert. */
const WAS_OPEN = `(page.status = 'succeeded' or exists (select from audit_entries won
    where won.org_id = :org and won.entity_id = page.id and ${IS_OF_WON_DISPUTE}))`;

/** The money belongs to the receipt, and so does the alert. */
const SURPLUS = `
    select 'payment.unapplied', 1, receipt.id, receipt.reference, (won.changes -> 'unappliedCents' ->> 'after')::bigint
      from audit_entries won, payments receipt
      where page.kind = 'chargeback' and won.org_id = :org and won.entity_id = page.id
        and ${IS_OF_WON_DISPUTE} and won.changes -> 'unappliedCents' is not null
        and receipt.org_id = :org and receipt.id = page.allocations -> 0 ->> 'paymentId'`;

export const alertEvents: BookCheck = {
  name: 'alert_events',
  over: 'payments',
  unit: 'count',
  sql: `
select page.id, due.operation as part, due.times as expected, least(count(e.id), due.times) as actual
  from page
  cross join lateral (
    values ('chargeback', case when page.dispute is null or not ${WAS_OPEN} then 0
        when page.dispute ->> 'outcome' = 'lost' then 2 else 1 end, page.id, page.reference, null::bigint),
      ('trust.covered', case when page.status = 'succeeded' and page.covered_cents > 0 then 1 else 0 end,
        page.id, page.reference, null)
    union all ${SURPLUS}
  ) due (operation, times, payment_id, reference, cents)
  left join events e on e.org_id = :org and e.type = 'financial.operation_failed'
    and e.data ->> 'paymentId' = due.payment_id and e.data ->> 'operation' = due.operation
    and e.data ->> 'reference' = due.reference
    and (due.cents is null or round((e.data ->> 'amount')::numeric * 100) = due.cents)
  where page.kind in ${RETURNS} and due.times > 0
  group by page.id, due.operation, due.times`,
};
