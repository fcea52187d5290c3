// Money returned twice is due from operating money and is our loss: accounts 1040, 2110 and 5020 have it for each
// standing return, and for no other. Kept money that is taken back reduces it by as much. Contract 3.4.
import type { BookCheck } from '../check.ts';
import { isUnderWay, RETURNS } from '../sql.ts';
import { POSTED_RETURNS } from './return-postings.ts';

export const coveredMoney: BookCheck = {
  name: 'covered_money',
  over: 'payments',
  unit: 'cents',
  sql: `
with ${POSTED_RETURNS}, covered as (
  select id, account, sum(debit) as debit from posted where account in (1040, 2110, 5020) group by 1, 2
)
select page.id, sides.account::text as part,
    case when page.status <> 'succeeded' then 0
      when page.kind = 'reversal' and page.method = 'kept_refund' then sides.sign * page.amount_cents
      else sides.sign * page.covered_cents end::bigint as expected,
    coalesce(covered.debit, 0)::bigint as actual
  from page cross join (values (1040, 1), (2110, -1), (5020, 1)) sides (account, sign)
  left join covered on covered.id = page.id and covered.account = sides.account
  where page.kind in ${RETURNS} and not ${isUnderWay('page')}`,
};
