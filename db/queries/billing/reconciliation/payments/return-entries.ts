// Every return is in the ledger: taken from those who shared the money, owed to the insured, and paid from where its
// receipts lie. One that failed has left nothing there. Contract 3.4.
import type { BookCheck } from '../check.ts';
import { isUnderWay, isUnsettled, RETURNS, SHARE_ACCOUNTS } from '../sql.ts';

/** The entries of the returns in `page` together with those that reverse them. */
const POSTED = `posted as (
  select page.id, e.entry_type, l.account, l.debit_cents - l.credit_cents as debit
    from page join ledger_entries e on e.org_id = :org and e.source_type = 'refund' and e.source_id = page.id
      and e.ledger = 'fiduciary'
    join ledger_lines l on l.org_id = :org and l.entry_id = e.id
  union all
  select page.id, e.entry_type, l.account, l.debit_cents - l.credit_cents
    from page join ledger_entries e on e.org_id = :org and e.source_type = 'refund' and e.source_id = page.id
      and e.ledger = 'fiduciary'
    join ledger_entries r on r.org_id = :org and r.reverses_entry_id = e.id and r.entry_type = 'reversal'
    join ledger_lines l on l.org_id = :org and l.entry_id = r.id
), sums as (
  select id, -sum(debit) filter (where entry_type = 'return' and account = 2060) as owed,
      sum(debit) filter (where entry_type = 'return' and account in ${SHARE_ACCOUNTS}) as shares,
      sum(debit) filter (where entry_type = 'payout' and account = 2060) as paid_out,
      -sum(debit) filter (where entry_type = 'payout' and account = 1110) as by_card,
      -sum(debit) filter (where entry_type = 'payout' and account = 1010) as by_check
    from posted group by id
)`;

const allocated = (isPart: string) => `(
  select coalesce(sum((part ->> 'amountCents')::bigint), 0) from jsonb_array_elements(page.allocations) part
    where ${isPart})`;

/** What a return took of an invoice that is settled again since is held against its lines: `invoice_shares`. */
export const returnEntries: BookCheck = {
  name: 'return_entries',
  over: 'payments',
  unit: 'cents',
  sql: `
with ${POSTED}
select page.id, sides.part, case when page.status = 'succeeded' then coalesce(expected, 0) else 0 end::bigint as expected,
    coalesce(actual, 0)::bigint as actual
  from page left join sums using (id)
  cross join lateral (values
    ('2060', -page.amount_cents - page.covered_cents, sums.owed),
    ('shares', case when ${isUnsettled('page.invoice_id')} then sums.shares
      else -page.applied_cents - page.before_paid_cents end, sums.shares),
    ('payout', -page.amount_cents - page.covered_cents, sums.paid_out),
    ('1110', ${allocated("part ->> 'method' = 'card'")}, sums.by_card),
    ('1010', ${allocated("part ->> 'method' <> 'card'")}, sums.by_check)
  ) sides (part, expected, actual)
  where page.kind in ${RETURNS} and not ${isUnderWay('page')}`,
};
