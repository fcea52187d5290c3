// Requests and answers of policy changes on the wire. Contract 3.2.
import { z } from 'zod';
import {
  CANCELLATION_METHODS,
  CANCELLATION_REASONS,
  CANCELLATION_SOURCES,
} from '../../../domain/policy/cancellation-words.ts';
import {
  businessText,
  dollars,
  idReference,
  isoDate,
  longText,
  positiveDollars,
  previewQuery,
} from '../../spine/schemas.ts';
import { AddressInputSchema } from '../submission/submissions.schemas.ts';
import { PolicySchema, PolicyTransactionSchema } from './policies.schemas.ts';

const MOST_ADDITIONAL_INSUREDS = 100;

const TermChangesSchema = z
  .strictObject({
    requestedLimit: positiveDollars.meta({ description: 'The limit for each occurrence, in dollars.' }),
    annualRevenue: positiveDollars,
    deductible: dollars,
    insuredName: businessText,
    insuredAddress: AddressInputSchema,
    additionalInsureds: z
      .array(z.strictObject({ name: businessText }))
      .max(MOST_ADDITIONAL_INSUREDS)
      .meta({ description: 'The complete list. An empty list removes all additional insureds.' }),
  })
  .partial()
  .meta({ id: 'TermChanges', description: 'The terms to change. Terms that you leave out stay as they are.' });

export const EndorseSchema = z
  .strictObject({
    effectiveDate: isoDate.meta({
      description: 'A day within the term. It may be earlier than the date of an existing endorsement.',
    }),
    changes: TermChangesSchema,
    reason: longText.optional(),
    applyToRenewal: z.boolean().optional().meta({
      description: 'True also changes the next term, if it is already bound, from its first day. Default: false.',
    }),
  })
  .refine(({ changes }) => Object.keys(changes).length > 0, {
    error: 'An endorsement must change at least one term.',
    path: ['changes'],
    params: { rule: 'no_change' },
  })
  .meta({ id: 'Endorse' });

export const VoidEndorsementSchema = z.strictObject({ reason: longText }).meta({ id: 'VoidEndorsement' });

export const CancelSchema = z
  .strictObject({
    effectiveDate: isoDate.meta({
      description: 'The first day without coverage. A future date schedules the cancellation.',
    }),
    reason: z.enum(CANCELLATION_REASONS),
    source: z.enum(CANCELLATION_SOURCES).optional().meta({
      description:
        'Who cancels. Default: the insured for insured_request, flat_not_taken, rewrite and sold_out_of_business; otherwise the carrier.',
    }),
    method: z.enum(CANCELLATION_METHODS).optional().meta({
      description:
        'How the return premium is computed. Default: flat at inception; otherwise pro rata for the carrier and short rate for the insured.',
    }),
  })
  .meta({ id: 'Cancel' });

export const ReinstateSchema = z
  .strictObject({
    effectiveDate: isoDate.optional().meta({
      description:
        'The day coverage resumes. Default: the day of the cancellation, without a gap. Leave it out for a pending cancellation.',
    }),
    reason: longText.optional(),
  })
  .meta({ id: 'Reinstate' });

export const RenewSchema = z
  .strictObject({
    effectiveDate: isoDate
      .optional()
      .meta({ description: 'The first day of the next term. Default: the expiration date.' }),
    changes: TermChangesSchema.optional(),
  })
  .meta({ id: 'Renew' });

export const NonRenewSchema = z.strictObject({ reason: longText }).meta({
  id: 'NonRenew',
  description: 'The notice must be given as many days before expiration as the state requires.',
});

export const NonRenewedPolicySchema = z
  .strictObject({
    ...PolicySchema.shape,
    preview: z.literal(true).optional().meta({ description: 'Only in a preview: nothing was written.' }),
  })
  .meta({ id: 'NonRenewedPolicy' });

export const ChangeQuery = z.strictObject(previewQuery);

const {
  id: _id,
  documentId: _documentId,
  issuedAt: _issuedAt,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...previewed
} = PolicyTransactionSchema.shape;

const preview = {
  id: z.null(),
  documentId: z.null(),
  ...previewed,
  issuedAt: z.null(),
  preview: z.literal(true),
};

export const TransactionPreviewSchema = z.strictObject(preview).meta({
  id: 'PolicyTransactionPreview',
  description: 'The transaction as it would be issued now. Nothing is written.',
});

const renewalOffer = {
  renewalPolicyId: idReference('policy').nullable().meta({
    description: 'The id of the next term if it is already bound; otherwise null.',
  }),
  renewalCarriesChange: z.boolean().nullable().meta({
    description:
      'True if the next term already has these terms. If it is false, use `applyToRenewal` to change the next term too. It is null without a next term.',
  }),
};

export const EndorsementSchema = z
  .strictObject({
    ...PolicyTransactionSchema.shape,
    ...renewalOffer,
    renewalTransaction: PolicyTransactionSchema.nullable().meta({
      description: 'The transaction on the next term. It is null unless `applyToRenewal` changed it.',
    }),
  })
  .meta({ id: 'Endorsement' });

export const EndorsementPreviewSchema = z
  .strictObject({ ...preview, ...renewalOffer, renewalTransaction: TransactionPreviewSchema.nullable() })
  .meta({ id: 'EndorsementPreview', description: 'The endorsement as it would be issued now. Nothing is written.' });

export const RenewalSchema = z
  .strictObject({
    ...PolicyTransactionSchema.shape,
    renewalPolicyId: idReference('policy').meta({
      description: 'The id of the next term. The transaction belongs to it.',
    }),
    policyNumber: z.string().meta({ description: 'The policy number of the next term.' }),
  })
  .meta({ id: 'Renewal' });

export const RenewalPreviewSchema = z
  .strictObject({ ...preview, policyId: z.null(), renewalPolicyId: z.null(), policyNumber: z.null() })
  .meta({ id: 'RenewalPreview', description: 'The next term as it would be bound now. Nothing is written.' });

export type TermChangesBody = z.output<typeof TermChangesSchema>;
export type TransactionPreviewWire = z.output<typeof TransactionPreviewSchema>;
export type RenewalWire = z.output<typeof RenewalSchema>;
export type RenewalPreviewWire = z.output<typeof RenewalPreviewSchema>;
