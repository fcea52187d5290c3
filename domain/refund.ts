// Money that goes back: which receipts a refund takes it from, how much each still holds, when somebody has to look. Spec 6.4, Contract 3.4.
import { type Cents, sumCents } from './money.ts';

/** "Refunds over 1,000 dollars": 1,000.00 itself is not. Spec 6.4. */
const REVIEWED_ABOVE_CENTS = 1_000_00;

/** Tells whether a refund, in positive cents, is to be reviewed by somebody. Spec 6.4, 8.2. */
export function requiresReview(refundCents: Cents): boolean {
  return refundCents > REVIEWED_ABOVE_CENTS;
}

/** Money that came in; `appliedCents` is what its invoice took of it. */
export interface ReceiptAmounts {
  id: string;
  kind: string;
  amountCents: Cents;
  appliedCents: Cents;
}

/** Money that went back or is about to; both amounts are negative, those of the allocations positive. */
export interface ReturnAmounts {
  amountCents: Cents;
  appliedCents: Cents;
  allocations: readonly { paymentId: string; amountCents: Cents }[];
}

/** What a receipt still holds, in cents: of the money its invoice took, and of the money it could not take. */
export interface HeldMoney {
  appliedCents: Cents;
  unappliedCents: Cents;
}

/**
 * Gives what a receipt still holds after `returns`. Money that was never applied goes back only by a return with one allocation, so
 * the return itself says how much of it that was.
 */
export function heldBy(receipt: ReceiptAmounts, returns: readonly ReturnAmounts[]): HeldMoney {
  const held = { appliedCents: receipt.appliedCents, unappliedCents: receipt.amountCents - receipt.appliedCents };
  for (const { amountCents, appliedCents, allocations } of returns) {
    const returnedCents = returnedFrom(receipt.id, allocations);
    const unappliedCents = returnedCents === 0 ? 0 : appliedCents - amountCents;
    held.appliedCents -= returnedCents - unappliedCents;
    held.unappliedCents -= unappliedCents;
  }
  return held;
}

/** Gives how much of a return comes from a receipt, in cents. */
export function returnedFrom(receiptId: string, allocations: ReturnAmounts['allocations']): Cents {
  return sumCents(allocations.filter(({ paymentId }) => paymentId === receiptId).map(({ amountCents }) => amountCents));
}

/**
 * Gives how much of what a receipt gives back was never applied: that goes first, and more than the invoice's share of what is held
 * cannot be the invoice's.
 */
export function unappliedPart({ appliedCents, unappliedCents }: HeldMoney, returnCents: Cents): Cents {
  const first = Math.min(returnCents, Math.max(unappliedCents, 0));
  return first + Math.max(returnCents - first - Math.max(appliedCents, 0), 0);
}

/** A part of a refund and the receipt it is taken from. */
export interface Allocation<Receipt> {
  receipt: Receipt;
  amountCents: Cents;
}

/**
 * Takes a refund from the receipts of an invoice: card before other means, the newest first, and from none more than it holds.
 * @throws RangeError when they hold less, which the row lock of the invoice rules out
 */
export function allocateRefund<Receipt extends ReceiptAmounts>(
  receipts: readonly Receipt[],
  returns: readonly ReturnAmounts[],
  refundCents: Cents,
): Allocation<Receipt>[] {
  const allocations: Allocation<Receipt>[] = [];
  let rest = refundCents;
  for (const receipt of [...receipts].sort(cardFirstNewestFirst)) {
    const amountCents = Math.min(rest, heldBy(receipt, returns).appliedCents);
    if (amountCents > 0) allocations.push({ receipt, amountCents });
    rest -= Math.max(amountCents, 0);
  }
  if (rest > 0) throw new RangeError('The receipts of an invoice hold less than was paid and not given back');
  return allocations;
}

/** Ids are in the order of time. */
function cardFirstNewestFirst(one: ReceiptAmounts, other: ReceiptAmounts): number {
  if (one.kind !== other.kind) return one.kind === 'card' ? -1 : 1;
  return one.id < other.id ? 1 : -1;
}
