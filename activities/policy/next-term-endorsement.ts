// Applies an endorsement to the pending next term too, in the endorsement's transaction: both are issued or neither.
// The next term's workflow reads its row again afterwards. Contract 3.2 "endorse".
import type { EntityManager } from '@mikro-orm/postgresql';
import type { EndorsePayload } from '../../contracts/policy.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { lockPolicy } from '../../db/queries/policy/policies.ts';
import { withConditions } from '../../domain/authority/standing-approval.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { plannedFacts, policyFacts } from '../../plans/authority/resource-facts.ts';
import type { Screened } from '../../plans/policy/endorsement-plan.ts';
import { ensureNextTerm, planForNextTerm } from '../../plans/policy/next-term-plan.ts';
import { openRenewalOf } from '../../plans/renewal/term-chain.ts';
import type { Deps } from '../context.ts';
import { lockPolicyUsage } from '../money-locks.ts';
import type { PolicyStep } from './policy-command.ts';
import { type PersistedChange, persistChange } from './policy-rows.ts';

/**
 * Locks the next term of a locked policy, and the authority that both use: policies first, then authority, then
 * invoices, as everywhere.
 * @throws DomainError not_ready
 */
export async function lockNextTerm(em: EntityManager, policy: Policy): Promise<Policy> {
  const next = ensureNextTerm(await lockPolicy(em, ensureNextTerm(await openRenewalOf(em, policy.id))));
  await lockPolicyUsage(em, policy);
  await lockPolicyUsage(em, next);
  return next;
}

/**
 * Issues the same changes on the locked next term; null if it already has them.
 * @throws DomainError forbidden, invalid_state_transition, delegated_authority_exceeded
 */
export async function endorseNextTerm(
  deps: Deps,
  { em, command, day, lenders, conditions = [], cleared = [] }: PolicyStep<EndorsePayload>,
  next: Policy,
  screened: Screened,
): Promise<PersistedChange | null> {
  const judge = await judgeOf(em, command, 'policy:endorse', lenders);
  judge(policyFacts(next));
  const plan = await planForNextTerm(em, next, { ...command.payload, cleared }, day.today, screened);
  if (plan === null) return null;
  judge(plannedFacts(next, plan));
  if (conditions.length > 0) next.conditions = withConditions(next.conditions, conditions);
  const usage = await lockPolicyUsage(em, next);
  return persistChange(em, deps, { origin: command, policy: next, usage, day, plan, action: 'policy:endorse' });
}
