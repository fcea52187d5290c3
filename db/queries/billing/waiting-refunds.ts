// What reserved refunds will take from an invoice in which no one has a share, as in domain/billing/paid-again.ts.

/** The excess over the total of invoice `i` that a refund is waiting for; not what a bank holds for now. */
export const WAITING_CENTS = (i: string) => `(
  select greatest(0, least(
      coalesce(sum(-r.applied_cents) filter (where r.status in ('pending', 'pending_approval')), 0),
      ${i}.paid_cents - ${i}.refunded_before_paid_cents - ${i}.total_cents
        - coalesce(sum(-r.applied_cents - r.before_paid_cents) filter (where r.status = 'succeeded'), 0)))
    from payments r where r.org_id = :org and r.invoice_id = ${i}.id
      and (r.status = 'succeeded' and r.dispute ->> 'outcome' = 'open'
        or r.kind = 'refund' and r.status in ('pending', 'pending_approval') and r.composition is null))`;
