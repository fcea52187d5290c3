// A payment that turns out never to have been received: a returned check or transfer, or a lost dispute. The invoice
// is payable again. Contract 3.4.
import { addDays, type BusinessDate, maxDate } from '../dates.ts';
import { DomainError } from '../errors.ts';
import type { Cents } from '../money.ts';
import { type InvoiceAmounts, invoiceBalance } from './invoice.ts';
import { KEPT_REFUND } from './payment.ts';

export const REVERSAL_REASONS = ['nsf', 'stopped', 'error'] as const;
/** Insufficient funds, payment stopped by the payer, or recorded by mistake. */
export type ReversalReason = (typeof REVERSAL_REASONS)[number];

/** Days that the insured gets to pay again. */
const DAYS_TO_PAY_AGAIN = 10;

/** Returns when an invoice that is payable again falls due: on its own day, or in ten days if that is later. */
export function dueAgain(invoice: InvoiceAmounts, today: BusinessDate): BusinessDate {
  if (invoiceBalance(invoice) === 0) return invoice.dueDate;
  return maxDate(invoice.dueDate, addDays(today, DAYS_TO_PAY_AGAIN));
}

/** Returns when the fee for a returned payment falls due. */
export function dueForFee(today: BusinessDate): BusinessDate {
  return addDays(today, DAYS_TO_PAY_AGAIN);
}

/** How money comes in that the payer's bank can take back. A wire is final, and cash is there or is not. */
const RETURNED_BY_BANKS: readonly string[] = ['check', 'ach'];

/** What decides whether a payment can be reversed. */
export interface ReversiblePayment {
  kind: string;
  method: string;
  /** Whether a reversal has already returned it for good. */
  isReversed: boolean;
}

/** Why a payment is reversed, and the fee that its payer is charged for that, if any. */
interface ReversalRequest {
  reason: ReversalReason;
  feeCents: Cents | null;
}

/**
 * Refuses to reverse a payment twice, a card payment (only its bank takes it back), or anything that is not a receipt;
 * a wire or cash for any other reason than our own mistake; and a fee for that mistake.
 * @throws DomainError invalid_state_transition, which names the field if another value of it would do
 */
export function ensureReversible(
  { kind, method, isReversed }: ReversiblePayment,
  { reason, feeCents }: ReversalRequest,
): void {
  if (kind !== 'manual' || method === KEPT_REFUND || isReversed) {
    const from = isReversed ? 'reversed' : method === KEPT_REFUND ? method : kind;
    const message = isReversed
      ? 'The payment has already been reversed.'
      : 'Only a check, transfer or cash payment can be reversed by hand, not a card payment or a refund.';
    throw refused(from, message, []);
  }
  if (reason !== 'error' && !RETURNED_BY_BANKS.includes(method)) {
    throw refusedFor('reason', method, 'No bank returns a wire or cash. It can only be reversed with reason "error".');
  }
  if (reason === 'error' && feeCents !== null) {
    throw refusedFor('fee', method, 'The payer is not charged for a payment that was recorded by mistake.');
  }
}

/** Refuses a field; with another value of it, the payment can be reversed. */
function refusedFor(field: string, method: string, message: string): DomainError {
  return refused(method, message, ['reverse'], { field });
}

function refused(from: string, message: string, allowed: readonly string[], more: object = {}): DomainError {
  return new DomainError('invalid_state_transition', message, {
    ...{ resource: 'payment', from, action: 'reverse', allowed, ...more },
  });
}

/**
 * Returns how much of the money coming back to an invoice it takes: what it lacks without it. The amounts are those
 * after the return was undone; a void invoice takes nothing.
 */
export function takenAgain(
  { totalCents, paidCents, refundedBeforePaidCents, voided }: InvoiceAmounts,
  returnedCents: Cents,
): Cents {
  if (voided) return 0;
  const withoutCents = paidCents - returnedCents - refundedBeforePaidCents;
  return Math.min(Math.max(totalCents - withoutCents, 0), returnedCents);
}
