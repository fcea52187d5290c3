/** The end of a renewal offer that was not taken, and its effect on the term before it. Domain facts 2.3. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Policy } from '../../db/entities/policy/policy.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../domain/audit.ts';
import { policyStatusOn } from '../../domain/policy/policy.ts';
import { planNotTaken } from '../../plans/policy/cancellation-plan.ts';
import { auditOf, SYSTEM } from '../audit.ts';
import type { BusinessDay } from '../business-day.ts';
import type { Deps } from '../context.ts';
import { lockPolicyUsage } from '../money-locks.ts';
import { type PersistedChange, persistChange } from '../policy/policy-rows.ts';
import { flatCancelNextTerm } from './renewals.ts';

const BY_CALENDAR = { actor: SYSTEM, requestId: null };

/** Cancels a locked next term flat, as not taken. The term before it is locked too, and has no next term any more. */
export async function endOffer(
  em: EntityManager,
  deps: Deps,
  policy: Policy,
  day: BusinessDay,
): Promise<PersistedChange> {
  const usage = await lockPolicyUsage(em, policy);
  const plan = await planNotTaken(em, policy, day.today);
  const change = { origin: BY_CALENDAR, policy, usage, day, plan, action: 'policy:not_taken' };
  const ofNextTerm = await flatCancelNextTerm(em, deps, change);
  const { transactionId, refundIds } = await persistChange(em, deps, change);
  await freePrior(em, policy, day);
  return { transactionId, refundIds: [...refundIds, ...ofNextTerm.refundIds], endedTermId: ofNextTerm.endedTermId };
}

/** Renewed no more, the prior term has simply expired. */
async function freePrior(em: EntityManager, { id, renewalOf }: Policy, { today }: BusinessDay): Promise<void> {
  const prior = renewalOf === null ? null : await em.findOne(Policy, { id: renewalOf });
  if (prior === null || prior.renewalPolicyId !== id) return;
  const before = { status: prior.status, renewalPolicyId: id };
  prior.renewalPolicyId = null;
  if (prior.status === 'renewed') prior.status = policyStatusOn(prior, today);
  await em.flush();
  const changes = auditedChanges(before, { status: prior.status, renewalPolicyId: null });
  writeAudit(em, auditOf({ ...BY_CALENDAR, entityId: prior.id }, 'policy:lose_renewal', 'policy', changes));
}
