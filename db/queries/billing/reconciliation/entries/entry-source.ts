// Every entry has its cause: the payment, return, invoice or entry that it names.
import type { BookCheck } from '../check.ts';

export const entrySource: BookCheck = {
  name: 'entry_source',
  over: 'ledger_entries',
  unit: 'count',
  sql: `
select page.id, source_type as part, 1 as expected, case source_type
    when 'payment' then (select count(*) from payments p where p.org_id = :org and p.id = source_id
      and p.kind in ('card', 'manual'))
    when 'refund' then (select count(*) from payments p where p.org_id = :org and p.id = source_id
      and p.kind in ('refund', 'chargeback'))
    when 'invoice' then (select count(*) from invoices i where i.org_id = :org and i.id = source_id)
    when 'entry' then (select count(*) from ledger_entries e where e.org_id = :org and e.id = source_id
      and e.id = page.reverses_entry_id)
    else 1 end as actual
  from page`,
};
