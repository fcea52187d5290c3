/**
 * Date-driven steps of a policy: its term starts and ends. Each step checks the row first, so a second run changes
 * nothing.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DueCommand, EntityRef } from '../../contracts/machinery/command.ts';
import type { PolicyOutcome } from '../../contracts/policy.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { findPolicy, lockPolicy } from '../../db/queries/policy/policies.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { nextPolicyStatus } from '../../domain/policy/operations.ts';
import type { PolicyAction } from '../../domain/policy/policy.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import { policyOutcome } from '../../plans/policy/policy-outcome.ts';
import { openRenewalOf } from '../../plans/renewal/term-chain.ts';
import { auditOf, SYSTEM } from '../audit.ts';
import { type Deps, transaction } from '../context.ts';
import { termData } from './policy-events.ts';

/** Puts a pending policy in force on its effective date. */
export const activatePolicy = (deps: Deps) =>
  onDate(deps, 'activate', (policy, today) => policy.status === 'pending' && policy.effectiveDate <= today);

/** Ends a policy on its expiration date: renewed if there is a next term, otherwise expired. Contract 3.2. */
export const expirePolicy = (deps: Deps) =>
  onDate(deps, 'expire', (policy, today) => policy.status === 'active' && policy.expirationDate <= today, endOfTerm);

/** A next term cancelled before it began does not count; the policy no longer names it. */
async function endOfTerm(em: EntityManager, policy: Policy): Promise<PolicyAction> {
  policy.renewalPolicyId = await openRenewalOf(em, policy.id);
  return policy.renewalPolicyId === null ? 'expire' : 'succeed';
}

/** Reads a policy for a workflow that starts without its state; null when there is none. */
export const readPolicy =
  (deps: Deps) =>
  ({ orgId, entityId }: EntityRef): Promise<PolicyOutcome | null> =>
    transaction(deps, { kind: 'readPolicy', orgId }, async (em) => {
      const policy = await findPolicy(em, entityId);
      return policy && policyOutcome(em, policy, await businessDay(em, orgId, deps.now()));
    });

/** Builds a date's activity: takes the action if the row says it is due, and returns the policy's state. */
function onDate(
  deps: Deps,
  usual: PolicyAction,
  isDue: (policy: Policy, today: BusinessDate) => boolean,
  actionFor: (em: EntityManager, policy: Policy) => Promise<PolicyAction> = async () => usual,
) {
  return ({ orgId, entityId, today }: DueCommand): Promise<PolicyOutcome> =>
    transaction(deps, { kind: `${usual}Policy`, orgId }, async (em) => {
      const policy = await lockPolicy(em, entityId);
      if (policy === null) throw new DomainError('not_found', 'There is no such policy.');
      const day = await businessDay(em, orgId, deps.now());
      if (isDue(policy, today)) {
        const from = policy.status;
        const action = await actionFor(em, policy);
        policy.status = nextPolicyStatus(policy, action, today);
        const origin = { actor: SYSTEM, requestId: null, entityId };
        const changes = { status: { before: from, after: policy.status }, on: today };
        writeAudit(em, auditOf(origin, `policy:${action}`, 'policy', changes));
        if (policy.status === 'expired') writeEvent(em, 'policy.expired', termData(policy), new Date(deps.now()));
        await em.flush();
      }
      return policyOutcome(em, policy, day);
    });
}
