// The shapes of payments on the wire. Contract 3.4.
import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../../domain/billing/payment.ts';
import { REVERSAL_REASONS } from '../../../domain/billing/reversal.ts';
import { instant, returnedPaymentFee, signedDollars } from '../../spine/schemas.ts';

const DisputeSchema = z
  .strictObject({
    id: z.string().meta({ description: "The card processor's id." }),
    status: z.string().meta({ description: "The card processor's own status.", examples: ['needs_response'] }),
    outcome: z.enum(['open', 'won', 'lost']),
    amount: z.number(),
    reason: z
      .string()
      .nullable()
      .meta({ examples: ['fraudulent'] }),
    openedAt: instant,
    closedAt: instant.nullable(),
  })
  .meta({ id: 'Dispute' });

export const PaymentSchema = z
  .strictObject({
    id: z.string(),
    invoiceId: z.string(),
    kind: z.enum(['card', 'manual', 'refund']),
    amount: signedDollars.meta({ description: 'Dollars; negative for money that went back.' }),
    reference: z.string().meta({ description: 'Payment intent, number of the check, or refund at the processor.' }),
    method: z.enum(['card', 'check', 'ach', 'wire', 'cash']),
    status: z.enum([...PAYMENT_STATUSES, 'disputed', 'reversed']).meta({
      description: 'A payment is `disputed` while its bank decides, and `reversed` once all of it was taken back.',
    }),
    receivedAt: instant,
    unappliedAmount: z.number().optional().meta({ description: 'What the invoice could not take of a receipt.' }),
    appliedFrom: z.string().optional().meta({ description: 'The payment whose unapplied money it is.' }),
    requiresManualReview: z.boolean().optional().meta({ description: 'Of money that went back.' }),
    chargeback: z.boolean().optional().meta({ description: 'True where a bank took the money back.' }),
    reversal: z.boolean().optional().meta({ description: 'True where the payment was never good.' }),
    reverses: z.string().nullable().optional().meta({ description: 'The payment that was charged back or reversed.' }),
    coveredAmount: z.number().optional().meta({
      description: 'What had gone back before: operating money owes it to the trust.',
    }),
    dispute: DisputeSchema.optional(),
    reason: z.string().nullable().optional().meta({ description: 'Why the money went back.' }),
  })
  .meta({ id: 'Payment' });

export const ReverseSchema = z
  .strictObject({
    reason: z.enum(REVERSAL_REASONS).meta({
      description: 'No sufficient funds, stopped by the payer, or recorded in error.',
    }),
    fee: returnedPaymentFee.optional().meta({ description: 'Billed to the insured on an invoice of its own.' }),
  })
  .meta({ id: 'ReversePayment' });

export type PaymentWire = z.output<typeof PaymentSchema>;
