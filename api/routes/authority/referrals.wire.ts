// Referrals from rows to the wire. Pure. Contract 3.7.
import type { Referral } from '../../../db/entities/authority/referral.ts';
import { instantOrNull, instantToWire } from '../billing/charges.wire.ts';
import type { ReferralWire } from './referrals.schemas.ts';

/** Gives a referral with its open flags. */
export function referralToWire(referral: Referral): ReferralWire {
  return {
    id: referral.id,
    orgId: referral.orgId,
    submissionId: referral.submissionId,
    policyId: referral.policyId,
    quoteId: referral.quoteId,
    dealRoomId: referral.dealRoomId,
    reason: referral.reason,
    status: referral.status,
    daFlags: referral.flags,
    requestedBy: referral.requestedBy,
    decidedBy: referral.decidedBy,
    decidedAt: instantOrNull(referral.decidedAt),
    notes: referral.notes,
    conditions: referral.conditions,
    version: referral.version,
    createdAt: instantToWire(referral.createdAt),
    updatedAt: instantToWire(referral.updatedAt),
  };
}
