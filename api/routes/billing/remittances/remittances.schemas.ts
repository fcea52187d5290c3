// The shapes of remittances on the wire: payouts to producers, remittances to carriers and states, transfers.
import { z } from 'zod';
import { REMITTANCE_KINDS, REMITTANCE_STATUSES } from '../../../../domain/billing/remittance.ts';
import {
  businessText,
  dollars,
  idReference,
  instant,
  isoDate,
  longText,
  pageOf,
  pageQuery,
  signedDollars,
  state,
} from '../../../spine/schemas.ts';

const through = isoDate.meta({ description: 'It covers what was owed up to this day, today at the latest.' });

const remittance = {
  id: z.string(),
  orgId: z.string(),
  kind: z.enum(REMITTANCE_KINDS).meta({
    description:
      'commission: to a producer. carrier: premium to a carrier. tax, stamping: to a state. transfer: our own commission and fees, to operating cash.',
  }),
  producerId: z.string().nullable(),
  carrier: z.string().nullable(),
  state: z.string().nullable(),
  filingId: z.string().nullable().meta({ description: 'The filing that it pays.' }),
  through,
  amount: dollars.meta({
    description:
      'What the payee gets, in dollars: what it covers, and in a transfer what operating cash has put back for returns.',
  }),
  netted: dollars.meta({
    description:
      'What the payee owed back of earlier payments, in dollars. It is deducted from `amount` already. Nothing is netted in a transfer.',
  }),
  status: z.enum(REMITTANCE_STATUSES),
  preparedBy: z.string(),
  decidedBy: z.string().nullable(),
  decidedAt: instant.nullable(),
  reason: z.string().nullable().meta({ description: 'The reason for the rejection.' }),
  paidOn: isoDate.nullable(),
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
    invoices: z.array(
      z
        .strictObject({
          invoiceId: z.string(),
          invoiceNumber: z.string(),
          policyId: z.string(),
          account: z.number().int(),
          amount: signedDollars,
        })
        .meta({ id: 'RemittedInvoice', description: 'What it covers of one invoice; negative where it was returned.' }),
    ),
  })
  .meta({ id: 'RemittanceDetail', description: 'A remittance with the invoices that it covers.' });

export const RemittancePageSchema = pageOf('Remittance', RemittanceSchema);
export const RemittanceRejectionSchema = z.strictObject({ reason: longText }).meta({ id: 'RemittanceRejection' });

const listQuery = { ...pageQuery, status: z.enum(REMITTANCE_STATUSES).optional() };
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
    state: state.optional().meta({ description: 'Of a tax or stamping fee; by default that of the filing.' }),
    through,
    filingId: idReference('filing').optional().meta({
      description: "The filing that a tax or stamping fee pays. Only what belongs to the filing's policy is covered.",
    }),
  })
  .meta({ id: 'RemittanceWrite' });

export type RemittanceWrite = z.output<typeof RemittanceWriteSchema>;
export type RemittanceWire = z.output<typeof RemittanceSchema>;
export type RemittanceDetailWire = z.output<typeof RemittanceDetailSchema>;
