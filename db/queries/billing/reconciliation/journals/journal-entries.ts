// A posted journal is in the ledger with the lines that were approved, and no other journal is. Nothing else records
// what a journal moves. Contract 3.4.
import type { BookCheck } from '../check.ts';

export const journalEntries: BookCheck = {
  name: 'journal_entries',
  over: 'journals',
  unit: 'cents',
  sql: `
with signed as (
  select page.id, line ->> 'account' as part,
      (line ->> 'debitCents')::bigint - (line ->> 'creditCents')::bigint as expected, 0 as actual
    from page cross join jsonb_array_elements(page.lines) line where page.status = 'posted'
  union all
  select page.id, l.account::text, 0, l.debit_cents - l.credit_cents
    from page join ledger_entries e on e.org_id = :org and e.source_type = 'journal' and e.source_id = page.id
    join ledger_lines l on l.org_id = :org and l.entry_id = e.id
)
select id, part, sum(expected)::bigint as expected, sum(actual)::bigint as actual from signed group by id, part`,
};
