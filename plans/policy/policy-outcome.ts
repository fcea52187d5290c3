/** A policy's state after a step, as reported to its workflow. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PolicyOutcome } from '../../contracts/policy.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { obsoleteAttemptsOf } from '../../db/queries/billing/payments.ts';
import { type NamedStep, nextStepOf, nextStepOfNewTerm } from '../billing/delinquency-facts.ts';
import type { BusinessDay } from '../platform/business-day.ts';

/** Read after the flush, once the version is known. */
export async function policyOutcome(em: EntityManager, policy: Policy, day: BusinessDay): Promise<PolicyOutcome> {
  const obsoleteAttempts = await obsoleteAttemptsOf(em, policy.id);
  const outcome = outcomeOf(policy, day, await nextStepOf(em, policy, day.today));
  return obsoleteAttempts.length === 0 ? outcome : { ...outcome, obsoleteAttempts };
}

/** For a term whose rows are about to be written. */
export function newTermOutcome(em: EntityManager, policy: Policy, day: BusinessDay): PolicyOutcome {
  return outcomeOf(policy, day, nextStepOfNewTerm(em, policy, day.today));
}

function outcomeOf(policy: Policy, day: BusinessDay, next: NamedStep | null): PolicyOutcome {
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
    delinquency: next && { on: next.on, what: next.what },
    clockOffsetDays: day.clockOffsetDays,
  };
}
