// Every payment that was never good was published: a reversal, a lost dispute, and what another invoice gave up because
// of one. So were any invoice paid by a won dispute, and the request and decision for a refund that someone else had to
// approve. Contract 3.4.
import type { BookCheck } from '../check.ts';
import { IS_OF_WON_DISPUTE } from '../sql.ts';

/**
 * What must be published for a return in `page`: the event, and the facts that distinguish it from others of its
 * policy.
 */
const PUBLISHED = `
    select 'payment.failed' as event, page.id as part, receipt.reference, -page.amount_cents as cents
      from payments receipt where receipt.org_id = :org and receipt.id = page.allocations -> 0 ->> 'paymentId'
        and page.status = 'succeeded'
        and (page.kind = 'reversal' or page.kind = 'chargeback' and page.dispute ->> 'outcome' = 'lost')
    union all
    select 'payment.failed', taken ->> 'at', page.reference, (taken ->> 'amountCents')::bigint
      from jsonb_array_elements(page.take_backs) taken
    union all
    select 'invoice.paid', page.id, receipt.reference, null
      from audit_entries won, payments receipt
      where page.kind = 'chargeback' and won.org_id = :org and won.entity_id = page.id
        and ${IS_OF_WON_DISPUTE} and won.changes -> 'invoicePaid' ->> 'after' = 'true'
        and receipt.org_id = :org and receipt.id = page.allocations -> 0 ->> 'paymentId'
    union all
    select 'refund.' || step.word, page.id, null, null
      from (values ('approval_requested'), (page.approval ->> 'decision')) step (word)
      where page.kind = 'refund' and page.approval is not null and step.word is not null`;

export const returnEvents: BookCheck = {
  name: 'return_events',
  over: 'payments',
  unit: 'count',
  sql: `
select page.id, published.event || ' ' || published.part as part, 1 as expected, least(count(e.id), 1) as actual
  from page
  cross join lateral (${PUBLISHED}) published
  left join events e on e.org_id = :org and e.data ->> 'policyId' = page.policy_id and e.type = published.event
    and case published.event when 'payment.failed'
      then e.data ->> 'status' = 'reversed' and e.data ->> 'invoiceId' = page.invoice_id
        and e.data ->> 'reference' = published.reference
        and round((e.data ->> 'amount')::numeric * 100) = published.cents
      when 'invoice.paid'
      then e.data ->> 'invoiceId' = page.invoice_id and e.data ->> 'reference' = published.reference
      else e.data ->> 'refundId' = page.id end
  where page.policy_id is not null and page.invoice_id is not null
  group by page.id, published.event, published.part`,
};
