// The shapes of referrals on the wire. Contract 3.7.
import { z } from 'zod';
import { idReference, instant, pageOf, pageQuery } from '../../spine/schemas.ts';
import { DaFlagSchema } from '../submission/quotes.schemas.ts';

const ReferralStatusSchema = z.enum(['pending', 'info_requested', 'approved', 'rejected', 'withdrawn']);

export const ReferralSchema = z
  .strictObject({
    id: z.string(),
    orgId: z.string(),
    submissionId: z.string().nullable(),
    policyId: z.string().nullable(),
    quoteId: z.string().nullable(),
    dealRoomId: z.string().nullable(),
    reason: z.string(),
    status: ReferralStatusSchema,
    daFlags: z.array(DaFlagSchema).meta({ description: 'The flags that need a decision.' }),
    requestedBy: z.string(),
    decidedBy: z.string().nullable(),
    decidedAt: instant.nullable(),
    notes: z.string().nullable(),
    conditions: z.array(z.string()),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Referral', description: 'A request for a decision by somebody with more authority.' });

export const ReferralPageSchema = pageOf('Referral', ReferralSchema);

export const ReferralListQuery = z.strictObject({
  ...pageQuery,
  status: ReferralStatusSchema.optional(),
  submissionId: idReference('submission').optional(),
  policyId: idReference('policy').optional(),
});

export type ReferralWire = z.output<typeof ReferralSchema>;
