// Every entry has the lines it was written with, they balance, and none crosses from trust money to our own.
import type { BookCheck } from '../check.ts';

const LINES = `cross join lateral (
  select count(*), coalesce(sum(l.debit_cents), 0)::bigint as debit, coalesce(sum(l.credit_cents), 0)::bigint as credit,
      count(*) filter (where l.ledger <> page.ledger or a.ledger <> page.ledger) as crossing
    from ledger_lines l join ledger_accounts a on a.account = l.account
    where l.org_id = :org and l.entry_id = page.id
) lines`;

export const entryBalance: BookCheck = {
  name: 'entry_balance',
  over: 'ledger_entries',
  unit: 'cents',
  sql: `select page.id, 'credits' as part, lines.debit as expected, lines.credit as actual from page ${LINES}`,
};

export const entryLines: BookCheck = {
  name: 'entry_lines',
  over: 'ledger_entries',
  unit: 'count',
  sql: `
select page.id, part, expected, actual from page ${LINES}
  cross join lateral (values ('lines', page.line_count, lines.count), ('crossing', 0, lines.crossing))
    sides (part, expected, actual)`,
};
