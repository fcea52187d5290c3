// The shapes of submissions on the wire: requests and responses. Spec 2.4, Contract 3.1.
import { z } from 'zod';
import { SUBMISSION_ORDERS } from '../../../db/queries/submission/submissions.ts';
import { SUBMISSION_STATUSES } from '../../../domain/submission/submission.ts';
import {
  actorId,
  businessText,
  dollars,
  emailAddress,
  expandQuery,
  idReference,
  instant,
  isoDate,
  lineOfBusiness,
  longText,
  naics,
  pageQuery,
  pageSchema,
  positiveDollars,
  sortQuery,
  state,
} from '../../spine/schemas.ts';
import { changedPhoneNumber, phoneNumber } from '../phone-number.ts';
import { QuoteSchema } from './quotes.schemas.ts';
import { SanctionsMatchSchema } from './sanctions.schemas.ts';

const COUNT_MAX = 1_000;

const count = z.number().int().min(0).max(COUNT_MAX);

export const AddressInputSchema = z
  .strictObject({
    line1: businessText,
    line2: businessText.nullable().optional(),
    city: businessText,
    state,
    postalCode: z.string().regex(/^\d{5}(-\d{4})?$/, 'A postal code must look like 78701 or 78701-1234.'),
  })
  .meta({ id: 'AddressInput' });

export const AddressSchema = z
  .strictObject({
    line1: z.string(),
    line2: z.string().nullable(),
    city: z.string(),
    state: z.string(),
    postalCode: z.string(),
  })
  .meta({ id: 'Address' });

const requiredFacts = {
  insuredName: businessText,
  naicsCode: naics,
  annualRevenue: positiveDollars,
  requestedLimit: positiveDollars.meta({ description: 'The limit for each occurrence, in dollars.' }),
  effectiveDate: isoDate.meta({ description: 'The first day of coverage.' }),
  state,
  lineOfBusiness,
};

const optionalFacts = {
  producerId: idReference('producer'),
  insuredEmail: emailAddress,
  insuredPhone: phoneNumber,
  insuredAddress: AddressInputSchema,
  deductible: dollars,
  lossesLast5Years: count.meta({ description: 'The number of losses in the last five years. Left out: unknown.' }),
  yearsInBusiness: count,
  usdotNumber: z.string().regex(/^\d{1,12}$/, 'A USDOT number must have 1 to 12 digits.'),
  description: longText,
};

const optional = z.strictObject(optionalFacts).partial().shape;

export const SubmissionCreateSchema = z
  .strictObject({ ...requiredFacts, ...optional })
  .meta({ id: 'SubmissionCreate', description: 'A risk that seeks coverage.' });

export const SubmissionChangesSchema = z
  .strictObject({
    ...{ ...z.strictObject(requiredFacts).partial().shape, ...optional },
    insuredPhone: changedPhoneNumber.optional(),
  })
  .meta({ id: 'SubmissionChanges', description: 'The facts to complete or correct.' });

export const WithdrawSchema = z.strictObject({ reason: longText.optional() }).meta({ id: 'Withdraw' });

export const DeclineSchema = z.strictObject({ reason: longText }).meta({ id: 'Decline' });

const TriageFactorSchema = z
  .strictObject({ code: z.string(), points: z.number(), max: z.number(), reason: z.string() })
  .meta({ id: 'TriageFactor' });

export const TriageSchema = z
  .strictObject({
    score: z.number().int().min(0).max(100),
    band: z.string(),
    factors: z.array(TriageFactorSchema),
  })
  .meta({ id: 'Triage', description: 'How well the risk fits the appetite, and why.' });

const ClearanceSchema = z
  .strictObject({
    duplicateOf: z.string().nullable().meta({
      description:
        "The id of a submission that is probably the same risk. A producer does not see the id of another producer's submission: null.",
    }),
    sanctionsMatches: z.array(SanctionsMatchSchema).nullable().meta({
      description:
        'The entries of sanctions lists that the name resembles and that nobody has cleared (`POST /sanctions/clearances`). A producer does not see the result of the screening: null.',
    }),
  })
  .meta({ id: 'Clearance' });

export type ClearanceWire = z.infer<typeof ClearanceSchema>;

