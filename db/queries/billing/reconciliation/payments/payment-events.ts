// Every receipt for an invoice was published, except a kept refund, which was received earlier; so was every invoice
// that a receipt completed. Spec 6.1.
import type { BookCheck } from '../check.ts';
import { isUnderWay, RECEIPTS } from '../sql.ts';

export const paymentEvents: BookCheck = {
  name: 'payment_events',
  over: 'payments',
  unit: 'count',
  sql: `
select page.id, published.event as part, 1 as expected, least(count(e.id), 1) as actual
  from page
  cross join lateral (values ('payment.received'), ('invoice.paid')) published (event)
  left join events e on e.org_id = :org and e.data ->> 'policyId' = page.policy_id and e.type = published.event
    and e.data ->> 'invoiceId' = page.invoice_id and e.data ->> 'reference' = page.reference
    and (e.type = 'invoice.paid' or round((e.data ->> 'amount')::numeric * 100) = page.amount_cents)
  where page.kind in ${RECEIPTS} and page.invoice_id is not null
    and case published.event when 'payment.received' then page.method <> 'kept_refund' else page.completes_invoice end and not ${isUnderWay('page')}
  group by page.id, published.event`,
};
