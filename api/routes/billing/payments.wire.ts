// Maps payments from rows to the wire. A chargeback or reversal is returned money: on the wire it is a refund that says
// so, and the payment itself is disputed or reversed. Pure. Contract 3.4 "Payment".
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { moneyOf, paysInvoice } from '../../../domain/billing/payment.ts';
import { returnedFrom } from '../../../domain/billing/refund.ts';
import { sumCents, toDollars } from '../../../domain/money.ts';
import { instantToWire } from './charges.wire.ts';
import type { PaymentWire } from './payments.schemas.ts';

/**
 * Returns a payment in dollars; `others` are the payments of its invoice, its returns among them. `unappliedCents` is
 * what is still unapplied, if that may be less than its invoice left.
 */
export function paymentToWire(payment: Payment, others: readonly Payment[], unappliedCents?: number): PaymentWire {
  const { id, orgId, kind, reference, method, status, coveredCents } = payment;
  const wire: PaymentWire = {
    ...{ id, orgId, invoiceId: payment.invoiceId, kind: kindOf(payment), amount: toDollars(receivedOf(payment)) },
    ...{ reference, method, status, receivedDate: payment.receivedOn, receivedAt: instantToWire(payment.receivedAt) },
    ...{ createdAt: instantToWire(payment.createdAt), updatedAt: instantToWire(payment.updatedAt) },
    version: payment.version,
  };
  if (paysInvoice(payment)) return { ...wire, ...receiptState(payment, others, unappliedCents) };
  const { requiresManualReview, reason, allocations } = payment;
  const reverses = kind === 'refund' ? {} : { reverses: allocations[0]?.paymentId ?? null };
  return {
    ...{ ...wire, requiresManualReview, reason, ...reverses },
    ...(kind === 'chargeback' ? { chargeback: true, ...disputeOf([payment]) } : {}),
    ...(kind === 'reversal' ? { reversal: true } : {}),
    ...(coveredCents > 0 ? { coveredAmount: toDollars(coveredCents) } : {}),
  };
}

/** Applied money came by card or by hand; anything returned is a refund. */
function kindOf({ kind, method }: Payment): PaymentWire['kind'] {
  if (kind === 'application') return method === 'card' ? 'card' : 'manual';
  return kind === 'card' || kind === 'manual' ? kind : 'refund';
}

function receiptState(
  receipt: Payment,
  others: readonly Payment[],
  unappliedCents = moneyOf(receipt) - receipt.appliedCents,
): Partial<PaymentWire> {
  const own = others.filter(({ allocations }) => returnedFrom(receipt.id, allocations) > 0);
  const standing = own.filter(({ status }) => status === 'succeeded');
  const isOpen = standing.some(({ dispute }) => dispute?.outcome === 'open');
  const status = isOpen ? 'disputed' : isReversed(receipt, standing) ? 'reversed' : receipt.status;
  const { sourcePaymentId } = receipt;
  const appliedFrom = sourcePaymentId === null ? {} : { appliedFrom: sourcePaymentId };
  return { status, unappliedAmount: toDollars(unappliedCents), ...appliedFrom, ...disputeOf(own) };
}

/** What it originally put on its invoice. */
function receivedOf(payment: Payment): number {
  return paysInvoice(payment) ? moneyOf(payment) + payment.takenBackCents : payment.amountCents;
}

/** The whole payment was taken back for good, or all but what had been refunded. */
function isReversed(payment: Payment, returns: readonly Payment[]): boolean {
  const { id, amountCents, appliedCents, takenBackCents } = payment;
  const wentBackCents = sumCents(returns.map(({ allocations }) => returnedFrom(id, allocations)));
  if (takenBackCents > 0) return wentBackCents >= appliedCents;
  if (returns.some(({ kind }) => kind === 'reversal')) return true;
  if (!returns.some(({ dispute }) => dispute?.outcome === 'lost')) return false;
  return wentBackCents >= amountCents;
}

/** The latest dispute about a payment. */
function disputeOf(returns: readonly Payment[]): Pick<PaymentWire, 'dispute'> {
  const row = returns.findLast(({ dispute }) => dispute !== null);
  if (!row?.dispute) return {};
  const { outcome, status, reason, openedAt, closedAt } = row.dispute;
  const amount = toDollars(-row.amountCents);
  return { dispute: { id: row.reference, status, outcome, amount, reason, openedAt, closedAt } };
}
