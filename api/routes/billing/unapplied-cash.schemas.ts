// The shapes of the desk for unapplied cash. Contract 3.4.
import { z } from 'zod';
import { idReference, instant, longText, pageOf, pageQuery, positiveDollars } from '../../spine/schemas.ts';

const UnappliedCashSchema = z
  .strictObject({
    paymentId: z.string(),
    invoiceId: z.string().nullable().meta({ description: 'The invoice it came for; null where it matched none.' }),
    policyId: z.string().nullable(),
    method: z.enum(['card', 'check', 'ach', 'wire', 'cash']),
    reference: z.string(),
    amount: z.number().meta({ description: 'What was received.' }),
    unappliedAmount: z.number().meta({ description: 'What no invoice has taken and has not gone back.' }),
    receivedAt: instant,
  })
  .meta({ id: 'UnappliedCash' });

export const UnappliedCashPageSchema = pageOf('UnappliedCash', UnappliedCashSchema);

export const UnappliedCashQuery = z.strictObject({
  ...pageQuery,
  policyId: idReference('policy').optional(),
  invoiceId: idReference('invoice').optional(),
});

export const ApplySchema = z
  .strictObject({
    invoiceId: idReference('invoice').meta({ description: 'Of any policy of the organization.' }),
    amount: positiveDollars.optional().meta({ description: 'Default: as much as there is and the invoice takes.' }),
  })
  .meta({ id: 'ApplyUnappliedCash' });

export const ReturnSchema = z
  .strictObject({
    amount: positiveDollars.optional().meta({ description: 'Default: all that is left.' }),
    reason: longText,
  })
  .meta({ id: 'ReturnUnappliedCash' });

export type UnappliedCashWire = z.output<typeof UnappliedCashSchema>;
