// What reserved refunds will take of an invoice that nobody has a share of: domain/billing/paid-again.ts says the same.

/** What lies beyond the total of the invoice `i`, as far as a refund waits for it; not what a bank holds for now. */
export const WAITING_CENTS = (i: string) => `(
  select greatest(0, least(
      coalesce(sum(-r.applied_cents) filter (where r.status in ('pending', 'pending_approval')), 0),
      ${i}.paid_cents - ${i}.refunded_before_paid_cents - ${i}.total_cents
        - coalesce(sum(-r.applied_cents - r.before_paid_cents) filter (where r.status = 'succeeded'), 0)))
    from payments r where r.org_id = :org and r.invoice_id = ${i}.id
      and (r.status = 'succeeded' and r.dispute ->> 'outcome' = 'open'
        or r.kind = 'refund' and r.status in ('pending', 'pending_approval') and r.composition is null))`;
