// What the permission check needs to know about a row, or about a policy as a plan would leave it. The api judges by
// these before it sends a command, the steps again under the row's lock. Contract 2 "Permissions".

import type { Referral } from '../../db/entities/authority/referral.ts';
import type { Claim } from '../../db/entities/claim/claim.ts';
import type { Producer } from '../../db/entities/distribution/producer.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { Submission } from '../../db/entities/submission/submission.ts';
import { contractExcess } from '../../domain/authority/referral.ts';
import type { Cents } from '../../domain/money.ts';
import type { ResourceFacts } from '../../domain/permissions.ts';
import type { MovedTerms } from '../../domain/policy/transaction.ts';

/** Of a submission, without a price. */
export function submissionFacts(submission: Readonly<Submission>): ResourceFacts {
  const { orgId, producerId, triage, requestedLimitCents, lineOfBusiness } = submission;
  return { orgId, producerId, triageBand: triage?.band ?? null, limitCents: requestedLimitCents, lineOfBusiness };
}

/** Of a claim: an adjuster needs to be its own, a producer that of its policy. */
export function claimFacts({ orgId, producerId, adjusterId }: Readonly<Claim>): ResourceFacts {
  return { orgId, producerId, adjusterId };
}

/** Of a producer: who is a member of it sees it. */
export function producerFacts({ orgId, id }: Readonly<Producer>): ResourceFacts {
  return { orgId, producerId: id };
}

/** Of a referral: who decides needs an authority that covers what was referred, and no part in the request. */
export function referralFacts(referral: Readonly<Referral>): ResourceFacts {
  const { orgId, requestedBy, requesters, limitCents, premiumCents, lineOfBusiness, flags } = referral;
  return {
    ...{ orgId, limitCents, premiumCents, lineOfBusiness },
    requestedBy: [...new Set([requestedBy, ...requesters])],
    contractExcess: contractExcess(flags),
  };
}

/** Of a policy as it is. */
export function policyFacts(policy: Readonly<Policy>): ResourceFacts {
  const { orgId, producerId, limitCents, grossPremiumCents, lineOfBusiness } = policy;
  return { orgId, producerId, limitCents, premiumCents: grossPremiumCents, lineOfBusiness };
}

/** Of a policy as a change would leave it, or of its next term. A plan that leaves the limit alone does not name it. */
export function plannedFacts(
  policy: Readonly<Policy>,
  plan: { after: MovedTerms; grossPremiumAfterCents: Cents },
): ResourceFacts {
  const { limitCents = policy.limitCents } = plan.after;
  return { ...policyFacts(policy), limitCents, premiumCents: plan.grossPremiumAfterCents };
}
