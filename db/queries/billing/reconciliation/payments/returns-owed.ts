// What a refund does not return by card is owed by check, once and in full: its disbursements are money that did not
// come by card and money that cards could not take back. Contract 3.4.
import type { BookCheck } from '../check.ts';
import { RETURNS } from '../sql.ts';

export const returnsOwed: BookCheck = {
  name: 'returns_owed',
  over: 'payments',
  unit: 'cents',
  sql: `
select page.id, 'disbursements' as part,
    case when page.kind = 'refund' and page.status = 'succeeded' then (
      select coalesce(sum((part ->> 'amountCents')::bigint), 0) from jsonb_array_elements(page.allocations) part
        where part ->> 'method' <> 'card' or part -> 'failedAt' is not null) else 0 end::bigint as expected,
    (select coalesce(sum(d.amount_cents), 0) from disbursements d
      where d.org_id = :org and d.refund_id = page.id)::bigint as actual
  from page where page.kind in ${RETURNS}`,
};
