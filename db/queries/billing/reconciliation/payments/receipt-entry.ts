// Every receipt is in the ledger, once, on the account where its method puts it. Contract 3.4 "Receipt".
import type { BookCheck } from '../check.ts';
import { RECEIPTS } from '../sql.ts';

export const receiptEntryCheck: BookCheck = {
  name: 'receipt_entry',
  over: 'payments',
  unit: 'cents',
  sql: `
select page.id, part, expected, coalesce(actual, 0)::bigint as actual from page
cross join lateral (
  select sum(l.debit_cents) filter (where l.account = case page.method when 'card' then 1110 when 'kept_refund' then 2060 else 1010 end) as cash,
      sum(l.credit_cents) filter (where l.account = 2070) as unattributed
    from ledger_entries e join ledger_lines l on l.org_id = :org and l.entry_id = e.id
    where e.org_id = :org and e.source_type = 'payment' and e.source_id = page.id and e.entry_type = 'receipt'
      and e.invoice_id is not distinct from page.invoice_id
) posted
cross join lateral (values (case page.method when 'card' then '1110' when 'kept_refund' then '2060' else '1010' end, page.amount_cents, posted.cash),
  ('2070', page.amount_cents, posted.unattributed)) sides (part, expected, actual)
where page.kind in ${RECEIPTS}`,
};
