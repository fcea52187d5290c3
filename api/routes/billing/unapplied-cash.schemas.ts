// The shapes of the unapplied cash desk. Contract 3.4.
import { z } from 'zod';
import { PAYMENT_METHODS } from '../../../domain/billing/payment.ts';
import {
  idReference,
  instant,
  isoDate,
  longText,
  pageQuery,
  pageSchema,
  paymentDollars,
  signedDollars,
  totalDollars,
} from '../../spine/schemas.ts';

const UnappliedCashSchema = z
  .strictObject({
    id: idReference('payment').meta({ description: 'The payment; the `id` of the paths that apply or return it.' }),
    paymentId: idReference('payment').meta({ description: 'The same as `id`.' }),
    invoiceId: idReference('invoice').nullable().meta({
      description: 'The invoice that the money was paid for. It is null when the payment matched no invoice.',
    }),
    policyId: idReference('policy').nullable(),
    method: z.enum(PAYMENT_METHODS),
    reference: z.string(),
    amount: signedDollars.meta({ description: 'The full amount received, in dollars.' }),
    unappliedAmount: totalDollars.meta({
      description: 'The part, in dollars, that has been neither applied to an invoice nor returned.',
    }),
    receivedDate: isoDate.meta({ description: 'The business date on which the money was received.' }),
    receivedAt: instant.meta({ description: 'When the payment was recorded, or when the card processor took it.' }),
  })
  .meta({ id: 'UnappliedCash' });

export const UnappliedCashPageSchema = pageSchema('UnappliedCash', UnappliedCashSchema);

export const UnappliedCashQuery = z.strictObject({
  ...pageQuery,
  policyId: idReference('policy').optional(),
  invoiceId: idReference('invoice').optional(),
});

export const ApplySchema = z
  .strictObject({
    invoiceId: idReference('invoice').meta({
      description: "The invoice to apply the money to. It may belong to any of the organization's policies.",
    }),
    amount: paymentDollars.optional().meta({
      description: 'Amount in dollars. Default: the unapplied amount or the balance of the invoice, whichever is less.',
    }),
  })
  .meta({ id: 'ApplyUnappliedCash' });

export const ReturnSchema = z
  .strictObject({
    amount: paymentDollars.optional().meta({
      description: 'Amount in dollars. Default: everything that is still unapplied.',
    }),
    reason: longText,
  })
  .meta({ id: 'ReturnUnappliedCash' });

export type UnappliedCashWire = z.output<typeof UnappliedCashSchema>;
