// What leaves the trust arrives in operating cash, and vice versa: both ledgers have an entry for the same amount.
// Contract 3.4 "on transfer".
import type { BookCheck } from '../check.ts';

const PAIRS = `(values ('transfer', 'transfer_received', 1010, 1030), ('transfer_received', 'transfer', 1030, 1010),
  ('clawback', 'clawback_received', 1030, 1010), ('clawback_received', 'clawback', 1010, 1030),
  ('card_fees', 'card_fees_covered', 1030, 1010), ('card_fees_covered', 'card_fees', 1010, 1030))
  pairs (entry_type, other_type, account, other_account)`;

const moved = (entry: string, type: string, account: string) => `
  (select coalesce(abs(sum(l.debit_cents - l.credit_cents)), 0)::bigint from ledger_entries e
    join ledger_lines l on l.org_id = :org and l.entry_id = e.id and l.account = ${account}
    where e.org_id = :org and e.source_type = ${entry}.source_type and e.source_id = ${entry}.source_id
      and e.entry_type = ${type})`;

export const transferPairs: BookCheck = {
  name: 'transfer_pairs',
  over: 'ledger_entries',
  unit: 'cents',
  sql: `
select page.id, pairs.other_account::text as part, ${moved('page', 'pairs.entry_type', 'pairs.account')} as expected,
    ${moved('page', 'pairs.other_type', 'pairs.other_account')} as actual
  from page join ${PAIRS} using (entry_type)`,
};
