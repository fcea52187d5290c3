// The state and balance of an invoice: pure functions of its amounts, its marks and the date. Spec 3.1, Contract 3.4.
import type { BusinessDate } from '../dates.ts';
import type { Cents } from '../money.ts';
import type { ChangeLine } from '../policy/invoice-lines.ts';

export const INVOICE_STATUSES = [
  'open',
  'partially_paid',
  'paid',
  'past_due',
  'void',
  'refunded',
  'partially_refunded',
  'uncollectible',
] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** Amounts and marks of an invoice; `paidCents` is gross of refunds. */
export interface InvoiceAmounts {
  totalCents: Cents;
  paidCents: Cents;
  refundedCents: Cents;
  /** Refunds made before the invoice was fully paid, which must be paid again. */
  refundedBeforePaidCents: Cents;
  voided: boolean;
  uncollectible: boolean;
  dueDate: BusinessDate;
}

/**
 * Returns an invoice's state on a business date: void, uncollectible; once fully paid refunded, partially_refunded or
 * paid; otherwise past_due from the day after its due date, partially_paid or open. Contract 3.4.
 */
export function invoiceStatus(invoice: InvoiceAmounts, today: BusinessDate): InvoiceStatus {
  const { paidCents, refundedCents, refundedBeforePaidCents } = invoice;
  if (invoice.voided) return 'void';
  if (invoice.uncollectible) return 'uncollectible';
  if (isFullyPaid(invoice)) {
    if (refundedCents <= refundedBeforePaidCents) return 'paid';
    return refundedCents >= paidCents ? 'refunded' : 'partially_refunded';
  }
  if (invoice.dueDate < today) return 'past_due';
  return paidCents > refundedCents ? 'partially_paid' : 'open';
}

/**
 * Returns what is still owed, in cents: 0 once fully paid or void, else total − paid + refunded. On an invoice
 * reopened by a reversed payment, refunds made while it was fully paid stay with the insured. Contract 3.4.
 */
export function invoiceBalance(invoice: InvoiceAmounts): Cents {
  if (invoice.voided || isFullyPaid(invoice)) return 0;
  return invoice.totalCents - invoice.paidCents + invoice.refundedBeforePaidCents;
}

/**
 * Whether the whole total has ever been paid; a later refund does not make the invoice payable again, a reversed
 * payment does.
 */
export function isFullyPaid(
  invoice: Pick<InvoiceAmounts, 'totalCents' | 'paidCents' | 'refundedBeforePaidCents'>,
): boolean {
  return invoice.paidCents - invoice.refundedBeforePaidCents >= invoice.totalCents;
}

/**
 * Returns what an invoice bills as its readers see it: lines and their sum. On a reopened invoice, money refunded
 * while it was fully paid that need not be paid again has lowered the price and appears as a credit. So the balance of
 * an open invoice is always total − paid + refunded. Contract 3.4.
 */
export function billOf(
  amounts: InvoiceAmounts,
  lines: readonly ChangeLine[],
): { totalCents: Cents; lines: readonly ChangeLine[] } {
  const { totalCents, refundedCents, refundedBeforePaidCents } = amounts;
  const keptCents = refundedCents - refundedBeforePaidCents;
  if (keptCents === 0 || amounts.voided || isFullyPaid(amounts)) return { totalCents, lines };
  const credit = { kind: 'credit', code: 'RETURNED', description: KEPT, amountCents: -keptCents } as const;
  return { totalCents: totalCents - keptCents, lines: [...lines, credit] };
}

const KEPT = 'Returned, not to be paid again';
