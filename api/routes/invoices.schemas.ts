// The shapes of invoices on the wire. Contract 3.4.
import { z } from 'zod';
import { INVOICE_STATUSES } from '../../domain/invoice.ts';
import { businessText, idReference, instant, isoDate, pageOf, pageQuery, signedDollars } from '../schemas.ts';

const InvoiceLineSchema = z
  .strictObject({
    kind: z.enum(['premium', 'fee', 'tax', 'credit']),
    code: z.string(),
    description: z.string(),
    amount: signedDollars,
  })
  .meta({ id: 'InvoiceLine' });

const PaymentSchema = z
  .strictObject({
    id: z.string(),
    invoiceId: z.string(),
    kind: z.enum(['card', 'manual', 'refund']),
    amount: signedDollars,
    reference: z.string(),
    method: z.string().nullable(),
    status: z.string(),
    receivedAt: instant,
  })
  .meta({ id: 'Payment' });

const PaymentErrorSchema = z
  .strictObject({ code: z.string().nullable(), message: z.string(), at: instant })
  .meta({ id: 'PaymentError' });

export const InvoiceSchema = z
  .strictObject({
    id: z.string(),
    orgId: z.string(),
    invoiceNumber: z.string().meta({ examples: ['INV-2026-000321'] }),
    policyId: z.string(),
    insuredName: z.string(),
    status: z.enum(INVOICE_STATUSES),
    installmentNumber: z.number().int(),
    installmentCount: z.number().int(),
    issueDate: isoDate,
    dueDate: isoDate,
    lines: z.array(InvoiceLineSchema),
    total: z.number(),
    paidAmount: z.number().meta({ description: 'Gross of refunds.' }),
    refundedAmount: z.number(),
    balance: z.number(),
    payments: z.array(PaymentSchema),
    lastPaymentError: PaymentErrorSchema.nullable(),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Invoice' });

export const InvoicePageSchema = pageOf('Invoice', InvoiceSchema);

export const InvoiceListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(INVOICE_STATUSES).optional(),
  policyId: idReference('policy').optional(),
  dueFrom: isoDate.optional(),
  dueTo: isoDate.optional(),
  q: businessText.optional().meta({ description: 'Part of the invoice number or of the name of the insured.' }),
});

export type InvoiceWire = z.output<typeof InvoiceSchema>;
