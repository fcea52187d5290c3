// What is not demanded of the insured, because we hold return premium of theirs that waits for approval. Pure.
// Decision 0317.
import type { Cents } from '../money.ts';
import type { UnpaidInvoice } from './delinquency.ts';

/** Leaves out the unpaid invoices that money which is held for them pays in full, the oldest first. */
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
