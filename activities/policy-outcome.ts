/** What a workflow is told of a policy after a step. */
import type { Policy } from '../db/entities/policy.ts';
import type { BusinessDay } from './business-day.ts';
import type { PolicyOutcome } from './messages.ts';

/** Taken after the flush, when the version is known. */
export function policyOutcome(policy: Policy, day: BusinessDay): PolicyOutcome {
  const { policyNumber, lineOfBusiness, status, version, effectiveDate, expirationDate } = policy;
  return {
    policyId: policy.id,
    policyNumber,
    lineOfBusiness,
    status,
    version,
    effectiveDate,
    expirationDate,
    cancellationDate: status === 'pending_cancellation' ? (policy.cancellation?.effectiveDate ?? null) : null,
    renewalPolicyId: policy.renewalPolicyId,
    clockOffsetDays: day.clockOffsetDays,
  };
}
