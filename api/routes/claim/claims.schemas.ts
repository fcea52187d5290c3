// The shapes of claims on the wire. Protected fields are absent for those who may not see them. Contract 3.3.
import { z } from 'zod';
import { CLAIM_ORDERS } from '../../../db/queries/claim/claims.ts';
import { CLAIM_STATUSES } from '../../../domain/claim/claim.ts';
import { CLAIM_CLOCKS } from '../../../domain/claim/clocks.ts';
import { COVERAGE_FLAGS } from '../../../domain/claim/coverage.ts';
import { SETTLEMENT_STATUSES } from '../../../domain/claim/settlement.ts';
import { POLICY_STATUSES } from '../../../domain/policy/policy.ts';
import {
  actorId,
  businessText,
  dollars,
  emailAddress,
  idReference,
  instant,
  isoDate,
  longText,
  pageQuery,
  pageSchema,
  positiveDollars,
  signedDollars,
  sortQuery,
  tokenSubject,
  totalDollars,
} from '../../spine/schemas.ts';
import { phoneNumber } from '../phone-number.ts';
import { AddressInputSchema, AddressSchema } from '../submission/submissions.schemas.ts';
import { HeldPayeeSchema } from './payee-holds.schemas.ts';

const adjusterId = tokenSubject.meta({ description: 'The user who handles the claim: the `sub` of their token.' });

const ClaimantInputSchema = z
  .strictObject({
    ...{ name: businessText, email: emailAddress.optional(), phone: phoneNumber.optional() },
    address: AddressInputSchema.optional().meta({
      description: 'Where letters about the claim are posted to a claimant without an e-mail address.',
    }),
  })
  .meta({ id: 'ClaimantInput' });

export const ClaimCreateSchema = z
  .strictObject({
    policyId: idReference('policy')
      .optional()
      .meta({ description: 'Any term of the policy. Required without a number.' }),
    policyNumber: businessText.optional().meta({ description: 'The policy number, instead of `policyId`.' }),
    lossDate: isoDate.meta({ description: 'The day of the loss. It must not be after today.' }),
    description: longText.meta({ description: 'What happened.' }),
    cause: businessText.optional().meta({ description: 'The cause of loss.' }),
    reportedBy: businessText.optional().meta({ description: 'Who reported the loss.' }),
    lossLocation: businessText.optional().meta({ description: 'Where the loss happened.' }),
    claimant: ClaimantInputSchema.optional().meta({ description: 'Who makes the claim.' }),
    estimatedAmount: dollars.optional().meta({ description: 'A first estimate of the loss, in dollars.' }),
    containsPhi: z.boolean().default(false).meta({
      description: 'True when the claim holds protected health information. Its texts are then hidden from most roles.',
    }),
  })
  .superRefine(({ policyId, policyNumber }, context) => {
    if (policyId === undefined && policyNumber === undefined) {
      context.addIssue({
        ...{ code: 'custom', path: ['policyId'], message: 'Name the policy by its id or its number.' },
        params: { rule: 'required' },
      });
    }
    if (policyId !== undefined && policyNumber !== undefined) {
      context.addIssue({
        ...{ code: 'custom', path: ['policyNumber'], message: 'Name the policy by its id or its number, not by both.' },
        params: { rule: 'unknown_field' },
      });
    }
  })
  .meta({ id: 'ClaimCreate', description: 'A first notice of loss.' });

export const InvestigateSchema = z
  .strictObject({ adjusterId: adjusterId.optional(), notes: longText.optional() })
  .meta({ id: 'InvestigateClaim' });

export const LetterSchema = z
  .strictObject({
    sentOn: isoDate.optional().meta({ description: 'From the notice to today. Default: today.' }),
    notes: longText.optional(),
  })
  .meta({ id: 'RecordStatusLetter' });

export const AssignSchema = z.strictObject({ adjusterId }).meta({ id: 'AssignClaim' });

export const ReservesSchema = z
  .strictObject({
    indemnity: dollars.meta({
      description: 'The expected total cost of the loss in dollars, including payments already made.',
    }),
    expense: dollars.meta({
      description: 'The expected total cost of handling the claim in dollars, including payments already made.',
    }),
    reason: longText,
  })
  .meta({
    id: 'ClaimReserves',
    description: 'The expected total cost, including what is already paid. It replaces the current reserves.',
  });

