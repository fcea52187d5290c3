// Nothing owed on an invoice is negative, and its unattributed money (2070) is what its payments have left unapplied
// together with what is paid and not yet shared out.
import type { BookCheck } from '../check.ts';
import { ENTRIES_OF_INVOICES, isInMotion, SHARE_ACCOUNTS } from '../sql.ts';

export const invoiceLiabilities: BookCheck = {
  name: 'invoice_liabilities',
  over: 'invoices',
  unit: 'cents',
  sql: `
with ${ENTRIES_OF_INVOICES}, held as (
  select invoice_id as id, account, -sum(debit) as cents from lines
    where account in ${SHARE_ACCOUNTS} or account in (2060, 2070) group by 1, 2
)
select id, account::text as part, greatest(cents, 0)::bigint as expected, cents::bigint as actual from held
  where not ${isInMotion('held.id')}`,
};

export const invoiceUnapplied: BookCheck = {
  name: 'invoice_unapplied',
  over: 'invoices',
  unit: 'cents',
  sql: `
with ${ENTRIES_OF_INVOICES}, held as (
  select invoice_id as id, coalesce(-sum(debit) filter (where account = 2070), 0) as cents from lines group by 1
), shared as (
  select invoice_id as id from entries where entry_type = 'split' and source_type = 'invoice'
    group by invoice_id having sum(sign) > 0
)
select page.id, '2070' as part, coalesce(held.cents, 0)::bigint as actual,
    (unapplied.cents + case when shared.id is null then page.paid_cents - page.refunded_cents else 0 end)::bigint
      as expected
  from page left join held using (id) left join shared using (id)
  cross join lateral (select coalesce(sum(amount_cents - applied_cents), 0) as cents from payments p
    where p.org_id = :org and p.invoice_id = page.id and p.status = 'succeeded') unapplied
  where not ${isInMotion('page.id')}`,
};
