// Return premium that waits for approval: held for the insured unless a bank or a bounced check has taken its payment
// back. Decision 0317.

/** Whether a payment that refund `r` returns, or the one it was applied from, no longer holds the money. */
const IS_TAKEN_BACK = `exists (
  select from jsonb_array_elements(r.allocations) part
    join payments p on p.org_id = r.org_id and p.id = part ->> 'paymentId'
    join payments s on s.org_id = r.org_id and s.id in (p.id, p.source_payment_id)
    join payments x on x.org_id = r.org_id and x.invoice_id is not distinct from s.invoice_id
      and x.kind in ('chargeback', 'reversal') and x.status = 'succeeded' and x.covered_cents > 0
      and x.allocations @> jsonb_build_array(jsonb_build_object('paymentId', s.id)))`;

/** A policy's returns waiting for approval, in cents. */
export const WAITING_RETURNS = (orgId: string, policyId: string) => `(
  select coalesce(sum(-r.amount_cents), 0) from payments r
    where r.org_id = ${orgId} and r.policy_id = ${policyId} and r.kind = 'refund' and r.status = 'pending_approval'
      and r.policy_transaction_id is not null and not ${IS_TAKEN_BACK})`;
