// The shape of filings on the wire. Contract 3.7 "Compliance filings".
import { z } from 'zod';
import {
  actorId,
  businessText,
  idReference,
  instant,
  isoDate,
  pageQuery,
  pageSchema,
  state,
} from '../../spine/schemas.ts';

const STATUSES = ['open', 'overdue', 'filed', 'withdrawn'] as const;

export const FilingSchema = z
  .strictObject({
    id: idReference('filing'),
    orgId: idReference('organization'),
    kind: z.string().meta({
      examples: ['sl_tax_payment', 'stamping_fee', 'nonrenewal_notice', 'fmcsa_notice', 'licence_renewal', 'mga_audit'],
    }),
    state: z.string().nullable().meta({ description: 'Null for a deadline with a carrier.' }),
    dueDate: isoDate.meta({ description: 'The last day to file on time.' }),
    daysLeft: z.number().int().meta({ description: 'Days until the due date. It is negative once that has passed.' }),
    status: z.enum(STATUSES).meta({ description: 'An open filing is overdue from the day after its due date.' }),
    policyId: idReference('policy').nullable(),
    transactionId: idReference('policyTransaction')
      .nullable()
      .meta({ description: 'The transaction of the policy that requires it.' }),
    producerId: idReference('producer').nullable().meta({ description: 'Set where the filing belongs to a producer.' }),
    appointmentId: idReference('appointment').nullable(),
    claimId: idReference('claim')
      .nullable()
      .meta({ description: 'Set on a deadline to acknowledge a claim or to decide it.' }),
    carrier: z
      .string()
      .nullable()
      .meta({ description: 'Set where the filing is a report or a remittance to a carrier, or its audit.' }),
    contractId: idReference('daContract')
      .nullable()
      .meta({ description: 'The contract that the carrier audits. Null for other filings.' }),
    period: z
      .string()
      .nullable()
      .meta({
        description: 'The month of the report or the remittance, or the half-year of the audit.',
        examples: ['2026-03', '2026-H1'],
      }),
    reference: z.string().nullable().meta({ description: 'The number or receipt issued by the state for the filing.' }),
    filedOn: isoDate.nullable(),
    filedBy: actorId.nullable(),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Filing' });

export const FilingPageSchema = pageSchema('Filing', FilingSchema);

export const FilingListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(STATUSES).optional(),
  kind: businessText.optional(),
  state: state.optional(),
  dueFrom: isoDate.optional(),
  dueTo: isoDate.optional(),
  policyId: idReference('policy').optional(),
  producerId: idReference('producer').optional(),
  claimId: idReference('claim').optional(),
});

export const FilingChangeSchema = z
  .strictObject({
    status: z.literal('filed'),
    reference: businessText.meta({ description: 'The number or receipt that the state issued.' }),
  })
  .meta({ id: 'FilingChange' });

export type FilingWire = z.output<typeof FilingSchema>;
