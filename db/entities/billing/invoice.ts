// A bill. Its status is not stored; it follows from the amounts and the date (domain/billing/invoice.ts).
import { defineEntity, p } from '@mikro-orm/core';
import {
  businessDate,
  cents,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';
/** One line of the bill; a credit has a negative amount. */
export interface InvoiceLine {
  kind: 'premium' | 'fee' | 'tax' | 'credit';
  code: string;
  description: string;
  amountCents: number;
  /** The transaction that added the line to an existing bill. */
  transactionId?: string;
}

export interface PaymentFault {
  code: string | null;
  message: string;
  at: string;
}

const InvoiceSchema = defineEntity({
  name: 'Invoice',
  tableName: 'invoices',
  properties: {
    id: idColumn('invoice'),
    orgId: orgIdColumn(),
    /** `INV-2026-000321`; unique in the organization. */
    invoiceNumber: p.text(),
    policyId: p.text(),
    transactionId: p.text(),
    producerId: p.text().strictNullable(),
    insuredName: p.text(),
    installmentNumber: p.integer(),
    installmentCount: p.integer(),
    issueDate: businessDate(),
    dueDate: businessDate(),
    /** The original due date, if a payment that was never good has moved `dueDate`. */
    firstDueDate: businessDate().nullable(),
    lines: json<InvoiceLine[]>(),
    totalCents: cents(),
    /** Gross of refunds. */
    paidCents: cents().default(0),
    refundedCents: cents().default(0),
    /** The part refunded before the invoice was fully paid. */
    refundedBeforePaidCents: cents().default(0),
    /** Whether a bank is deciding a dispute over money on it: until then nothing is collected. */
    disputed: p.boolean().default(false),
    voidedAt: instant().strictNullable(),
    /** The policy transaction that voided it; null when a person did. */
    voidedBy: p.text().strictNullable(),
    uncollectibleAt: instant().strictNullable(),
    /** The void invoice that this one reissues. */
    reissueOf: p.text().strictNullable(),
    /** The written-off invoice whose unpaid remainder this is. */
    restOf: p.text().strictNullable(),
    lastPaymentError: json<PaymentFault>().strictNullable(),
    /** The due date for which the insured was notified of the autopay charge. */
    autopayNoticeFor: businessDate().nullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Invoice extends InvoiceSchema.class {}
InvoiceSchema.setClass(Invoice);
