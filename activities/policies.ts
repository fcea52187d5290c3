/** What dates do to a policy: its term starts and ends. Each step looks at the row first, so a second run changes nothing. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../db/entities/policy.ts';
import { openRenewalOf } from '../db/policy-life/term-chain.ts';
import { writeAudit } from '../db/queries/audit.ts';
import { findPolicy, lockPolicy } from '../db/queries/policies.ts';
import type { BusinessDate } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { POLICY_TRANSITIONS, type PolicyAction } from '../domain/policy.ts';
import { nextState } from '../domain/transition.ts';
import { auditOf, SYSTEM } from './audit.ts';
import { businessDay } from './business-day.ts';
import { type Deps, transaction } from './context.ts';
import type { DueCommand, EntityRef, PolicyOutcome } from './messages.ts';
import { policyOutcome } from './policy-outcome.ts';

/** Starts the cover of a pending policy whose effective date has come. */
export const activatePolicy = (deps: Deps) =>
  onDate(deps, 'activate', (policy, today) => policy.status === 'pending' && policy.effectiveDate <= today);

/** Ends a policy whose expiration date has come: renewed where a next term stands, else expired. Contract 3.2. */
export const expirePolicy = (deps: Deps) =>
  onDate(deps, 'expire', (policy, today) => policy.status === 'active' && policy.expirationDate <= today, endOfTerm);

/** A next term that was cancelled before it began is none; the policy no longer names it. */
async function endOfTerm(em: EntityManager, policy: Policy): Promise<PolicyAction> {
  policy.renewalPolicyId = await openRenewalOf(em, policy.id);
  return policy.renewalPolicyId === null ? 'expire' : 'succeed';
}

/** Reads a policy for a workflow that starts without knowing it; null when there is none. */
export const readPolicy =
  (deps: Deps) =>
  ({ orgId, entityId }: EntityRef): Promise<PolicyOutcome | null> =>
    transaction(deps, { kind: 'readPolicy', orgId }, async (em) => {
      const policy = await findPolicy(em, entityId);
      return policy && policyOutcome(em, policy, await businessDay(em, orgId, deps.now()));
    });

/** Builds the activity of a date: takes the action if it is due by the row, and tells how the policy stands then. */
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
        policy.status = nextState(POLICY_TRANSITIONS, 'policy', from, action);
        const origin = { actor: SYSTEM, requestId: null, entityId };
        const changes = { status: { before: from, after: policy.status }, on: today };
        writeAudit(em, auditOf(origin, `policy:${action}`, 'policy', changes));
        await em.flush();
      }
      return policyOutcome(em, policy, day);
    });
}
