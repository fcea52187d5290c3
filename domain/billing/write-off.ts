// Writing off an invoice that will never be paid: when it is allowed, and what the part that was paid bills. Domain
// facts 2.5.
import type { BusinessDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { type Cents, sumCents } from '../money.ts';
import { type InvoiceAmounts, type InvoiceStatus, invoiceStatus } from './invoice.ts';
import { inProportion } from './ledger/premium-by-terms.ts';

/** What can still be done with an invoice that cannot be written off. */
const ALLOWED: Readonly<Record<InvoiceStatus, readonly string[]>> = {
  open: ['pay', 'collect', 'void'],
  partially_paid: ['pay', 'collect', 'refund'],
  past_due: ['pay'],
  paid: ['refund'],
  partially_refunded: ['refund'],
  refunded: [],
  void: ['reissue'],
  uncollectible: ['pay', 'collect'],
};

/**
 * Returns how much of an invoice was paid and stands, in cents, where it may be written off: when it is past due, and
 * again once something was paid on it since.
 * @throws DomainError invalid_state_transition
 */
export function ensureWritableOff(invoice: InvoiceAmounts & { disputed: boolean }, today: BusinessDate): Cents {
  const status = invoiceStatus(invoice, today);
  const paidCents = invoice.paidCents - invoice.refundedBeforePaidCents;
  const isOpen = status === 'past_due' || (status === 'uncollectible' && paidCents > 0);
  if (isOpen && !invoice.disputed) return paidCents;
  const from = isOpen ? 'disputed' : status;
  throw new DomainError(
    'invalid_state_transition',
    `Only a past-due invoice that is not in dispute can be written off. This invoice is "${from}".`,
    { resource: 'invoice', from, action: 'write_off', allowed: [...ALLOWED[status]] },
  );
}

/** Divides lines into those of a part of their sum and the rest, each line in proportion; no line is zero. */
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