export const SettleSchema = z
  .strictObject({
    amount: positiveDollars.meta({ description: 'The settlement in dollars, before the deductible.' }),
    payee: businessText.meta({ description: 'The name of the payee, which is screened for sanctions.' }),
    notes: longText.optional(),
    approve: z.boolean().optional().meta({
      description:
        'False leaves the approval to someone else. By default, a caller who may approve does so immediately.',
    }),
  })
  .meta({ id: 'SettleClaim' });

export const RejectSettlementSchema = z.strictObject({ reason: longText.optional() }).meta({ id: 'RejectSettlement' });

export const DenySchema = z
  .strictObject({
    reason: longText,
    policyProvision: businessText
      .optional()
      .meta({ description: 'The provision of the policy that excludes the loss.' }),
  })
  .meta({ id: 'DenyClaim' });

export const CloseSchema = z
  .strictObject({
    outcome: z
      .string()
      .regex(/^[a-z][a-z_]{0,49}$/, 'An outcome must be a code such as no_payment.')
      .optional()
      .meta({
        description:
          'An outcome code. A claim with no decision and no payment can be closed only with `no_payment`. For a duplicate, use `no_payment` and say so in the notes.',
        examples: ['no_payment'],
      }),
    notes: longText.optional(),
  })
  .meta({ id: 'CloseClaim' });

export const ReopenClaimSchema = z.strictObject({ reason: longText }).meta({ id: 'ReopenClaim' });

const AmountsSchema = z
  .strictObject({ indemnity: dollars, expense: dollars, total: totalDollars })
  .meta({ id: 'ClaimAmounts' });

const CoverageSchema = z
  .strictObject({
    status: z.enum(POLICY_STATUSES).nullable().meta({ description: 'The status of the policy on that day.' }),
    limit: dollars.nullable(),
    aggregateLimit: dollars.nullable(),
    deductible: dollars.nullable(),
  })
  .meta({ id: 'LossCoverage', description: 'The policy on the day of the loss; null outside of its term.' });

const SettlementSchema = z
  .strictObject({
    id: idReference('settlement'),
    status: z.enum(SETTLEMENT_STATUSES),
    amount: dollars,
    deductible: dollars.meta({ description: 'The part of the amount that the insured bears, in dollars.' }),
    payable: dollars.meta({ description: 'The amount less the deductible, in dollars.' }),
    payee: z.string().optional(),
    notes: z.string().nullable().optional(),
    blockers: z
      .array(z.string())
      .meta({ description: 'Codes of the reasons that prevent approval.', examples: [['SANCTIONS_REVIEW']] }),
    offeredBy: actorId,
    decidedBy: actorId.nullable(),
    date: isoDate.meta({ description: 'The date of the offer; once decided, of the decision.' }),
  })
  .meta({ id: 'ClaimSettlement' });

const DenialSchema = z
  .strictObject({
    reason: z.string().optional(),
    policyProvision: z.string().nullable().optional(),
    date: isoDate,
  })
  .meta({ id: 'ClaimDenial' });

