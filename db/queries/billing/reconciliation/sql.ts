// SQL fragments shared by several checks.
import { IS_FEE_FOR_RETURNED_PAYMENT } from '../invoices.ts';

/** The part that an invoice line (`line`, jsonb) bills, as in domain/policy/parts.ts. */
export const PART_OF_LINE = `case when line ->> 'kind' = 'fee' then 'fee' when line ->> 'kind' <> 'tax' then 'premium'
  when line ->> 'code' = 'STAMPING_FEE' then 'stamping' else 'tax' end`;
export const CENTS_OF_LINE = "(line ->> 'amountCents')::bigint";

/** The accounts that a paid invoice is shared out to, and the part that each holds. */
export const SHARE_ACCOUNTS = '(2010, 2020, 2030, 2040, 2050, 2090)';
export const PART_OF_ACCOUNT = `case when account in (2010, 2020, 2030) then 'premium' when account = 2040 then 'tax'
  when account = 2050 then 'stamping' else 'fee' end`;

/**
 * The entries of the invoices in `page`, as `entries`: a reversal has the type and source of the entry it reverses and
 * counts as minus one. Commission and fees moved to operating cash no longer belong to an invoice.
 */
export const ENTRIES_OF_INVOICES = `entries as (
  select e.id, page.id as invoice_id, coalesce(o.entry_type, e.entry_type) as entry_type,
      coalesce(o.source_type, e.source_type) as source_type, case when o.id is null then 1 else -1 end as sign
    from page join ledger_entries e on e.org_id = :org and e.invoice_id = page.id
    left join ledger_entries o on o.org_id = :org and o.id = e.reverses_entry_id and e.entry_type = 'reversal'
    where coalesce(o.entry_type, e.entry_type) not in ('transfer', 'transfer_received')
), lines as (
  select e.invoice_id, e.entry_type, e.source_type, l.account, l.debit_cents - l.credit_cents as debit
    from entries e join ledger_lines l on l.org_id = :org and l.entry_id = e.id
)`;

/** Entries that share out an invoice. */
export const IS_SHARES =
  "(entry_type = 'reclassification' or entry_type = 'split' and source_type in ('invoice', 'journal'))";

/** The invoices of `lines` in which someone has a share now, as `shared`: a reversed payment takes all shares back. */
export const SHARED_INVOICES = `shared as (
  select invoice_id as id from lines where account in ${SHARE_ACCOUNTS} group by invoice_id having sum(debit) < 0
)`;

/**
 * Whether a bank took money from an invoice, or one of its payments was never good: its shares may have moved since.
 */
export const isUnsettled = (invoiceId: string) => `(exists (
    select from payments c where c.org_id = :org and c.invoice_id = ${invoiceId} and c.status = 'succeeded'
      and c.kind in ('chargeback', 'reversal'))
  or exists (select from ledger_entries c where c.org_id = :org and c.invoice_id = ${invoiceId}
      and c.source_type = 'settlement'))`;

/** Whether invoice `i` bills the returned payment fee, which is not part of its policy's cost. */
export const isApart = (i: string) => IS_FEE_FOR_RETURNED_PAYMENT(`${i}.lines`);

/** Whether payment or return `m` has steps in progress; never when the books are at rest. */
export const isUnderWay = (m: string) =>
  `(${m}.saga_ended_at is null and coalesce(${m}.updated_at > cast(:since as timestamptz), false))`;

/** Whether an invoice has a payment or return with steps in progress. */
export const isInMotion = (invoiceId: string) => `exists (
  select from payments m where m.org_id = :org and m.invoice_id = ${invoiceId} and ${isUnderWay('m')})`;

/** Whether invoice `i` was fully paid with money. */
export const isPaid = (i: string) => `(${i}.voided_at is null and ${i}.paid_cents > ${i}.refunded_before_paid_cents
  and ${i}.paid_cents - ${i}.refunded_before_paid_cents >= ${i}.total_cents)`;

/** Money received, money that pays an invoice (including money applied later), and money returned. */
export const RECEIPTS = "('card', 'manual')";
export const PAYING = "('card', 'manual', 'application')";
export const RETURNS = "('refund', 'chargeback', 'reversal')";

/** Whether audit entry `won` belongs to a dispute that was won. A colon before a word would be a parameter. */
export const IS_OF_WON_DISPUTE = "split_part(won.action, ':', 2) = 'chargeback_won'";
