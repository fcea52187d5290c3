// Commission and the trust by day: an agency's records for a date must add up to what account 2020 received that day.
export const COMMISSION_DAYS = `
with recorded as (
  select org_id, invoice_id, recorded_on as day, sum(agent_commission_cents) as cents
  from commission_records group by 1, 2, 3
), shared as (
  select e.org_id, e.invoice_id, e.date as day, sum(l.credit_cents - l.debit_cents) as cents
  from ledger_entries e join ledger_lines l on l.org_id = e.org_id and l.entry_id = e.id and l.account = 2020
  where e.invoice_id is not null group by 1, 2, 3
)
select org_id as "orgId", invoice_id as "invoiceId", day::text, coalesce(recorded.cents, 0) as recorded,
  coalesce(shared.cents, 0) as shared
from recorded full join shared using (org_id, invoice_id, day)
where coalesce(recorded.cents, 0) <> coalesce(shared.cents, 0)`;
