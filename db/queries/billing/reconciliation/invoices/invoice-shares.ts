// The shares of a paid invoice match what its lines bill, part by part: moved and forgotten lines show here. If one of
// its payments was reversed, the current shares count: nothing until it is paid again.
import type { BookCheck } from '../check.ts';
import {
  CENTS_OF_LINE,
  ENTRIES_OF_INVOICES,
  IS_SHARES,
  isInMotion,
  isPaid,
  isUnsettled,
  PART_OF_ACCOUNT,
  PART_OF_LINE,
  SHARE_ACCOUNTS,
} from '../sql.ts';

/** Refunds after the invoice was fully paid are proportional, and no line records them. */
const IS_WHOLE = 'refunded_cents = refunded_before_paid_cents';

export const invoiceShares: BookCheck = {
  name: 'invoice_shares',
  over: 'invoices',
  unit: 'cents',
  sql: `
with ${ENTRIES_OF_INVOICES}, settled as (
  select page.id, ${isUnsettled('page.id')} as is_again, ${isPaid('page')} as is_paid, ${IS_WHOLE} as is_whole from page
    where page.id in (select invoice_id from entries
      where entry_type = 'split' and source_type in ('invoice', 'journal')
      group by invoice_id having sum(sign) > 0)
), signed as (
  select id, ${PART_OF_LINE} as part, case when is_again and not is_paid then 0 else ${CENTS_OF_LINE} end as expected,
      0 as actual
    from page join settled using (id) cross join jsonb_array_elements(page.lines) line where is_whole or not is_again
  union all
  select id, ${PART_OF_ACCOUNT}, 0, -debit from lines join settled on settled.id = lines.invoice_id
    where account in ${SHARE_ACCOUNTS} and case when is_again then is_whole else ${IS_SHARES} end
)
select id, part, sum(expected)::bigint as expected, sum(actual)::bigint as actual from signed
  where not ${isInMotion('signed.id')} group by id, part`,
};
