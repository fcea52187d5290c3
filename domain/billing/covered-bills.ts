// Bills not demanded of the insured because we hold their return premium, still awaiting approval. Pure. Decision
// 0317.
import type { Cents } from '../money.ts';
import type { UnpaidInvoice } from './delinquency.ts';

/** Leaves out the unpaid invoices that the money held for the insured pays in full, oldest first. */
export function uncoveredBills<Bill extends UnpaidInvoice & { balanceCents: Cents }>(
  unpaid: readonly Bill[],
  heldCents: Cents,
): Bill[] {
  let leftCents = heldCents;
  return unpaid.toSorted(byDueDate).filter(({ balanceCents }) => {
    leftCents -= balanceCents;
    return leftCents < 0;
  });
}

function byDueDate(one: UnpaidInvoice, other: UnpaidInvoice): number {
  if (one.dueDate !== other.dueDate) return one.dueDate < other.dueDate ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}
