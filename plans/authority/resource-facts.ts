// What the permission check needs to know about a row, or about a policy as a plan would leave it. The api judges by
// these before it sends a command, the steps again under the row's lock. Contract 2 "Permissions".

import type { Referral } from '../../db/entities/authority/referral.ts';
import type { Claim } from '../../db/entities/claim/claim.ts';
import type { Producer } from '../../db/entities/distribution/producer.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { Submission } from '../../db/entities/submission/submission.ts';
import { type DaFlag, isShown } from '../../domain/authority/authority.ts';
import { contractExcess } from '../../domain/authority/referral.ts';
import type { Cents } from '../../domain/money.ts';
import type { ResourceFacts } from '../../domain/permissions.ts';
import type { MovedTerms } from '../../domain/policy/transaction.ts';
import type { ChangePlan } from '../policy/change-plan.ts';

/** For a submission, without a price. */
export function submissionFacts(submission: Readonly<Submission>): ResourceFacts {
  const { orgId, producerId, triage, requestedLimitCents, lineOfBusiness } = submission;
  return { orgId, producerId, triageBand: triage?.band ?? null, limitCents: requestedLimitCents, lineOfBusiness };
}

/** For a submission before it is priced: who may quote it at all. */
export function unpricedFacts(submission: Readonly<Submission>): ResourceFacts {
  return { ...submissionFacts(submission), limitCents: null };
}

/** For a submission with its actual or prospective quote: the flags say whether the contract refers it. */
export function quotedFacts(
  submission: Readonly<Submission>,
  quote: { premiumCents: Cents; flags: readonly DaFlag[]; approvalId: string | null },
): ResourceFacts {
  const { premiumCents, flags, approvalId } = quote;
  const answeredByOthers = { contractExcess: contractExcess(flags.filter(isShown)), isApproved: approvalId !== null };
  return { ...submissionFacts(submission), premiumCents, ...answeredByOthers };
}

/** For a claim: an adjuster must be assigned to it, a producer must be the policy's. */
export function claimFacts({ orgId, producerId, adjusterId }: Readonly<Claim>): ResourceFacts {
  return { orgId, producerId, adjusterId };
}

/** For a claim with a held payee: if the name is protected, only those who may see it read and clear it. */
export function heldClaimFacts(claim: Readonly<Claim>): ResourceFacts {
  return { ...claimFacts(claim), containsPhi: claim.containsPhi };
}

/** For a producer: its members see it. */
export function producerFacts({ orgId, id }: Readonly<Producer>): ResourceFacts {
  return { orgId, producerId: id };
}

/** For a referral: the decider needs authority for what was referred, and no part in the request. */
export function referralFacts(referral: Readonly<Referral>): ResourceFacts {
  const { orgId, requestedBy, requesters, limitCents, premiumCents, lineOfBusiness, flags } = referral;
  return {
    ...{ orgId, limitCents, premiumCents, lineOfBusiness },
    requestedBy: [...new Set([requestedBy, ...requesters])],
    contractExcess: contractExcess(flags),
  };
}

/** For a policy as it is. */
export function policyFacts(policy: Readonly<Policy>): ResourceFacts {
  const { orgId, producerId, limitCents, grossPremiumCents, lineOfBusiness } = policy;
  const standing = { limitCents, premiumCents: grossPremiumCents };
  return { orgId, producerId, ...standing, lineOfBusiness, standing };
}

/** For a policy before its next term is priced: who may renew it at all. */
export function unpricedRenewalFacts(policy: Readonly<Policy>): ResourceFacts {
  return { ...policyFacts(policy), limitCents: null, premiumCents: null };
}

/** For a policy after a change, or its next term. A plan that leaves the limit alone does not name it. */
export function plannedFacts(
  policy: Readonly<Policy>,
  plan: Pick<ChangePlan, 'grossPremiumAfterCents' | 'figures'> & { after: MovedTerms; daFlags?: readonly DaFlag[] },
): ResourceFacts {
  const limitCents = plan.figures?.limitCents ?? plan.after.limitCents ?? policy.limitCents;
  const { grossPremiumAfterCents: premiumCents, daFlags = [] } = plan;
  const isCleared = (code: string) => daFlags.some((flag) => flag.code === code && flag.clearedAt !== null);
  const approved = {
    limitCents: isCleared('DA_LIMIT_EXCEEDED') ? limitCents : 0,
    premiumCents: isCleared('DA_PREMIUM_EXCEEDED') ? premiumCents : 0,
  };
  const excess = contractExcess(daFlags.filter(isShown));
  return { ...policyFacts(policy), limitCents, premiumCents, approved, contractExcess: excess };
}
