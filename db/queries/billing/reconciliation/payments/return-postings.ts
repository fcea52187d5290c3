// The lines that both ledgers have for the returns in `page`, for checks against their rows: as `posted`, by entry
// type, including reversals.
import { RETURNS } from '../sql.ts';

/** The entries in which the receipt of a return funds what operating money had covered; they name its invoice. */
const uncovering = (ofInvoice: string) => `
  select page.id, e.id, e.entry_type from page join ledger_entries e on e.org_id = :org and ${ofInvoice}
      and e.source_type = 'settlement' and e.entry_type in ('return', 'uncovered', 'loss_recovered')
      and split_part(e.source_id, '/', 1) = page.id
    where page.kind in ${RETURNS}`;

export const POSTED_RETURNS = `of_returns as (
  select page.id, e.id as entry_id, e.entry_type from page
      join ledger_entries e on e.org_id = :org and e.source_type = 'refund' and e.source_id = page.id
    where page.kind in ${RETURNS}
  union all ${uncovering('e.invoice_id = page.invoice_id')}
  union all ${uncovering('page.invoice_id is null and e.invoice_id is null')}
), posted as (
  select o.id, o.entry_type, l.account, l.debit_cents - l.credit_cents as debit
    from of_returns o join ledger_lines l on l.org_id = :org and l.entry_id = o.entry_id
  union all
  select o.id, o.entry_type, l.account, l.debit_cents - l.credit_cents from of_returns o
    join ledger_entries r on r.org_id = :org and r.reverses_entry_id = o.entry_id and r.entry_type = 'reversal'
    join ledger_lines l on l.org_id = :org and l.entry_id = r.id
)`;
