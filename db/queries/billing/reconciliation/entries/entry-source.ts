// Every entry has its cause: the payment, return, disbursement, invoice or entry it names.
import type { BookCheck } from '../check.ts';
import { RECEIPTS, RETURNS } from '../sql.ts';

export const entrySource: BookCheck = {
  name: 'entry_source',
  over: 'ledger_entries',
  unit: 'count',
  sql: `
select page.id, page.source_type as part, 1 as expected, case page.source_type
    when 'payment' then (select count(*) from payments p where p.org_id = :org and p.id = page.source_id
      and p.kind in ${RECEIPTS})
    when 'refund' then (select count(*) from payments p where p.org_id = :org and p.id = page.source_id
      and p.kind in ${RETURNS})
    when 'disbursement' then (select count(*) from disbursements d where d.org_id = :org
      and d.id = split_part(page.source_id, ':', 1))
    when 'invoice' then (select count(*) from invoices i where i.org_id = :org and i.id = page.source_id)
    when 'journal' then (select count(*) from journals j where j.org_id = :org and j.id = page.source_id
      and j.entry_id = page.id)
    when 'claim_payment' then (select count(*) from claim_payments c where c.org_id = :org
      and c.id = split_part(page.source_id, ':', 1))
    when 'claim_recovery' then (select count(*) from claim_recoveries c where c.org_id = :org and c.id = page.source_id)
    when 'loss_fund_deposit' then (select count(*) from loss_fund_deposits f where f.org_id = :org
      and f.id = page.source_id)
    when 'remittance' then (select count(*) from remittances m where m.org_id = :org and m.id = page.source_id)
    when 'card_payout' then (select count(*) from card_payouts c where c.org_id = :org and c.id = page.source_id)
    when 'shortfall' then (select count(*) from trust_shortfalls s where s.org_id = :org and s.id = page.source_id)
    when 'entry' then (select count(*) from ledger_entries e where e.org_id = :org and e.id = page.source_id
      and e.id = page.reverses_entry_id)
    when 'settlement' then (select least(count(*), 1) from (
      select p.id from payments p where p.org_id = :org and p.id = split_part(page.source_id, '/', 1)
      union all select i.id from invoices i where i.org_id = :org and i.id = split_part(page.source_id, '/', 1)) causes)
    else 1 end as actual
  from page`,
};
