// Every fully paid invoice was shared out, and its earnings posted, exactly once; no other invoice was, unless one of
// its payments was reversed since, or it was voided after all of its money was returned. Contract 3.4.
import type { BookCheck } from '../check.ts';
import { CENTS_OF_LINE, ENTRIES_OF_INVOICES, IS_SHARES, isInMotion, isPaid, isUnsettled } from '../sql.ts';

const earned = (cents: string) => `(select coalesce(sum(${cents}) filter (where line ->> 'kind' <> 'tax'), 0)
  from jsonb_array_elements(page.lines) line)`;
/**
 * Whether the invoice bills a fee, or premium in which we have a share: one that bills only taxes, or a cent, does not.
 */
const EARNS = `${earned(CENTS_OF_LINE)} <> 0 and not coalesce(gives_us_nothing, false)`;
/** Premium that is credited back earns only the difference between the two terms, usually nothing. */
const MAY_EARN = `${earned(`abs(${CENTS_OF_LINE})`)} > 0`;

export const invoiceSplit: BookCheck = {
  name: 'invoice_split',
  over: 'invoices',
  unit: 'count',
  sql: `
with ${ENTRIES_OF_INVOICES}, counted as (
  select invoice_id as id,
      coalesce(sum(sign) filter (where entry_type = 'split' and source_type in ('invoice', 'journal')), 0) as split,
      coalesce(sum(sign) filter (where entry_type = 'earnings'), 0) as earnings
    from entries group by invoice_id
), shared as (
  select invoice_id as id, bool_and(debit = 0 or account not in (2030, 2090)) as gives_us_nothing
    from lines where ${IS_SHARES} group by invoice_id
)
select page.id, part, actual, case
    when expected = 0 and (page.voided_at is not null or ${isUnsettled('page.id')}) then least(actual, 1)
    else expected end as expected
  from page left join counted using (id) left join shared using (id)
  cross join lateral (values
    ('split', case when ${isPaid('page')} then 1 else 0 end, coalesce(split, 0)),
    ('earnings', case when not (${isPaid('page')} and ${MAY_EARN}) then 0
        when ${EARNS} then 1 else least(coalesce(earnings, 0), 1) end,
      case when ${MAY_EARN} then coalesce(earnings, 0) else 0 end)
  ) sides (part, expected, actual)
  where not ${isInMotion('page.id')}`,
};
