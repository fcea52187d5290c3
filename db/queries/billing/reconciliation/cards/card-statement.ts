// The card processor's own list against the payments, both ways: what it collected and returned, and what was recorded.
import type { BookCheck } from '../check.ts';
import { PAYING } from '../sql.ts';

/**
 * Parts of card refunds, each with the processor's refund it is, if we made it. A failed one returned nothing, whether
 * its line was read before or after it failed.
 */
const REFUNDED = `refunded as (
  select r.status, part ->> 'processorRefundId' as processor_id,
      case when part -> 'failedAt' is null then (part ->> 'amountCents')::bigint else page.amount_cents end as cents
    from payments p
    join payments r on r.org_id = :org and r.kind = 'refund'
      and (r.invoice_id = p.invoice_id or (r.invoice_id is null and p.invoice_id is null))
    cross join jsonb_array_elements(r.allocations) part
    where p.org_id = :org and p.method = 'card' and p.kind in ${PAYING} and p.reference = page.intent_id
      and part ->> 'paymentId' = p.id and (r.status <> 'failed' or part -> 'failedAt' is not null)
)`;

/** What disputes have taken from an intent and not returned, by the processor's list. */
const withheld = (intentId: string) => `(select greatest(coalesce(
    sum(case s.kind when 'dispute' then s.amount_cents else -s.amount_cents end), 0), 0)::bigint
  from card_statement_lines s
  where s.org_id = :org and s.intent_id = ${intentId} and s.kind in ('dispute', 'dispute_reversal'))`;

/** Payments by an intent with their standing chargebacks. None exceeds its payment, whatever amount was disputed. */
const CHARGED_BACK = `
  select sum(p.amount_cents)::bigint as taken, coalesce(sum(back.cents), 0)::bigint as cents,
      coalesce(bool_or(back.is_recent), false) as is_recent
    from payments p left join lateral (
      select -sum(c.amount_cents) filter (where c.status = 'succeeded') as cents,
          bool_or(c.updated_at > cast(:since as timestamptz)) as is_recent
        from payments c where c.org_id = :org and c.kind = 'chargeback'
          and (c.invoice_id = p.invoice_id or (c.invoice_id is null and p.invoice_id is null))
          and c.allocations -> 0 ->> 'paymentId' = p.id) back on true
    where p.org_id = :org and p.kind = 'card' and p.reference = page.intent_id`;

/**
 * A refund that the processor merely reported does not carry its id; such refunds are compared in total with the lines
 * that no refund names.
 */
export const cardStatement: BookCheck = {
  name: 'card_statement',
  over: 'card_statement_lines',
  unit: 'cents',
  needsStatement: true,
  sql: `
select page.id, page.kind || ' ' || page.processor_id as part, sides.expected, sides.actual from page
cross join lateral (
  select page.amount_cents as expected, (select coalesce(sum(p.amount_cents), 0)::bigint from payments p
    where p.org_id = :org and p.kind = 'card' and p.reference = page.intent_id) as actual where page.kind = 'charge'
  union all
  (with ${REFUNDED}, own as (select sum(cents)::bigint as cents from refunded where processor_id = page.processor_id)
  select case when own.cents is null then unnamed.cents else page.amount_cents end,
      coalesce(own.cents, least(unnamed.cents, (
        select coalesce(sum(cents), 0)::bigint from refunded where processor_id is null and status = 'succeeded')))
    from own cross join lateral (
      select coalesce(sum(s.amount_cents), 0)::bigint as cents from card_statement_lines s
        where s.org_id = :org and s.intent_id = page.intent_id and s.kind = 'refund'
          and s.processor_id not in (select processor_id from refunded where processor_id is not null)
    ) unnamed where page.kind = 'refund')
  union all
  select least(${withheld('page.intent_id')}, back.taken), back.cents from (${CHARGED_BACK}) back
    where page.kind in ('dispute', 'dispute_reversal') and not back.is_recent and not exists (
      select from card_statement_lines s where s.org_id = :org and s.intent_id = page.intent_id
        and s.occurred_at > cast(:since as timestamptz))
) sides
where not coalesce(page.occurred_at > cast(:since as timestamptz), false)`,
};

/**
 * When the money was taken, by the processor's event; an event with an impossible time must not decide whether it is
 * checked. The processor retries an event for three days.
 */
const TAKEN_AT = `(case when page.received_at between page.created_at - interval '4 days'
    and page.created_at + interval '1 day'
  then page.received_at else page.created_at end)`;

/** At the start of the statement, the processor's clock and ours may differ slightly. */
const IS_COVERED = (at: string) => `(${at} >= cast(:statementFrom as timestamptz) + interval '1 hour'
  and not coalesce(${at} > cast(:since as timestamptz), false))`;

export const cardPayments: BookCheck = {
  name: 'card_payments',
  over: 'payments',
  unit: 'cents',
  needsStatement: true,
  sql: `
select page.id, 'charge' as part, page.amount_cents as expected,
    (select coalesce(sum(s.amount_cents), 0)::bigint from card_statement_lines s
      where s.org_id = :org and s.kind = 'charge' and s.intent_id = page.reference) as actual
  from page where page.kind = 'card' and ${IS_COVERED(TAKEN_AT)}
union all
select page.id, part ->> 'processorRefundId', (part ->> 'amountCents')::bigint,
    (select coalesce(sum(s.amount_cents), 0)::bigint from card_statement_lines s
      where s.org_id = :org and s.processor_id = part ->> 'processorRefundId')
  from page cross join jsonb_array_elements(page.allocations) part
  where page.kind = 'refund' and page.status = 'succeeded' and part ->> 'processorRefundId' is not null
    and part -> 'failedAt' is null
    and ${IS_COVERED(TAKEN_AT)}
union all
select page.id, 'dispute ' || page.reference, -page.amount_cents, least(-page.amount_cents, (
    select ${withheld('p.reference')} from payments p
      where p.org_id = :org and p.id = page.allocations -> 0 ->> 'paymentId'))
  from page where page.kind = 'chargeback' and page.status = 'succeeded' and ${IS_COVERED(TAKEN_AT)}`,
};
