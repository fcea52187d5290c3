// Which part of returned money must be paid again: one rule for a return that settles, whenever it does, and for one
// that is still reserved. An invoice owes its total less what was paid plus the sum of these parts. Contract 3.2, 3.4.
import { type Cents, sumCents } from '../money.ts';
import type { Dispute } from './dispute.ts';
import { type InvoiceAmounts, isFullyPaid } from './invoice.ts';
import { isReserved, type PaymentStatus } from './payment.ts';

type Amounts = Pick<InvoiceAmounts, 'totalCents' | 'paidCents' | 'refundedCents' | 'refundedBeforePaidCents'>;

/** A return that has not failed; `appliedCents` is negative. */
export interface InvoiceReturn {
  status: PaymentStatus;
  appliedCents: Cents;
  beforePaidCents: Cents;
  /** Set on a refund caused by a policy change. */
  composition: unknown;
  /** Set on a chargeback. */
  dispute: Pick<Dispute, 'outcome'> | null;
}

/**
 * Returns how much of `row`, in cents, must be paid again when it goes back from an invoice as it is now.
 *
 * - What a policy change gives back has lowered the price: none of it, even if a reversal has opened the invoice
 *   meanwhile or a credit has settled it.
 * - While the invoice is not fully paid: all of it.
 * - Once it is: what a credit has left over, which nobody has a share of. What a bank holds for now is not left over.
 *
 * `others` are the other returns of the invoice.
 */
export function paidAgainCents(invoice: Amounts, row: InvoiceReturn, others: readonly InvoiceReturn[]): Cents {
  if (row.composition !== null) return 0;
  if (!isFullyPaid(invoice)) return -row.appliedCents;
  return Math.min(Math.max(leftOverCents(invoice) - disputedCents(others), 0), -row.appliedCents);
}

/**
 * Returns an invoice's amounts as they will be when every reserved return has gone back and every bank keeps what it
 * has taken, with how much of each reserved return must be paid again then.
 */
export function foreseenAmounts<Invoice extends Amounts, Row extends InvoiceReturn>(
  invoice: Invoice,
  returns: readonly Row[],
): { amounts: Invoice; paidAgain: Map<Row, Cents> } {
  const amounts = { ...invoice };
  const paidAgain = new Map<Row, Cents>();
  for (const row of returns.filter(({ status }) => isReserved(status))) {
    const cents = paidAgainCents(amounts, row, returns);
    paidAgain.set(row, cents);
    amounts.refundedCents -= row.appliedCents;
    amounts.refundedBeforePaidCents += cents;
  }
  amounts.refundedBeforePaidCents += disputedCents(returns);
  return { amounts, paidAgain };
}

/**
 * Returns what an invoice holds beyond its total, whatever becomes of its returns, in cents: nothing unless a credit
 * counted on money to go that stays after all. A void invoice holds everything beyond.
 */
export function beyondTotalCents(invoice: InvoiceAmounts, returns: readonly InvoiceReturn[]): Cents {
  const { amounts } = foreseenAmounts(invoice, returns);
  return Math.max(invoice.voided ? amounts.paidCents - amounts.refundedCents : leftOverCents(amounts), 0);
}

/**
 * Returns what reserved returns will take of an invoice that nobody has a share of, in cents: it waits for them, and no
 * other return may take it.
 */
export function waitingCents(invoice: Amounts, returns: readonly InvoiceReturn[]): Cents {
  return sumCents([...foreseenAmounts(invoice, returns).paidAgain.values()]);
}

/** Negative while something is still owed. */
function leftOverCents({ totalCents, paidCents, refundedBeforePaidCents }: Amounts): Cents {
  return paidCents - refundedBeforePaidCents - totalCents;
}

/** Whether a bank decides about it. */
export function isDisputed({ dispute }: InvoiceReturn): boolean {
  return dispute?.outcome === 'open';
}

/** What banks have taken from the shares, and nobody knows whether for good. */
function disputedCents(returns: readonly InvoiceReturn[]): Cents {
  return sumCents(returns.filter(isDisputed).map((row) => -row.appliedCents - row.beforePaidCents));
}
