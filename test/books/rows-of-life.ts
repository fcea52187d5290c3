// What a life has left behind, one line per row: printed next to the findings about it.
import type { OwnerRows } from './owner-rows.ts';

const QUERIES = [
  `select 'policy' as row, id, status, effective_date, expiration_date, gross_premium_cents, fees, taxes, version
   from policies where id = any($1)`,
  `select 'transaction' as row, id, policy_id, type, effective_date, created_at, premium_change_cents,
     total_change_cents, reason, changes from policy_transactions where policy_id = any($1) order by id`,
  `select 'invoice' as row, id, policy_id, due_date, total_cents, paid_cents, refunded_cents,
     refunded_before_paid_cents, voided_at, voided_by, reissue_of, lines
   from invoices where policy_id = any($1) order by id`,
  `select 'payment' as row, id, invoice_id, kind, amount_cents, applied_cents, before_paid_cents, covered_cents, status,
     saga_ended_at, source_payment_id, policy_transaction_id, composition, allocations, dispute, approval
   from payments where policy_id = any($1) order by id`,
  `select 'disbursement' as row, id, refund_id, invoice_id, amount_cents, status
   from disbursements where policy_id = any($1) order by id`,
  `select 'entry' as row, e.id, e.invoice_id, e.entry_type, e.source_type, e.source_id, e.date,
     (select string_agg(l.account || ' ' || (l.debit_cents - l.credit_cents), ', ')
      from ledger_lines l where l.entry_id = e.id) as lines
   from ledger_entries e where policy_id = any($1) order by e.id`,
];

export async function rowsOfLife(rows: OwnerRows, policyIds: readonly string[]): Promise<string[]> {
  const found = [];
  for (const query of QUERIES) found.push(...(await rows.query(query, [policyIds])));
  return found.map((row) => JSON.stringify(row));
}
