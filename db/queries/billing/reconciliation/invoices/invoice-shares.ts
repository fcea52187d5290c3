// What a paid invoice was shared out as is what its lines bill, part by part: moved and forgotten lines show here.
import type { BookCheck } from '../check.ts';
import {
  CENTS_OF_LINE,
  ENTRIES_OF_INVOICES,
  IS_SHARES,
  isInMotion,
  PART_OF_ACCOUNT,
  PART_OF_LINE,
  SHARE_ACCOUNTS,
} from '../sql.ts';

export const invoiceShares: BookCheck = {
  name: 'invoice_shares',
  over: 'invoices',
  unit: 'cents',
  sql: `
with ${ENTRIES_OF_INVOICES}, shared as (
  select invoice_id as id from entries where entry_type = 'split' and source_type = 'invoice'
    group by invoice_id having sum(sign) > 0
), signed as (
  select page.id, ${PART_OF_LINE} as part, ${CENTS_OF_LINE} as expected, 0 as actual
    from page join shared using (id) cross join jsonb_array_elements(page.lines) line
  union all
  select invoice_id, ${PART_OF_ACCOUNT}, 0, -debit from lines
    where ${IS_SHARES} and account in ${SHARE_ACCOUNTS} and invoice_id in (select id from shared)
)
select id, part, sum(expected)::bigint as expected, sum(actual)::bigint as actual from signed
  where not ${isInMotion('signed.id')} group by id, part`,
};
