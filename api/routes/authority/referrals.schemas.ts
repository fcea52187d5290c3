// The shapes of referrals on the wire. Contract 3.7.
import { z } from 'zod';
import { REFERRAL_DECISIONS, REFERRAL_STATUSES } from '../../../domain/authority/referral.ts';
import {
  actorId,
  dollars,
  idReference,
  instant,
  isoDate,
  longText,
  pageQuery,
  pageSchema,
  signedDollars,
  tokenSubject,
} from '../../spine/schemas.ts';
import { DaFlagSchema } from '../submission/quotes.schemas.ts';

const CONDITIONS_MAX = 20;

const ReferralStatusSchema = z.enum(REFERRAL_STATUSES);

const RequestSchema = z
  .strictObject({
    kind: z.enum(['endorse', 'renew']),
    effectiveDate: isoDate.nullable(),
    changes: z.record(z.string(), z.unknown()),
    limit: dollars,
    premium: signedDollars.meta({ description: 'The premium of the whole term after the change.' }),
    premiumChange: signedDollars,
  })
  .meta({
    id: 'ReferredChange',
    description: 'The change of the policy that an approval carries out, with the figures when it was refused.',
  });

const RemarkSchema = z
  .strictObject({ kind: z.enum(['question', 'answer']), by: z.string(), at: instant, text: z.string() })
  .meta({ id: 'ReferralRemark' });

const referral = {
  id: idReference('referral'),
  orgId: idReference('organization'),
  submissionId: idReference('submission').nullable(),
  policyId: idReference('policy').nullable(),
  quoteId: idReference('quote').nullable(),
  dealRoomId: idReference('dealRoom').nullable(),
  reason: z.string(),
  status: ReferralStatusSchema,
  daFlags: z.array(DaFlagSchema).meta({ description: 'The flags that need a decision.' }),
  figures: z
    .strictObject({
      limit: dollars.nullable(),
      premium: signedDollars.nullable(),
      lineOfBusiness: z.string().nullable(),
    })
    .meta({ description: 'The amount that the decision commits the organization to, in dollars.' }),
  request: RequestSchema.nullable(),
  requestedBy: actorId,
  requesters: z.array(z.string()).meta({ description: 'Everybody who requested it. None of them may decide.' }),
  expiresOn: isoDate.meta({ description: 'The day on which it ends without a decision, by the business clock.' }),
  decidedBy: actorId.nullable(),
  decidedFor: z.string().nullable().meta({ description: 'The person whose delegated authority the decision used.' }),
  decidedAt: instant.nullable(),
  notes: z.string().nullable(),
  conditions: z.array(z.string()),
  remarks: z.array(RemarkSchema).meta({ description: 'Questions and answers, oldest first.' }),
  transactionId: idReference('policyTransaction')
    .nullable()
    .meta({ description: 'The transaction by which the approval was carried out.' }),
  version: z.number().int(),
  createdAt: instant,
  updatedAt: instant,
};

const ReferralSchema = z
  .strictObject(referral)
  .meta({ id: 'Referral', description: 'A request for a decision by a person with more authority.' });

export const ReferralPageSchema = pageSchema('Referral', ReferralSchema);

export const ReferralDetailSchema = z
  .strictObject({
    ...referral,
    mayDecide: z.boolean().meta({ description: 'Whether the caller may decide on it now.' }),
    deciders: z
      .array(z.strictObject({ userId: tokenSubject, role: z.string(), decidesFor: z.string().nullable() }))
      .meta({
        description:
          'The users who may decide on it, and for a deputy the person whose authority it would use. Empty once it is decided.',
      }),
  })
  .meta({ id: 'ReferralDetail' });

export const ReferralListQuery = z.strictObject({
  ...pageQuery,
  status: ReferralStatusSchema.optional(),
  submissionId: idReference('submission').optional(),
  policyId: idReference('policy').optional(),
  dealRoomId: idReference('dealRoom').optional(),
  requestedBy: tokenSubject.optional(),
  decidableBy: z.enum(['me']).optional().meta({
    description:
      "Only open referrals that the caller may decide on now: requested by somebody else, and within the caller's own or delegated authority.",
  }),
});

export const ReferralCreateSchema = z
  .strictObject({
    submissionId: idReference('submission').optional(),
    policyId: idReference('policy').optional(),
    dealRoomId: idReference('dealRoom').optional(),
    reason: longText,
  })
  .refine(({ submissionId, policyId }) => submissionId !== undefined || policyId !== undefined, {
    ...{ error: 'Name a submission or a policy.', path: ['submissionId'], params: { rule: 'required' } },
  })
  .meta({ id: 'ReferralCreate' });

export const ReferralDecisionSchema = z
  .strictObject({
    decision: z.enum(REFERRAL_DECISIONS),
    notes: longText
      .optional()
      .meta({ description: 'The reason for the decision, or with `request_info` the question.' }),
    conditions: z
      .union([longText.transform((condition) => [condition]), z.array(longText).max(CONDITIONS_MAX)])
      .optional()
      .meta({ description: 'The conditions of an approval; only with `approve`. The quote shows them.' }),
  })
  .refine(({ decision, conditions = [] }) => decision === 'approve' || conditions.length === 0, {
    ...{ error: 'Only an approval can have conditions.', path: ['conditions'], params: { rule: 'unknown_field' } },
  })
  .meta({ id: 'ReferralDecision' });

export const ReferralAnswerSchema = z.strictObject({ answer: longText }).meta({ id: 'ReferralAnswer' });

export type ReferralWire = z.output<typeof ReferralSchema>;
export type ReferralCreate = z.output<typeof ReferralCreateSchema>;