const SubmissionSchema = z
  .strictObject({
    id: idReference('submission'),
    orgId: idReference('organization'),
    status: z.enum(SUBMISSION_STATUSES),
    insuredName: z.string().nullable(),
    naicsCode: z.string().nullable(),
    annualRevenue: dollars.nullable(),
    requestedLimit: dollars.nullable(),
    effectiveDate: isoDate.nullable(),
    state: z.string().nullable(),
    lineOfBusiness: z.string().nullable(),
    producerId: idReference('producer').nullable(),
    insuredEmail: z.string().nullable(),
    insuredPhone: z.string().nullable(),
    insuredAddress: AddressSchema.nullable(),
    deductible: dollars.nullable(),
    lossesLast5Years: count.nullable(),
    yearsInBusiness: count.nullable(),
    usdotNumber: z.string().nullable(),
    description: z.string().nullable(),
    missingFields: z.array(z.string()).meta({ description: 'The required fields that are still missing.' }),
    triage: TriageSchema.nullable(),
    clearance: ClearanceSchema.nullable(),
    quoteId: idReference('quote').nullable().meta({ description: 'The id of the latest quote.' }),
    policyId: idReference('policy').nullable(),
    declineReason: z.string().nullable(),
    expiresOn: isoDate
      .nullable()
      .meta({ description: 'The business date on which the submission expires unless it moves on.' }),
    createdBy: actorId,
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Submission' });

const IntakeSchema = z
  .strictObject({
    documentId: idReference('document').meta({ description: 'The document that holds the form itself.' }),
    source: z.enum(['form', 'text']).meta({ description: 'Whether form fields or printed text were read.' }),
    values: z
      .array(
        z.strictObject({
          name: z.string().meta({
            description:
              'A field of the submission, or another value on the form: for example `fein`, `legalEntity`, ' +
              '`questions.bankruptcy` (Y or N), `priorCoverage.GeneralLiability.A.totalPremium` (A is the latest ' +
              'year) or `totalLosses`.',
          }),
          value: z.union([z.string(), z.number()]).meta({ description: 'The value as read. Amounts are in dollars.' }),
          page: z.number().int(),
          field: z.string().meta({ description: 'The field of the form, or the label beside a printed value.' }),
          confidence: z.number().min(0).max(1),
        }),
      )
      .meta({ description: 'Where each value was found.' }),
    additionalLines: z
      .array(z.string())
      .meta({ description: 'Other lines of business that are ticked, in order of rank.' }),
    unread: z
      .array(z.strictObject({ name: z.string(), page: z.number().int(), field: z.string() }))
      .meta({ description: 'Fields with a value that does not belong there.' }),
    assumed: z
      .array(z.string())
      .meta({ description: 'Required values that the form does not have. They are missing until they are sent.' }),
  })
  .meta({ id: 'SubmissionIntake', description: 'The values read from the form that was submitted.' });

export const SubmissionDetailSchema = z
  .strictObject({
    ...SubmissionSchema.shape,
    intake: IntakeSchema.nullable(),
    quote: QuoteSchema.nullable().meta({ description: 'The latest quote.' }),
    referralIds: z
      .array(idReference('referral'))
      .meta({ description: 'The referrals of this submission, newest first.' }),
  })
  .meta({ id: 'SubmissionDetail' });

const ListedSubmissionSchema = z
  .strictObject({
    ...SubmissionSchema.shape,
    quote: QuoteSchema.nullable().optional().meta({ description: 'The latest quote; only with `expand=quote`.' }),
  })
  .meta({ id: 'ListedSubmission' });

export const SubmissionPageSchema = pageSchema('Submission', ListedSubmissionSchema);

export const SubmissionListQuery = z.strictObject({
  ...pageQuery,
  sort: sortQuery('Submission', SUBMISSION_ORDERS),
  ...expandQuery('`quote` adds the latest quote of each submission.', 'quote'),
  status: z.enum(SUBMISSION_STATUSES).optional(),
  producerId: idReference('producer').optional(),
  lineOfBusiness: lineOfBusiness.optional(),
  state: state.optional(),
  q: businessText.optional().meta({ description: "Any part of the insured's name." }),
  createdFrom: isoDate.optional(),
  createdTo: isoDate.optional(),
});

export type SubmissionCreate = z.output<typeof SubmissionCreateSchema>;
export type SubmissionChangesBody = z.output<typeof SubmissionChangesSchema>;
export type SubmissionWire = z.output<typeof SubmissionSchema>;
export type SubmissionDetailWire = z.output<typeof SubmissionDetailSchema>;
