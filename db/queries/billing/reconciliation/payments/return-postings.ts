// What both ledgers have of the returns in `page`, for the checks that hold it against their rows: as `posted`, line by
// line under the type of its entry, with what reverses it.

/**
 * A return's own entries, and those by which its receipt gives what operating money had covered. They name the invoice
 * of the return, if it has one.
 */
export const POSTED_RETURNS = `of_returns as (
  select page.id, e.id as entry_id, e.entry_type from page
    join ledger_entries e on e.org_id = :org and e.source_type = 'refund' and e.source_id = page.id
  union all
  select page.id, e.id, e.entry_type from page
    join ledger_entries e on e.org_id = :org and e.source_type = 'settlement'
      and e.entry_type in ('return', 'uncovered', 'loss_recovered') and split_part(e.source_id, '/', 1) = page.id
      and (e.invoice_id = page.invoice_id or e.invoice_id is null and page.invoice_id is null)
), posted as (
  select o.id, o.entry_type, l.account, l.debit_cents - l.credit_cents as debit
    from of_returns o join ledger_lines l on l.org_id = :org and l.entry_id = o.entry_id
  union all
  select o.id, o.entry_type, l.account, l.debit_cents - l.credit_cents from of_returns o
    join ledger_entries r on r.org_id = :org and r.reverses_entry_id = o.entry_id and r.entry_type = 'reversal'
    join ledger_lines l on l.org_id = :org and l.entry_id = r.id
)`;
