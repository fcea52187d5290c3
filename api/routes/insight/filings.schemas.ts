// The shape of filings on the wire. Contract 3.7 "Compliance filings".
import { z } from 'zod';
import { businessText, idReference, instant, isoDate, pageOf, pageQuery, state } from '../../spine/schemas.ts';

const STATUSES = ['open', 'overdue', 'filed', 'withdrawn'] as const;

export const FilingSchema = z
  .strictObject({
    id: z.string(),
    orgId: z.string(),
    kind: z.string().meta({ examples: ['sl_policy_filing', 'sl_tax_payment', 'licence_renewal'] }),
    state: z.string().nullable().meta({ description: 'Null for a report to a carrier.' }),
    dueDate: isoDate.meta({ description: 'The last day on which the filing is on time.' }),
    daysLeft: z.number().int().meta({ description: 'Days until the due date. It is negative after it.' }),
    status: z.enum(STATUSES).meta({ description: 'An open filing is overdue from the day after its due date.' }),
    policyId: z.string().nullable(),
    transactionId: z.string().nullable().meta({ description: 'The transaction of the policy that requires it.' }),
    producerId: z.string().nullable().meta({ description: 'Set where the filing belongs to a producer.' }),
    appointmentId: z.string().nullable(),
    carrier: z.string().nullable().meta({ description: 'Set where the filing is a report to a carrier.' }),
    period: z
      .string()
      .nullable()
      .meta({ description: 'The month of the report.', examples: ['2026-03'] }),
    reference: z.string().nullable().meta({ description: 'What the state gave for the filing.' }),
    filedOn: isoDate.nullable(),
    filedBy: z.string().nullable(),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Filing' });

export const FilingPageSchema = pageOf('Filing', FilingSchema);

export const FilingListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(STATUSES).optional(),
  kind: businessText.optional(),
  state: state.optional(),
  dueFrom: isoDate.optional(),
  dueTo: isoDate.optional(),
  policyId: idReference('policy').optional(),
  producerId: idReference('producer').optional(),
});

export const FilingChangeSchema = z
  .strictObject({
    status: z.literal('filed'),
    reference: businessText.meta({ description: 'The number or receipt that the state gave.' }),
  })
  .meta({ id: 'FilingChange' });

export type FilingWire = z.output<typeof FilingSchema>;
