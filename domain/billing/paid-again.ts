// Which part of returned money must be paid again: one rule for returns that have settled, whenever that is, and for
// those still reserved. An invoice owes its total less what was paid plus the sum of these parts. Contract 3.2, 3.4.
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
 * Returns how much of `row`, in cents, must be paid again if it is returned from the invoice as it is now.
 *
 * - A return for a policy change has lowered the price: none of it, even if a reversal has since reopened the invoice
 * or a credit has settled it.
 * - While the invoice is not fully paid: all of it.
 * - Once it is: the excess left by a credit, which is allocated to no one. Money a bank holds for now is no excess.
 *
 * `others` are the other returns of the invoice.
 */
export function paidAgainCents(invoice: Amounts, row: InvoiceReturn, others: readonly InvoiceReturn[]): Cents {
  if (row.composition !== null) return 0;
  if (!isFullyPaid(invoice)) return -row.appliedCents;
  return Math.min(Math.max(leftOverCents(invoice) - disputedCents(others), 0), -row.appliedCents);
}

/**
 * Returns an invoice's amounts as they will be once every reserved return is settled and every bank keeps what it has
 * taken, with how much of each reserved return must then be paid again.
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
 * Returns what an invoice holds beyond its total, however its returns end, in cents: nothing unless a credit counted
 * on money leaving that stays after all. On a void invoice, everything is beyond its total.
 */
export function beyondTotalCents(invoice: InvoiceAmounts, returns: readonly InvoiceReturn[]): Cents {
  const { amounts } = foreseenAmounts(invoice, returns);
  return Math.max(invoice.voided ? amounts.paidCents - amounts.refundedCents : leftOverCents(amounts), 0);
}

/**
 * Returns the unallocated money on an invoice that reserved returns will take, in cents: it is set aside for them, and
 * no other return may take it.
 */
export function waitingCents(invoice: Amounts, returns: readonly InvoiceReturn[]): Cents {
  return sumCents([...foreseenAmounts(invoice, returns).paidAgain.values()]);
}

/** Negative while something is still owed. */
function leftOverCents({ totalCents, paidCents, refundedBeforePaidCents }: Amounts): Cents {
  return paidCents - refundedBeforePaidCents - totalCents;
}

/** Whether a bank is still deciding about it. */
export function isDisputed({ dispute }: InvoiceReturn): boolean {
  return dispute?.outcome === 'open';
}

/** Allocated money that banks have taken while their decision is open. */
function disputedCents(returns: readonly InvoiceReturn[]): Cents {
  return sumCents(returns.filter(isDisputed).map((row) => -row.appliedCents - row.beforePaidCents));
}
