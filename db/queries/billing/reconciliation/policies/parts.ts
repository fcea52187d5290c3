// A policy's parts as written, billed and returned, for the checks that compare them.
import { CENTS_OF_LINE, isApart, PART_OF_LINE, RETURNS } from '../sql.ts';

const COMPOSED = `(r.composition ->> 'premiumCents')::bigint + (r.composition ->> 'taxCents')::bigint
  + (r.composition ->> 'stampingCents')::bigint + (r.composition ->> 'feeCents')::bigint`;

const INVOICES = '(select i.id from invoices i where i.org_id = :org and i.policy_id = page.id)';

/** A refund for a policy change that was declined, in whole or in part: the rest is still to be returned. */
export const HAS_DECLINED_REFUND = `exists (
  select from payments r where r.org_id = :org and r.invoice_id in ${INVOICES}
    and r.composition is not null
    and (r.status = 'failed' or -r.amount_cents <> ${COMPOSED}))`;

/**
 * Money returned without a policy change and not owed again, so that a later change may have less to return than its
 * price reduction.
 */
export const HAS_OTHER_RETURNS = `exists (
  select from payments r where r.org_id = :org and r.invoice_id in ${INVOICES}
    and r.kind in ${RETURNS} and r.status <> 'failed' and r.composition is null
    and -r.applied_cents <> case when r.kind = 'refund' then 0 else r.before_paid_cents end)`;
export const HAS_BECOME_CHEAPER = `exists (
  select from policy_transactions t where t.org_id = :org and t.policy_id = page.id and t.total_change_cents < 0)`;

/** An invoice that a person voided and that has not been billed again. */
export const HAS_UNBILLED = `exists (
  select from invoices i where i.org_id = :org and i.policy_id = page.id and i.voided_at is not null
    and i.voided_by is null and not ${isApart('i')}
    and not exists (select from invoices again where again.org_id = :org and again.reissue_of = i.id))`;

/** By policy and part, as `written`, `billed` (live invoices) and `back` (refunds of them for policy changes). */
export const PARTS_OF_POLICIES = `written as (
  select id, 'premium' as part, gross_premium_cents as cents from page
  union all select id, 'fee', (charge ->> 'amountCents')::bigint from page, jsonb_array_elements(fees) charge
  union all select id, case when charge ->> 'code' = 'STAMPING_FEE' then 'stamping' else 'tax' end,
    (charge ->> 'amountCents')::bigint from page, jsonb_array_elements(taxes) charge
), billed as (
  select page.id, ${PART_OF_LINE} as part, ${CENTS_OF_LINE} as cents
    from page join invoices i on i.org_id = :org and i.policy_id = page.id and i.voided_at is null
      and not ${isApart('i')}
    cross join jsonb_array_elements(i.lines) line
), back as (
  select page.id, part, cents from page
    join invoices i on i.org_id = :org and i.policy_id = page.id and i.voided_at is null
    join payments r on r.org_id = :org and r.invoice_id = i.id and r.composition is not null and r.status <> 'failed'
    cross join lateral (values ('premium', (r.composition ->> 'premiumCents')::bigint),
      ('tax', (r.composition ->> 'taxCents')::bigint), ('stamping', (r.composition ->> 'stampingCents')::bigint),
      ('fee', (r.composition ->> 'feeCents')::bigint)) parts (part, cents)
)`;
