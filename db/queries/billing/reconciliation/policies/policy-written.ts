// A policy's row against its transactions, which never change: premium, fee, taxes and total due match what they wrote.
import type { BookCheck } from '../check.ts';

/**
 * Whether transaction `t` has moved money: a cancellation has once it was carried out, which records what it billed.
 * One that was withdrawn or replaced before its effective date, or that another notice preceded, never was.
 */
export const HAS_MOVED = `(t.type <> 'cancellation' or exists (
  select from transaction_billings b where b.org_id = t.org_id and b.transaction_id = t.id))`;

const sumOf = (charges: string) => `
  (select coalesce(sum((charge ->> 'amountCents')::bigint), 0) from jsonb_array_elements(${charges}) charge)`;

export const policyWritten: BookCheck = {
  name: 'policy_written',
  over: 'policies',
  unit: 'cents',
  sql: `
select page.id, part, expected, actual from page
cross join lateral (
  select coalesce(sum(premium_change_cents), 0) as premium, coalesce(sum(fee_change_cents), 0) as fee,
      coalesce(sum(tax_change_cents), 0) as tax, coalesce(sum(total_change_cents), 0) as total
    from policy_transactions t where t.org_id = :org and t.policy_id = page.id and ${HAS_MOVED}
) written
cross join lateral (values
  ('premium', written.premium, page.gross_premium_cents), ('fee', written.fee, ${sumOf('page.fees')}),
  ('tax', written.tax, ${sumOf('page.taxes')}), ('total', written.total, page.total_due_cents)
) sides (part, expected, actual)`,
};
