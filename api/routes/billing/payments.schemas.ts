// The shapes of payments on the wire. Contract 3.4.
import { z } from 'zod';
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '../../../domain/billing/payment.ts';
import { REVERSAL_REASONS } from '../../../domain/billing/reversal.ts';
import {
  businessText,
  externalId,
  idReference,
  instant,
  isoDate,
  pageQuery,
  pageSchema,
  returnedPaymentFee,
  signedDollars,
  totalDollars,
} from '../../spine/schemas.ts';

const DisputeSchema = z
  .strictObject({
    id: externalId.meta({ description: "The card processor's id." }),
    status: z.string().meta({ description: "The card processor's own status.", examples: ['needs_response'] }),
    outcome: z.enum(['open', 'won', 'lost']),
    amount: totalDollars,
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
    id: idReference('payment', 'refund'),
    orgId: idReference('organization'),
    invoiceId: idReference('invoice').nullable().meta({
      description: 'The invoice that it is for. It is null for money of a card that names no invoice of ours.',
    }),
    kind: z.enum(['card', 'manual', 'refund']),
    amount: signedDollars.meta({ description: 'Amount in dollars. It is negative when money went back to the payer.' }),
    reference: z.string().meta({
      description: 'The payment intent, the check number or transfer reference, or the refund at the card processor.',
    }),
    method: z.enum(PAYMENT_METHODS),
    status: z.enum([...PAYMENT_STATUSES, 'disputed', 'reversed']).meta({
      description:
        'A payment is `disputed` while the bank decides on a dispute, and `reversed` once all of it has been taken back.',
    }),
    receivedDate: isoDate.meta({
      description:
        'The business date on which the money was received, as it was sent or else the day of recording. For money that went back, and for unapplied cash that was applied, the day on which it was.',
    }),
    receivedAt: instant.meta({ description: 'When the payment was recorded, or when the card processor took it.' }),
    createdAt: instant,
    updatedAt: instant,
    version: z.int(),
    unappliedAmount: totalDollars.optional().meta({
      description:
        'For money received: the part, in dollars, that the invoice could not take and that is still unapplied.',
    }),
    appliedFrom: idReference('payment').optional().meta({
      description: 'The id of the original payment. It is present when this payment applies unapplied cash.',
    }),
    requiresManualReview: z.boolean().optional().meta({
      description: 'For money that went back: true when the amount is above 1,000 dollars and needs a manual review.',
    }),
    chargeback: z.boolean().optional().meta({
      description: "True when the cardholder's bank took the money back in a dispute. Otherwise absent.",
    }),
    reversal: z.boolean().optional().meta({
      description:
        'True when this entry reverses a payment that was never good, such as a bounced check. Otherwise absent.',
    }),
    reverses: idReference('payment').nullable().optional().meta({
      description: 'For a chargeback or a reversal: the id of the payment that was charged back or reversed.',
    }),
    coveredAmount: totalDollars.optional().meta({
      description:
        'The part, in dollars, that had already been refunded when the money was taken back. Operating funds owe it to the trust.',
    }),
    dispute: DisputeSchema.optional(),
    reason: z.string().nullable().optional().meta({ description: 'The reason why the money went back.' }),
  })
  .meta({ id: 'Payment' });

export const PaymentPageSchema = pageSchema('Payment', PaymentSchema);

export const PaymentListQuery = z.strictObject({
  ...pageQuery,
  q: businessText.optional().meta({
    description: 'The beginning of the reference: the check number, the transfer reference or the payment intent.',
  }),
  method: z.enum(PAYMENT_METHODS).optional(),
  invoiceId: idReference('invoice').optional(),
  policyId: idReference('policy').optional(),
  receivedFrom: isoDate.optional().meta({ description: 'The first day on which the money was received.' }),
  receivedTo: isoDate.optional().meta({ description: 'The last day on which the money was received.' }),
});

export const ReverseSchema = z
  .strictObject({
    reason: z.enum(REVERSAL_REASONS).meta({
      description:
        '`nsf`: insufficient funds. `stopped`: the payer stopped the payment. `error`: the payment was recorded by mistake.',
    }),
    fee: returnedPaymentFee.optional().meta({
      description:
        'A fee in dollars, such as a returned-check fee, at most 1,000. It is billed to the insured on a separate invoice. Not with reason `error`.',
    }),
  })
  .meta({ id: 'ReversePayment' });

export type PaymentWire = z.output<typeof PaymentSchema>;
