// The shapes of remittances on the wire: payouts to producers, remittances to carriers and states, transfers.
import { z } from 'zod';
import { REMITTANCE_KINDS, REMITTANCE_STATUSES } from '../../../../domain/billing/remittance.ts';
import {
  actorId,
  businessText,
  dollars,
  idReference,
  instant,
  isoDate,
  longText,
  pageQuery,
  pageSchema,
  referenceText,
  signedDollars,
  state,
} from '../../../spine/schemas.ts';

const through = isoDate.meta({ description: 'It covers amounts owed up to this day, today at the latest.' });

const remittance = {
  id: idReference('payout', 'remittance', 'transfer'),
  orgId: idReference('organization'),
  kind: z.enum(REMITTANCE_KINDS).meta({
    description:
      'commission: to a producer. carrier: premium to a carrier. tax, stamping: to a state. transfer: our own commission and fees, to operating cash.',
  }),
  producerId: idReference('producer').nullable(),
  carrier: z.string().nullable(),
  state: z.string().nullable(),
  filingId: idReference('filing').nullable().meta({ description: 'The filing that it pays.' }),
  through,
  amount: dollars.meta({
    description:
      'The amount that the payee gets, in dollars: the invoices that it covers, and in a transfer the money that operating cash has put back for returns.',
  }),
  netted: dollars.meta({
    description:
      'The amount that the payee owed back from earlier payments, in dollars. `amount` is already net of it. Nothing is netted in a transfer.',
  }),
  status: z.enum(REMITTANCE_STATUSES),
  preparedBy: actorId,
  decidedBy: actorId.nullable(),
  decidedAt: instant.nullable(),
  reason: z.string().nullable().meta({ description: 'The reason for the rejection.' }),
  paidOn: isoDate.nullable(),
  reference: z.string().nullable().meta({
    description: 'The check number or transfer reference under which it was paid, as the approver gave it.',
  }),
  version: z.number().int(),
  createdAt: instant,
  updatedAt: instant,
};

const RemittanceSchema = z
  .strictObject(remittance)
  .meta({ id: 'Remittance', description: 'Money that leaves the trust for its owner.' });

export const RemittanceDetailSchema = z
  .strictObject({
    ...remittance,
    trustCash: signedDollars.nullable().meta({
      description:
        'The cash of the trust account (1010) now, which must cover the payment for it to be approved. It is null once decided.',
    }),
    invoices: z.array(
      z
        .strictObject({
          invoiceId: idReference('invoice'),
          invoiceNumber: z.string(),
          policyId: idReference('policy'),
          account: z.number().int(),
          amount: signedDollars,
        })
        .meta({
          id: 'RemittedInvoice',
          description: 'The amount that it covers on one invoice; negative for a return.',
        }),
    ),
  })
  .meta({ id: 'RemittanceDetail', description: 'A remittance with the invoices that it covers.' });

export const RemittancePageSchema = pageSchema('Remittance', RemittanceSchema);
export const RemittanceApprovalSchema = z
  .strictObject({
    reference: referenceText.optional().meta({
      description:
        'The check number or transfer reference. Bookings of the bank that name it are matched with the payment.',
    }),
  })
  .meta({ id: 'RemittanceApproval' });
export const RemittanceRejectionSchema = z.strictObject({ reason: longText }).meta({ id: 'RemittanceRejection' });

const listQuery = {
  ...pageQuery,
  status: z.enum(REMITTANCE_STATUSES).optional(),
  paidFrom: isoDate.optional().meta({ description: 'Paid on this day or later.' }),
  paidTo: isoDate.optional().meta({ description: 'Paid on this day or before.' }),
};
export const PayoutListQuery = z.strictObject({ ...listQuery, producerId: idReference('producer').optional() });
export const TransferListQuery = z.strictObject(listQuery);
export const RemittanceListQuery = z.strictObject({
  ...listQuery,
  carrier: businessText.optional(),
  state: state.optional(),
});

export const PayoutWriteSchema = z
  .strictObject({ producerId: idReference('producer'), through })
  .meta({ id: 'PayoutWrite' });

export const TransferWriteSchema = z.strictObject({ through }).meta({ id: 'TransferWrite' });

export const RemittanceWriteSchema = z
  .strictObject({
    kind: z.enum(['carrier', 'tax', 'stamping']).optional().meta({
      description: 'Default: `carrier` where a carrier is named, else `tax`.',
    }),
    carrier: businessText.optional(),
    state: state
      .optional()
      .meta({ description: 'The state of a tax or stamping fee. Default: the state of the filing.' }),
    through,
    filingId: idReference('filing').optional().meta({
      description: "The filing that a tax or stamping fee pays. Only what belongs to the filing's policy is covered.",
    }),
  })
  .meta({ id: 'RemittanceWrite' });

export type RemittanceWrite = z.output<typeof RemittanceWriteSchema>;
export type RemittanceWire = z.output<typeof RemittanceSchema>;
export type RemittanceDetailWire = z.output<typeof RemittanceDetailSchema>;
