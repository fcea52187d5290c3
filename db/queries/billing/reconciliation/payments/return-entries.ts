// Every return is in the ledger: taken from those who shared the money, owed to the insured, and paid by card or taken
// back by the payer's bank from where its receipts lie. A check is a disbursement: `disbursement_entries`. A failed
// return leaves nothing there. Contract 3.4.
import type { BookCheck } from '../check.ts';
import { PAID_BEFORE_ISSUED } from '../disbursements/disbursement-entries.ts';
import { isUnderWay, isUnsettled, RETURNS, SHARE_ACCOUNTS } from '../sql.ts';
import { POSTED_RETURNS } from './return-postings.ts';

/** What is owed and paid out for a return: an uncovered part repays operating money. */
const SUMS = `sums as (
  select id, -sum(debit) filter (where entry_type = 'return' and account = 2060) as owed,
      sum(debit) filter (where entry_type = 'return' and account in ${SHARE_ACCOUNTS}) as shares,
      sum(debit) filter (where entry_type in ('payout', 'uncovered') and account = 2060) as paid_out,
      -sum(debit) filter (where entry_type = 'payout' and account = 1110) as by_card,
      -sum(debit) filter (where entry_type = 'payout' and account = 1010) as by_check
    from posted group by id
)`;

const allocated = (isPart: string) => `(
  select coalesce(sum((part ->> 'amountCents')::bigint), 0) from jsonb_array_elements(page.allocations) part
    where ${isPart})`;

/** What the processor could not pay was posted as paid and, if so, reversed as `payout_failed`. */
const PAID_BY_CARD = allocated(`part ->> 'method' = 'card' and (part -> 'failedAt' is null or exists (
      select from disbursements d join ledger_entries e on e.org_id = :org and e.source_type = 'disbursement'
        and e.source_id = d.id and e.entry_type = 'payout_failed'
      where d.org_id = :org and d.processor_refund_id = part ->> 'processorRefundId'))`);
const PAID_BY_CHECK = `case when page.kind <> 'refund' or exists (
      select from disbursements d where d.org_id = :org and d.refund_id = page.id and d.cause = 'refund'
        and ${PAID_BEFORE_ISSUED('d')})
    then ${allocated("part ->> 'method' <> 'card'")} else 0 end`;

/** Kept money that is taken back is in the trust: it repays what operating money covered. */
const IS_KEPT = "(page.kind = 'reversal' and page.method = 'kept_refund')";

/**
 * What a return took from an invoice that has since been settled again is checked against its lines: `invoice_shares`.
 */
export const returnEntries: BookCheck = {
  name: 'return_entries',
  over: 'payments',
  unit: 'cents',
  sql: `
with ${POSTED_RETURNS}, ${SUMS}
select page.id, sides.part, case when page.status = 'succeeded' then coalesce(expected, 0) else 0 end::bigint as expected,
    coalesce(actual, 0)::bigint as actual
  from page left join sums using (id)
  cross join lateral (select ${PAID_BY_CARD} as by_card, ${PAID_BY_CHECK} as by_check) paid
  cross join lateral (values
    ('2060', -page.amount_cents - page.covered_cents, sums.owed),
    ('shares', case when ${isUnsettled('page.invoice_id')} then sums.shares
      else -page.applied_cents - page.before_paid_cents end, sums.shares),
    ('payout', paid.by_card + paid.by_check - page.covered_cents, sums.paid_out),
    ('1110', paid.by_card, sums.by_card),
    ('1010', case when ${IS_KEPT} then 0 else paid.by_check end, sums.by_check)
  ) sides (part, expected, actual)
  where page.kind in ${RETURNS} and not ${isUnderWay('page')}`,
};
