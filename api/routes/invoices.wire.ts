// Invoices from rows to the wire: status and balance follow from the amounts and the business date. Pure. Contract 3.4.
import type { Invoice } from '../../db/entities/invoice.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { invoiceBalance, invoiceStatus } from '../../domain/invoice.ts';
import { toDollars } from '../../domain/money.ts';
import { instantToWire } from './charges.wire.ts';
import type { InvoiceWire } from './invoices.schemas.ts';

/** Gives an invoice as it stands on a business date; amounts in dollars. */
export function invoiceToWire(invoice: Invoice, today: BusinessDate): InvoiceWire {
  const { totalCents, paidCents, refundedCents, dueDate } = invoice;
  const voided = invoice.voidedAt !== null;
  const uncollectible = invoice.uncollectibleAt !== null;
  const amounts = { totalCents, paidCents, refundedCents, voided, uncollectible, dueDate };
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
    payments: [],
    lastPaymentError: invoice.lastPaymentError,
    version: invoice.version,
    createdAt: instantToWire(invoice.createdAt),
    updatedAt: instantToWire(invoice.updatedAt),
  };
}
