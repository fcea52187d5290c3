// What went back twice is due from operating money, and our loss: accounts 1040, 2110 and 5020 have it for each return
// that stands, and for no other. Contract 3.4.
import type { BookCheck } from '../check.ts';
import { isUnderWay, RETURNS } from '../sql.ts';

/** The entries of a return together with those that reverse them. */
const POSTED = `(
  select l.account, sum(l.debit_cents - l.credit_cents) as debit from ledger_entries e
    join ledger_lines l on l.org_id = :org and l.entry_id = e.id and l.account in (1040, 2110, 5020)
    where e.org_id = :org and (e.source_type = 'refund' and e.source_id = page.id or e.reverses_entry_id in (
      select o.id from ledger_entries o where o.org_id = :org and o.source_type = 'refund' and o.source_id = page.id))
    group by l.account)`;

export const coveredMoney: BookCheck = {
  name: 'covered_money',
  over: 'payments',
  unit: 'cents',
  sql: `
select page.id, sides.account::text as part,
    case when page.status = 'succeeded' then sides.sign * page.covered_cents else 0 end::bigint as expected,
    coalesce(posted.debit, 0)::bigint as actual
  from page cross join (values (1040, 1), (2110, -1), (5020, 1)) sides (account, sign)
  left join lateral ${POSTED} posted on posted.account = sides.account
  where page.kind in ${RETURNS} and not ${isUnderWay('page')}`,
};
