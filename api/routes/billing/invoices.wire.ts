// Maps invoices and their payments from rows to the wire: status and balance follow from the amounts and the business
// date. Pure. Contract 3.4.
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { billOf, invoiceBalance, invoiceStatus } from '../../../domain/billing/invoice.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { toDollars } from '../../../domain/money.ts';
import { instantToWire } from './charges.wire.ts';
import type { InvoiceWire } from './invoices.schemas.ts';
import { paymentToWire } from './payments.wire.ts';

/** An invoice with what other rows say about it. */
export interface InvoiceWithPayments {
  invoice: Invoice;
  /** Oldest first. */
  payments: readonly Payment[];
  /** The invoice that bills it again. */
  reissuedAs: string | null;
  /** The remaining unapplied cents of payments larger than the invoice took. */
  unapplied: ReadonlyMap<string, number>;
}

/** Returns an invoice as it stands on a business date; amounts in dollars. */
export function invoiceToWire(
  { invoice, payments, reissuedAs, unapplied }: InvoiceWithPayments,
  today: BusinessDate,
): InvoiceWire {
  const { paidCents, refundedCents, dueDate } = invoice;
  const amounts = invoiceAmounts(invoice);
  const bill = billOf(amounts, invoice.lines);
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
    lines: bill.lines.map(({ kind, code, description, amountCents }) => ({
      kind,
      code,
      description,
      amount: toDollars(amountCents),
    })),
    total: toDollars(bill.totalCents),
    paidAmount: toDollars(paidCents),
    refundedAmount: toDollars(refundedCents),
    balance: toDollars(invoiceBalance(amounts)),
    disputed: invoice.disputed,
    payments: payments.map((payment) => paymentToWire(payment, payments, unapplied.get(payment.id))),
    lastPaymentError: invoice.lastPaymentError,
    reissueOf: invoice.reissueOf,
    restOf: invoice.restOf,
    reissuedAs,
    version: invoice.version,
    createdAt: instantToWire(invoice.createdAt),
    updatedAt: instantToWire(invoice.updatedAt),
  };
}
