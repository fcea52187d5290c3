// A return is made of parts of receipts of the same invoice, and no receipt gives more than it took.
import type { BookCheck } from '../check.ts';
import { PAYING, RETURNS } from '../sql.ts';

export const returnAllocations: BookCheck = {
  name: 'return_allocations',
  over: 'payments',
  unit: 'cents',
  sql: `
select page.id, 'allocations' as part, -page.amount_cents as expected,
    (select coalesce(sum((part ->> 'amountCents')::bigint), 0)::bigint from jsonb_array_elements(page.allocations) part
      join payments r on r.org_id = :org and r.id = part ->> 'paymentId' and r.kind in ${PAYING}
        and r.invoice_id is not distinct from page.invoice_id and r.method = part ->> 'method') as actual
  from page where page.kind in ${RETURNS}`,
};

/**
 * A refund we had the card processor make carries the processor's id, on the row or on each part. A failed part may
 * have received its id only on failure.
 */
export const refundReference: BookCheck = {
  name: 'refund_reference',
  over: 'payments',
  unit: 'count',
  sql: `
select page.id, 'reference' as part, 1 as expected,
    case when count(part ->> 'processorRefundId') = 1 and page.reference = min(part ->> 'processorRefundId')
      or (count(part ->> 'processorRefundId') <> 1 or count(part -> 'failedAt') > 0) and page.reference = page.id
      then 1 else 0 end as actual
  from page cross join jsonb_array_elements(page.allocations) part
  where page.kind = 'refund' and page.status = 'succeeded' group by page.id, page.reference`,
};
