// The shapes of invoices on the wire. Contract 3.4.
import { z } from 'zod';
import { INVOICE_STATUSES } from '../../../domain/billing/invoice.ts';
import {
  businessText,
  idReference,
  instant,
  isoDate,
  longText,
  pageOf,
  pageQuery,
  paymentDollars,
  signedDollars,
} from '../../spine/schemas.ts';
import { PaymentSchema } from './payments.schemas.ts';

const InvoiceLineSchema = z
  .strictObject({
    kind: z.enum(['premium', 'fee', 'tax', 'credit']),
    code: z.string(),
    description: z.string(),
    amount: signedDollars,
  })
  .meta({ id: 'InvoiceLine' });

export const PaymentIntentSchema = z
  .strictObject({
    paymentIntentId: z.string(),
    clientSecret: z.string().optional().meta({
      description: 'With it a browser confirms the payment.',
    }),
    amount: z.number(),
    currency: z.literal('usd'),
    status: z.string().meta({ description: "The card processor's own status.", examples: ['requires_payment_method'] }),
  })
  .meta({ id: 'PaymentIntent' });

export const CollectSchema = z
  .strictObject({ amount: paymentDollars.optional().meta({ description: 'Default: the balance.' }) })
  .meta({ id: 'Collect' });

export const PaySchema = z
  .strictObject({
    amount: paymentDollars,
    method: z.enum(['check', 'ach', 'wire', 'cash']),
    reference: businessText.meta({ description: 'Number of the check, or whatever names the payment.' }),
    receivedDate: isoDate.optional().meta({ description: 'Default: today; no day to come, and at most a year back.' }),
    unapplied: z
      .boolean()
      .optional()
      .meta({ description: 'It may be more than the balance: the rest stays unapplied.' }),
  })
  .meta({ id: 'Pay' });

export const VoidSchema = z
  .strictObject({
    reason: longText,
    reissue: z.boolean().optional().meta({ description: 'Bills the same again with a new number, once.' }),
    amount: paymentDollars.optional().meta({ description: 'How much of it is billed again. Default: all of it.' }),
  })
  .meta({ id: 'VoidInvoice' });

export const RefundRequestSchema = z
  .strictObject({
    amount: paymentDollars.optional().meta({
      description:
        'Default: what the invoice could not take; where there is none, all that was paid and has not gone back.',
    }),
    reason: longText,
  })
  .meta({ id: 'RefundInvoice' });

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
    balance: z.number().meta({
      description:
        'What is still owed. What was refunded while the invoice was fully paid stays with the insured: once a reversed payment or a lost dispute has made it payable again, the balance leaves that out.',
    }),
    disputed: z.boolean().meta({
      description: 'While a bank decides about money on it: no card attempts, and its policy is not past due for it.',
    }),
    payments: z.array(PaymentSchema),
    lastPaymentError: PaymentErrorSchema.nullable(),
    reissueOf: z.string().nullable().meta({ description: 'The void invoice that this one bills again.' }),
    reissuedAs: z.string().nullable().meta({ description: 'The invoice that bills this void one again.' }),
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
  q: businessText.optional().meta({ description: "Part of the invoice number or the insured's name." }),
});

export type InvoiceWire = z.output<typeof InvoiceSchema>;