const ClaimSummarySchema = z
  .strictObject({
    id: idReference('claim'),
    orgId: idReference('organization'),
    claimNumber: z.string().meta({ examples: ['CLM-2026-000045'] }),
    status: z.enum(CLAIM_STATUSES),
    policyId: idReference('policy').meta({ description: 'The term that contains the loss date.' }),
    policyNumber: z.string(),
    insuredName: z.string(),
    producerId: idReference('producer').nullable(),
    state: z.string(),
    lineOfBusiness: z.string(),
    lossDate: isoDate,
    reportedDate: isoDate,
    adjusterId: tokenSubject.nullable(),
    coverage: CoverageSchema,
    coverageFlags: z.array(z.enum(COVERAGE_FLAGS)),
    duplicateOf: z.string().nullable().meta({
      description:
        'An earlier claim that is probably the same; null for callers who may not read it. If its words are protected, they do not see the flag `possible_duplicate` either.',
    }),
    estimatedAmount: dollars.nullable(),
    reserves: AmountsSchema.meta({
      description:
        'What is outstanding: the totals that were reserved, less what is paid. To change a reserve, send the total (`reserves` + `paid` of a kind).',
    }),
    paid: AmountsSchema.meta({
      description: 'Amounts taken from the reserves to be paid; a payment may still be `pending`.',
    }),
    recovered: dollars,
    incurred: signedDollars.meta({ description: 'Paid + outstanding reserves − recoveries, in dollars.' }),
    settlement: SettlementSchema.nullable().meta({ description: 'The latest settlement.' }),
    denial: DenialSchema.nullable(),
    outcome: z.string().nullable().meta({ description: 'The outcome of a closed claim.' }),
    acknowledgeBy: isoDate,
    acknowledgedOn: isoDate.nullable(),
    decisionBy: isoDate,
    decidedOn: isoDate.nullable(),
    statusLetterBy: isoDate.nullable().meta({
      description:
        'The next day by which the claimant is owed a letter explaining why the claim is still open, in states that require one.',
    }),
    statusLetterSentOn: isoDate.nullable().meta({ description: 'When the latest such letter was sent.' }),
    missedDeadlines: z.array(z.enum(CLAIM_CLOCKS)),
    containsPhi: z.boolean(),
    redacted: z.boolean().meta({ description: 'Whether protected fields are left out.' }),
    closedAt: instant.nullable(),
    createdBy: actorId,
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'ClaimSummary', description: 'A claim without the details of the loss.' });

const ClaimantSchema = z
  .strictObject({
    ...{ name: z.string(), email: z.string().nullable(), phone: z.string().nullable() },
    address: AddressSchema.optional().meta({ description: 'The postal address, where one was given.' }),
  })
  .meta({ id: 'Claimant' });

/** The fields that are absent where a claim is redacted. */
const particularsShape = {
  description: z.string().optional(),
  cause: z.string().nullable().optional(),
  reportedBy: z.string().nullable().optional(),
  lossLocation: z.string().nullable().optional(),
  claimant: ClaimantSchema.nullable().optional(),
};

export const ClaimSchema = z
  .strictObject({
    ...ClaimSummarySchema.shape,
    ...particularsShape,
    heldPayees: z.array(HeldPayeeSchema).meta({
      description: 'Payees whose names are on a sanctions list: nothing is paid to them until they are cleared.',
    }),
  })
  .meta({ id: 'Claim', description: 'A claim; protected fields are absent for callers who may not see them.' });

export const ClaimPageSchema = pageSchema('ClaimSummary', ClaimSummarySchema);

export const ClaimListQuery = z.strictObject({
  ...pageQuery,
  sort: sortQuery('Claim', CLAIM_ORDERS),
  status: z.enum(CLAIM_STATUSES).optional(),
  adjusterId: adjusterId.optional(),
  policyId: idReference('policy').optional(),
  lossFrom: isoDate.optional(),
  lossTo: isoDate.optional(),
  q: businessText.optional().meta({
    description:
      "Part of the claim number, the policy number, the insured's name or the claimant's. The claimant of a protected claim is not found.",
  }),
});

const TimelineEntrySchema = z
  .strictObject({
    id: idReference('claimEntry'),
    claimId: idReference('claim'),
    action: z.string().meta({ examples: ['reserve'] }),
    date: isoDate,
    at: instant,
    actor: z.strictObject({ kind: z.string(), id: actorId, role: z.string() }),
    changes: z
      .record(z.string(), z.strictObject({ before: z.unknown(), after: z.unknown() }))
      .meta({ description: 'Field → its value before and after; amounts in dollars.' }),
    note: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'The reason or the note; absent where it is protected.' }),
  })
  .meta({ id: 'ClaimTimelineEntry' });

export const ClaimTimelineSchema = pageSchema('ClaimTimelineEntry', TimelineEntrySchema);

export type ClaimCreate = z.output<typeof ClaimCreateSchema>;
export type ClaimSummaryWire = z.output<typeof ClaimSummarySchema>;
export type ClaimWire = z.output<typeof ClaimSchema>;
export type TimelineEntryWire = z.output<typeof TimelineEntrySchema>;
