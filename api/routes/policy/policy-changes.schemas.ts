// Requests and answers of policy changes on the wire. Contract 3.2.
import { z } from 'zod';
import {
  CANCELLATION_METHODS,
  CANCELLATION_REASONS,
  CANCELLATION_SOURCES,
} from '../../../domain/policy/cancellation-words.ts';
import { businessText, dollars, isoDate, longText, positiveDollars, previewQuery } from '../../spine/schemas.ts';
import { AddressInputSchema } from '../submission/submissions.schemas.ts';
import { PolicyTransactionSchema } from './policies.schemas.ts';

const MOST_ADDITIONAL_INSUREDS = 100;

const TermChangesSchema = z
  .strictObject({
    requestedLimit: positiveDollars.meta({ description: 'Limit for each occurrence, in dollars.' }),
    annualRevenue: positiveDollars,
    deductible: dollars,
    insuredName: businessText,
    insuredAddress: AddressInputSchema,
    additionalInsureds: z
      .array(z.strictObject({ name: businessText }))
      .max(MOST_ADDITIONAL_INSUREDS)
      .meta({ description: 'All of them; an empty list leaves none.' }),
  })
  .partial()
  .meta({ id: 'TermChanges', description: 'What is named changes, everything else stays.' });

export const EndorseSchema = z
  .strictObject({
    effectiveDate: isoDate.meta({ description: 'A day in the term, even one before a later endorsement.' }),
    changes: TermChangesSchema,
    reason: longText.optional(),
    applyToRenewal: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the next term, already bound, is changed too from its first day.' }),
  })
  .refine(({ changes }) => Object.keys(changes).length > 0, {
    error: 'An endorsement changes something.',
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
    source: z.enum(CANCELLATION_SOURCES).optional().meta({ description: 'Default: by the reason.' }),
    method: z
      .enum(CANCELLATION_METHODS)
      .optional()
      .meta({ description: 'Default: flat at inception, pro rata by the carrier, short rate by the insured.' }),
  })
  .meta({ id: 'Cancel' });

export const ReinstateSchema = z
  .strictObject({
    effectiveDate: isoDate.optional().meta({ description: 'Default: the day of the cancellation, without a gap.' }),
    reason: longText.optional(),
  })
  .meta({ id: 'Reinstate' });

export const RenewSchema = z
  .strictObject({
    effectiveDate: isoDate.optional().meta({ description: 'Default: the expiration date.' }),
    changes: TermChangesSchema.optional(),
  })
  .meta({ id: 'Renew' });

export const NonRenewSchema = z.strictObject({ reason: longText }).meta({ id: 'NonRenew' });

export const ChangeQuery = z.strictObject(previewQuery);

const {
  id: _id,
  issuedAt: _issuedAt,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...previewed
} = PolicyTransactionSchema.shape;

const preview = {
  id: z.null(),
  ...previewed,
  issuedAt: z.null(),
  preview: z.literal(true),
};

export const TransactionPreviewSchema = z
  .strictObject(preview)
  .meta({ id: 'PolicyTransactionPreview', description: 'What the transaction would be now; nothing is written.' });

const renewalOffer = {
  renewalPolicyId: z.string().nullable().meta({ description: 'The next term, if it is already bound.' }),
  renewalCarriesChange: z
    .boolean()
    .nullable()
    .meta({ description: 'False: apply the change to the next term with `applyToRenewal`. Null without a next term.' }),
};

export const EndorsementSchema = z
  .strictObject({
    ...PolicyTransactionSchema.shape,
    ...renewalOffer,
    renewalTransaction: PolicyTransactionSchema.nullable().meta({ description: 'The change on the next term.' }),
  })
  .meta({ id: 'Endorsement' });

export const EndorsementPreviewSchema = z
  .strictObject({ ...preview, ...renewalOffer, renewalTransaction: TransactionPreviewSchema.nullable() })
  .meta({ id: 'EndorsementPreview', description: 'What the endorsement would do now; nothing is written.' });

export const RenewalSchema = z
  .strictObject({
    ...PolicyTransactionSchema.shape,
    renewalPolicyId: z.string().meta({ description: 'The next term, whose transaction this is.' }),
    policyNumber: z.string().meta({ description: 'Number of the next term.' }),
  })
  .meta({ id: 'Renewal' });

export const RenewalPreviewSchema = z
  .strictObject({ ...preview, policyId: z.null(), renewalPolicyId: z.null(), policyNumber: z.null() })
  .meta({ id: 'RenewalPreview', description: 'What the next term would cost now; nothing is written.' });

export type TermChangesBody = z.output<typeof TermChangesSchema>;
export type TransactionPreviewWire = z.output<typeof TransactionPreviewSchema>;
export type RenewalWire = z.output<typeof RenewalSchema>;
export type RenewalPreviewWire = z.output<typeof RenewalPreviewSchema>;
