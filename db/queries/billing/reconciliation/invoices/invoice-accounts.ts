// Nothing owed on an invoice is negative, and its unattributed money (2070) is what its payments left unapplied plus
// what is paid but not shared out; for an invoice settled by a credit, the latter is what a reserved refund will take.
// Money applied to it later stays with the invoice it came in for.
import { WAITING_CENTS } from '../../waiting-refunds.ts';
import type { BookCheck } from '../check.ts';
import { ENTRIES_OF_INVOICES, isInMotion, SHARE_ACCOUNTS, SHARED_INVOICES } from '../sql.ts';

export const invoiceLiabilities: BookCheck = {
  name: 'invoice_liabilities',
  over: 'invoices',
  unit: 'cents',
  sql: `
with ${ENTRIES_OF_INVOICES}, held as (
  select invoice_id as id, account, -sum(debit) as cents from lines
    where account in ${SHARE_ACCOUNTS} or account in (2060, 2070) group by 1, 2
)
select held.id, account::text as part,
    greatest(held.cents, case when account = 2070 then -moved.cents else 0 end)::bigint as expected,
    held.cents::bigint as actual
  from held cross join lateral (select coalesce(sum(applied_cents), 0) as cents from payments p
    where p.org_id = :org and p.invoice_id = held.id and p.kind = 'application') moved
  where not ${isInMotion('held.id')}`,
};

export const invoiceUnapplied: BookCheck = {
  name: 'invoice_unapplied',
  over: 'invoices',
  unit: 'cents',
  sql: `
with ${ENTRIES_OF_INVOICES}, held as (
  select invoice_id as id, coalesce(-sum(debit) filter (where account = 2070), 0) as cents from lines group by 1
), ${SHARED_INVOICES}
select page.id, '2070' as part, coalesce(held.cents, 0)::bigint as actual,
    (unapplied.cents + case when shared.id is null then page.paid_cents - page.refunded_cents
      else ${WAITING_CENTS('page')} end)::bigint as expected
  from page left join held using (id) left join shared using (id)
  cross join lateral (select coalesce(sum(amount_cents - applied_cents + covered_cents), 0) as cents
    from payments p
    where p.org_id = :org and p.invoice_id = page.id and p.status = 'succeeded') unapplied
  where not ${isInMotion('page.id')}`,
};
