// Maps referrals from rows to the wire. Pure. Contract 3.7.
import type { Referral, ReferredChange } from '../../../db/entities/authority/referral.ts';
import { figuresInDollars } from '../../../domain/authority/referral.ts';
import { toDollars } from '../../../domain/money.ts';
import { instantOrNull, instantToWire } from '../billing/charges.wire.ts';
import { changesToWire } from '../policy/policies.wire.ts';
import type { ReferralWire } from './referrals.schemas.ts';

/** Returns a referral with its flags and figures; money in dollars. */
export function referralToWire(referral: Readonly<Referral>): ReferralWire {
  const { limitCents, premiumCents, lineOfBusiness, request } = referral;
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
    figures: {
      limit: limitCents === null ? null : toDollars(limitCents),
      premium: premiumCents === null ? null : toDollars(premiumCents),
      lineOfBusiness,
    },
    request: request && requestToWire(request),
    requestedBy: referral.requestedBy,
    requesters: referral.requesters,
    expiresOn: referral.expiresOn,
    decidedBy: referral.decidedBy,
    decidedFor: referral.decidedFor,
    decidedAt: instantOrNull(referral.decidedAt),
    notes: referral.notes,
    conditions: referral.conditions,
    remarks: referral.remarks,
    transactionId: referral.transactionId,
    version: referral.version,
    createdAt: instantToWire(referral.createdAt),
    updatedAt: instantToWire(referral.updatedAt),
  };
}

function requestToWire({ kind, payload, figures }: ReferredChange) {
  const { effectiveDate, changes } = payload;
  return { kind, effectiveDate, changes: changesToWire(changes), ...figuresInDollars(figures) };
}
