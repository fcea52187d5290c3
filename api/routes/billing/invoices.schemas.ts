// The shapes of invoices on the wire. Contract 3.4.
import { z } from 'zod';
import { INVOICE_ORDERS } from '../../../db/queries/billing/invoices.ts';
import { INVOICE_STATUSES } from '../../../domain/billing/invoice.ts';
import {
  businessText,
  expandQuery,
  externalId,
  idReference,
  instant,
  isoDate,
  longText,
  pageQuery,
  paymentDollars,
  referenceText,
  signedDollars,
  sortQuery,
  totalDollars,
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
    paymentIntentId: externalId,
    clientSecret: z.string().optional().meta({
      description: "The secret that the payer's browser needs to confirm the payment.",
    }),
    amount: signedDollars,
    currency: z.literal('usd'),
    status: z.string().meta({ description: "The card processor's own status.", examples: ['requires_payment_method'] }),
  })
  .meta({ id: 'PaymentIntent' });

export const CollectSchema = z
  .strictObject({ amount: paymentDollars.optional().meta({ description: 'Amount in dollars. Default: the balance.' }) })
  .meta({ id: 'Collect' });

export const PaySchema = z
  .strictObject({
    amount: paymentDollars,
    method: z.enum(['check', 'ach', 'wire', 'cash']),
    reference: referenceText.meta({
      description: 'The check number, or whatever identifies the payment.',
    }),
    receivedDate: isoDate.optional().meta({
      description: 'The day the money was received: no later than today and at most a year back. Default: today.',
    }),
    unapplied: z.boolean().optional().meta({
      description: 'True allows an amount above the balance. The excess stays unapplied. Default: false.',
    }),
  })
  .meta({ id: 'Pay' });

export const VoidSchema = z
  .strictObject({
    reason: longText,
    reissue: z.boolean().optional().meta({
      description: 'True bills the same lines again on one new invoice. Default: false.',
    }),
    amount: paymentDollars.optional().meta({
      description: 'The amount in dollars to bill again; only with `reissue`. Default: the full total.',
    }),
  })
  .meta({ id: 'VoidInvoice' });

export const WriteOffSchema = z.strictObject({ reason: longText }).meta({ id: 'WriteOffInvoice' });

export const RefundRequestSchema = z
  .strictObject({
    amount: paymentDollars.optional().meta({
      description:
        'Amount in dollars. Default: the unapplied part of the payments on this invoice; if there is none, everything that was paid and not yet refunded.',
    }),
    reason: longText,
  })
  .meta({ id: 'RefundInvoice' });

const PaymentErrorSchema = z
  .strictObject({ code: z.string().nullable(), message: z.string(), at: instant })
  .meta({ id: 'PaymentError' });

export const InvoiceSchema = z
  .strictObject({
    id: idReference('invoice'),
    orgId: idReference('organization'),
    invoiceNumber: z.string().meta({ examples: ['INV-2026-000321'] }),
    policyId: idReference('policy'),
    insuredName: z.string(),
    status: z.enum(INVOICE_STATUSES),
    installmentNumber: z.number().int(),
    installmentCount: z.number().int(),
    issueDate: isoDate.meta({ description: 'The business date on which the invoice was issued.' }),
    dueDate: isoDate.meta({ description: 'The last day to pay. The invoice is past due from the day after.' }),
    lines: z.array(InvoiceLineSchema),
    total: totalDollars.meta({
      description:
        'The sum of the lines, in dollars. If a payment is reversed after a part of it was refunded, what was refunded is not billed again: until the invoice is paid, it is deducted as a credit line with the code `RETURNED`.',
    }),
    paidAmount: totalDollars.meta({ description: 'Everything paid, in dollars, before refunds.' }),
    refundedAmount: totalDollars.meta({ description: 'Everything refunded, charged back or reversed, in dollars.' }),
    balance: totalDollars.meta({
      description:
        'The amount still owed, in dollars: 0 once the invoice has been fully paid or is void, otherwise `total` less `paidAmount` plus `refundedAmount`. If a payment is reversed, what the invoice still held of it is due again; earlier refunds are not billed again.',
    }),
    disputed: z.boolean().meta({
      description:
        'True while a bank decides on a dispute about a payment on this invoice. Meanwhile the invoice takes no card payments and does not make its policy past due.',
    }),
    payments: z.array(PaymentSchema),
    lastPaymentError: PaymentErrorSchema.nullable(),
    reissueOf: z.string().nullable().meta({ description: 'The void invoice that this invoice replaces.' }),
    restOf: z.string().nullable().meta({
      description: 'The invoice that was paid in part and whose unpaid rest was written off as this one.',
    }),
    reissuedAs: z.string().nullable().meta({ description: 'The invoice that replaces this void invoice.' }),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Invoice' });

export const InvoiceQuery = z.strictObject(expandQuery('`policy` adds the policy of the invoice.', 'policy'));

export const InvoiceListQuery = z.strictObject({
  ...pageQuery,
  sort: sortQuery('Invoice', INVOICE_ORDERS),
  ...InvoiceQuery.shape,
  status: z.enum(INVOICE_STATUSES).optional(),
  policyId: idReference('policy').optional(),
  invoiceNumber: businessText.optional().meta({ description: 'The number of one invoice, in full.' }),
  dueFrom: isoDate.optional(),
  dueTo: isoDate.optional(),
  q: businessText.optional().meta({
    description:
      "Any part of the invoice number or of the insured's name, or the beginning of the reference of a payment on the invoice.",
  }),
});

export type InvoiceWire = z.output<typeof InvoiceSchema>;
