// Writing off an invoice that will never be paid: when it is allowed, and what the paid part bills. Domain facts 2.5.
import type { BusinessDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { type Cents, sumCents } from '../money.ts';
import { invoiceStatus } from './invoice.ts';
import { actionsOn, type InvoiceFacts } from './invoice-actions.ts';
import { inProportion } from './ledger/premium-by-terms.ts';

/** An invoice, and what else affects its money. */
interface WriteOffFacts extends InvoiceFacts {
  /** Whether a bank is deciding about money on it. */
  disputed: boolean;
  /** Whether a refund of it waits for an approval or the card processor. */
  isReturning: boolean;
}

/**
 * Returns how much of an invoice is paid for good, in cents, if it may be written off: when it is past due, and again
 * after a later payment. Refuses while a dispute or a refund may still take money.
 * @throws DomainError invalid_state_transition
 */
export function ensureWritableOff(invoice: WriteOffFacts, today: BusinessDate): Cents {
  const status = invoiceStatus(invoice, today);
  const paidCents = invoice.paidCents - invoice.refundedBeforePaidCents;
  const isOpen = status === 'past_due' || (status === 'uncollectible' && paidCents > 0);
  const undecided = invoice.disputed ? 'disputed' : 'refund_pending';
  const from = isOpen ? undecided : status;
  if (isOpen && !invoice.disputed && !invoice.isReturning) return paidCents;
  throw new DomainError(
    'invalid_state_transition',
    `Only a past-due invoice without an undecided dispute or refund can be written off. This invoice is "${from}".`,
    { resource: 'invoice', from, action: 'write_off', allowed: actionsOn(invoice) },
  );
}

/** Divides lines into those for a part of their sum and those for the rest, each line pro rata; no line is zero. */
export function dividedLines<T extends { amountCents: Cents }>(
  lines: readonly T[],
  partCents: Cents,
): { part: T[]; rest: T[] } {
  const amounts = lines.map(({ amountCents }) => amountCents);
  const shares = inProportion(partCents, amounts);
  const of = (cents: readonly Cents[]) =>
    lines
      .map((line, index) => ({ ...line, amountCents: cents[index] ?? 0 }))
      .filter(({ amountCents }) => amountCents !== 0);
  return { part: of(shares), rest: of(amounts.map((cents, index) => sumCents([cents, -(shares[index] ?? 0)]))) };
}
