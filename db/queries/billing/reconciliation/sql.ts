// The parts of statements that several checks have in common.
import { IS_FEE_FOR_RETURNED_PAYMENT } from '../invoices.ts';

/** The part that an invoice's line (`line`, jsonb) bills: domain/policy/parts.ts says the same of one line. */
export const PART_OF_LINE = `case when line ->> 'kind' = 'fee' then 'fee' when line ->> 'kind' <> 'tax' then 'premium'
  when line ->> 'code' = 'STAMPING_FEE' then 'stamping' else 'tax' end`;
export const CENTS_OF_LINE = "(line ->> 'amountCents')::bigint";

/** The accounts to which a paid invoice is shared out, and the part of each. */
export const SHARE_ACCOUNTS = '(2010, 2020, 2030, 2040, 2050, 2090)';
export const PART_OF_ACCOUNT = `case when account in (2010, 2020, 2030) then 'premium' when account = 2040 then 'tax'
  when account = 2050 then 'stamping' else 'fee' end`;

/**
 * The entries of the invoices in `page`, as `entries`: a reversal has the type and source of the entry that it reverses
 * and counts as minus one. Commission and fees that were moved to operating cash no longer belong to an invoice.
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

/** Entries that say how an invoice is shared out. */
export const IS_SHARES =
  "(entry_type = 'reclassification' or entry_type = 'split' and source_type in ('invoice', 'journal'))";

/** The invoices of `lines` of which somebody has a share now, as `shared`: a reversed payment takes them all back. */
export const SHARED_INVOICES = `shared as (
  select invoice_id as id from lines where account in ${SHARE_ACCOUNTS} group by invoice_id having sum(debit) < 0
)`;

/** Whether a bank took money of an invoice, or a payment of it was never good: its shares may have moved since. */
export const isUnsettled = (invoiceId: string) => `(exists (
    select from payments c where c.org_id = :org and c.invoice_id = ${invoiceId} and c.status = 'succeeded'
      and c.kind in ('chargeback', 'reversal'))
  or exists (select from ledger_entries c where c.org_id = :org and c.invoice_id = ${invoiceId}
      and c.source_type = 'settlement'))`;

/** Whether the invoice `i` bills the fee for a returned payment, which is no part of its policy's cost. */
export const isApart = (i: string) => IS_FEE_FOR_RETURNED_PAYMENT(`${i}.lines`);

/** Whether a payment or return `m` has steps that are still being taken; never when the books are at rest. */
export const isUnderWay = (m: string) =>
  `(${m}.saga_ended_at is null and coalesce(${m}.updated_at > cast(:since as timestamptz), false))`;

/** Whether an invoice has a payment or a return whose steps are still being taken. */
export const isInMotion = (invoiceId: string) => `exists (
  select from payments m where m.org_id = :org and m.invoice_id = ${invoiceId} and ${isUnderWay('m')})`;

/** Whether the invoice `i` was fully paid by money. */
export const isPaid = (i: string) => `(${i}.voided_at is null and ${i}.paid_cents > ${i}.refunded_before_paid_cents
  and ${i}.paid_cents - ${i}.refunded_before_paid_cents >= ${i}.total_cents)`;

/** Money received, what pays an invoice (money applied to it later too), and money returned. */
export const RECEIPTS = "('card', 'manual')";
export const PAYING = "('card', 'manual', 'application')";
export const RETURNS = "('refund', 'chargeback', 'reversal')";

/** Whether an audit entry `won` is of a dispute that was won. A colon before a word would be a parameter. */
export const IS_OF_WON_DISPUTE = "split_part(won.action, ':', 2) = 'chargeback_won'";
