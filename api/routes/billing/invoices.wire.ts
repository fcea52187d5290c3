// Invoices and their payments from rows to the wire: status and balance follow from the amounts and the business date.
// Pure. Contract 3.4.
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { invoiceBalance, invoiceStatus } from '../../../domain/billing/invoice.ts';
import { moneyOf, paysInvoice } from '../../../domain/billing/payment.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { toDollars } from '../../../domain/money.ts';
import { instantToWire } from './charges.wire.ts';
import type { InvoiceWire, PaymentWire } from './invoices.schemas.ts';

/** An invoice with what stands in other rows. */
export interface BilledInvoice {
  invoice: Invoice;
  /** Oldest first. */
  payments: readonly Payment[];
  /** The invoice that bills it again. */
  reissuedAs: string | null;
  /** What is still unapplied of payments with more than the invoice took, in cents. */
  unapplied: ReadonlyMap<string, number>;
}

/** Gives an invoice as it stands on a business date; amounts in dollars. */
export function invoiceToWire(
  { invoice, payments, reissuedAs, unapplied }: BilledInvoice,
  today: BusinessDate,
): InvoiceWire {
  const { totalCents, paidCents, refundedCents, dueDate } = invoice;
  const amounts = invoiceAmounts(invoice);
  return {
    id: invoice.id,
    orgId: invoice.orgId,
    invoiceNumber: invoice.invoiceNumber,
    policyId: invoice.policyId,
    insuredName: invoice.insuredName,
    status: invoiceStatus(amounts, today),
    installmentNumber: invoice.installmentNumber,
    installmentCount: invoice.installmentCount,
    issueDate: invoice.issueDate,
    dueDate,
    lines: invoice.lines.map(({ kind, code, description, amountCents }) => ({
      kind,
      code,
      description,
      amount: toDollars(amountCents),
    })),
    total: toDollars(totalCents),
    paidAmount: toDollars(paidCents),
    refundedAmount: toDollars(refundedCents),
    balance: toDollars(invoiceBalance(amounts)),
    payments: payments.map((payment) => paymentToWire(payment, unapplied.get(payment.id))),
    lastPaymentError: invoice.lastPaymentError,
    reissueOf: invoice.reissueOf,
    reissuedAs,
    version: invoice.version,
    createdAt: instantToWire(invoice.createdAt),
    updatedAt: instantToWire(invoice.updatedAt),
  };
}

/**
 * Gives a payment in dollars. A chargeback is money that went back by card: on the wire it is a refund that says so.
 * Contract 3.4 "Payment".
 */
export function paymentToWire(payment: Payment, unappliedCents?: number): PaymentWire {
  const { id, kind, reference, method, status, receivedAt, sourcePaymentId } = payment;
  const isReceipt = paysInvoice(payment);
  const wire: PaymentWire = {
    id,
    invoiceId: payment.invoiceId ?? '',
    kind: kindOf(payment),
    amount: toDollars(moneyOf(payment)),
    reference,
    method,
    status,
    receivedAt: instantToWire(receivedAt),
  };
  if (isReceipt) {
    const leftCents = unappliedCents ?? moneyOf(payment) - payment.appliedCents;
    return {
      ...wire,
      unappliedAmount: toDollars(leftCents),
      ...(sourcePaymentId === null ? {} : { appliedFrom: sourcePaymentId }),
    };
  }
  const { requiresManualReview, reason } = payment;
  return { ...wire, requiresManualReview, reason, ...(kind === 'chargeback' ? { chargeback: true } : {}) };
}

/** Applied money came by card or by hand; all that goes back is a refund. */
function kindOf({ kind, method }: Payment): PaymentWire['kind'] {
  if (kind === 'application') return method === 'card' ? 'card' : 'manual';
  return kind === 'card' || kind === 'manual' ? kind : 'refund';
}
