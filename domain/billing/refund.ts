// Refunds: which receipts they take money from, how much each still holds, and when a person must review them. Spec
// 6.4, Contract 3.4.
import { addDays, type BusinessDate } from '../dates.ts';
import { type Cents, sumCents } from '../money.ts';
import { moneyOf } from './payment.ts';

/** "Refunds over 1,000 dollars": 1,000.00 itself is not. Spec 6.4. */
const REVIEWED_ABOVE_CENTS = 1_000_00;

/** How long an unapproved refund counts with later ones, so that splitting a refund does not avoid approval. */
const COUNTED_DAYS = 30;

/** Returns the first day whose refunds count with one requested today. */
export function countedSince(today: BusinessDate): BusinessDate {
  return addDays(today, -COUNTED_DAYS);
}

/**
 * Whether a refund needs a second person's approval, if the flag `refund_approval` is on; `earlierCents` is what was
 * refunded on the same policy without approval in the days that count.
 */
export function requiresApproval(refundCents: Cents, earlierCents: Cents): boolean {
  return requiresReview(refundCents + earlierCents);
}

/** Whether a person must review a refund, in positive cents. Spec 6.4, 8.2. */
export function requiresReview(refundCents: Cents): boolean {
  return refundCents > REVIEWED_ABOVE_CENTS;
}

/** Money received; `appliedCents` is what its invoice took. */
export interface ReceiptAmounts {
  id: string;
  kind: string;
  method?: string;
  amountCents: Cents;
  appliedCents: Cents;
}

/** Money returned or about to be; both amounts are negative, the allocations' positive. */
export interface ReturnAmounts {
  amountCents: Cents;
  appliedCents: Cents;
  /** What the receipts no longer held; positive. */
  coveredCents?: Cents;
  allocations: readonly { paymentId: string; amountCents: Cents; unappliedCents?: Cents }[];
}

/** What a receipt still holds, in cents: applied to its invoice, and unapplied. */
export interface HeldMoney {
  appliedCents: Cents;
  unappliedCents: Cents;
}

/**
 * Returns what a receipt still holds after `returns`; `movedCents` is what invoices have since taken of it. An
 * allocation states how much of it was unapplied; if it does not, it is the only one, and the return states it.
 */
export function heldBy(receipt: ReceiptAmounts, returns: readonly ReturnAmounts[], movedCents: Cents = 0): HeldMoney {
  const restCents = moneyOf(receipt) - receipt.appliedCents - movedCents;
  const held = { appliedCents: receipt.appliedCents, unappliedCents: restCents };
  for (const { amountCents, appliedCents, coveredCents = 0, allocations } of returns) {
    const returnedCents = returnedFrom(receipt.id, allocations);
    if (returnedCents === 0) continue;
    const parts = allocations.filter(({ paymentId }) => paymentId === receipt.id);
    const named = parts.flatMap((part) => part.unappliedCents ?? []);
    const unappliedCents = named.length > 0 ? sumCents(named) : appliedCents - amountCents - coveredCents;
    held.appliedCents -= returnedCents - unappliedCents - coveredCents;
    held.unappliedCents -= unappliedCents;
  }
  return held;
}

/** Returns how much of a return comes from a receipt, in cents. */
export function returnedFrom(receiptId: string, allocations: ReturnAmounts['allocations']): Cents {
  return sumCents(allocations.filter(({ paymentId }) => paymentId === receiptId).map(({ amountCents }) => amountCents));
}

/** The money that a return takes from one receipt; the parts, none negative, sum to it. */
export interface TakenMoney extends HeldMoney {
  /** What the receipt no longer holds because it was returned earlier. */
  coveredCents: Cents;
}

/**
 * Divides a return of one receipt's money: unapplied cash goes first, then the invoice's money; operating cash covers
 * the rest.
 */
export function takenFrom({ appliedCents, unappliedCents }: HeldMoney, returnCents: Cents): TakenMoney {
  const unapplied = Math.min(returnCents, Math.max(unappliedCents, 0));
  const applied = Math.min(returnCents - unapplied, Math.max(appliedCents, 0));
  return { appliedCents: applied, unappliedCents: unapplied, coveredCents: returnCents - unapplied - applied };
}

/** A part of a refund and the receipt that funds it. */
export interface Allocation<Receipt> {
  receipt: Receipt;
  amountCents: Cents;
}

/**
 * Takes a refund from an invoice's receipts: card before other methods, newest first, never more than each holds.
 * @throws RangeError when they hold less, which the invoice's row lock rules out
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

/** A part of a refund, and how much of it was not applied to any invoice. */
export interface MixedAllocation<Receipt> extends Allocation<Receipt> {
  unappliedCents: Cents;
}

/**
 * Takes a refund from an invoice's receipts: first what each holds beyond the invoice, so that a duplicate payment is
 * refunded before the first, then what the invoice took. `unapplied` has the unapplied cents by receipt.
 */
export function allocateWithUnapplied<Receipt extends ReceiptAmounts>(
  receipts: readonly Receipt[],
  returns: readonly ReturnAmounts[],
  { refundCents, unapplied }: { refundCents: Cents; unapplied: ReadonlyMap<string, Cents> },
): MixedAllocation<Receipt>[] {
  const taken = new Map<string, MixedAllocation<Receipt>>();
  let rest = refundCents;
  for (const receipt of [...receipts].sort(cardFirstNewestFirst)) {
    const cents = Math.min(rest, unapplied.get(receipt.id) ?? 0);
    if (cents > 0) taken.set(receipt.id, { receipt, amountCents: cents, unappliedCents: cents });
    rest -= cents;
  }
  for (const { receipt, amountCents } of allocateRefund(receipts, returns, rest)) {
    const earlier = taken.get(receipt.id) ?? { receipt, amountCents: 0, unappliedCents: 0 };
    taken.set(receipt.id, { ...earlier, amountCents: earlier.amountCents + amountCents });
  }
  return [...taken.values()];
}

/** Ids sort by time. */
function cardFirstNewestFirst(one: ReceiptAmounts, other: ReceiptAmounts): number {
  const isByCard = ({ kind, method }: ReceiptAmounts) => kind === 'card' || method === 'card';
  if (isByCard(one) !== isByCard(other)) return isByCard(one) ? -1 : 1;
  return one.id < other.id ? 1 : -1;
}
