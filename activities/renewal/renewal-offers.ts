/** The end of a renewal offer not taken, and what a next term that never began leaves to the one before it. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Policy } from '../../db/entities/policy/policy.ts';
import { findById } from '../../db/entity-rows.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { auditedChanges } from '../../domain/audit.ts';
import { policyStatusOn } from '../../domain/policy/policy.ts';
import type { BusinessDay } from '../../plans/platform/business-day.ts';
import { planNotTaken } from '../../plans/policy/cancellation-plan.ts';
import { auditOf, SYSTEM } from '../audit.ts';
import type { Deps } from '../context.ts';
import { keepNonRenewalNotice } from '../insight/nonrenewal-notices.ts';
import { lockPolicyUsage } from '../money-locks.ts';
import { termData } from '../policy/policy-events.ts';
import { type PersistedChange, type PolicyChange, persistChange } from '../policy/policy-rows.ts';
import { flatCancelNextTerm } from './renewals.ts';

const BY_CALENDAR = { actor: SYSTEM, requestId: null };

/** Flat-cancels a locked next term as not taken. The term before it is locked too, and no longer has a next term. */
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
  await freePrior(em, deps, policy, { day, origin: BY_CALENDAR });
  return { transactionId, refundIds: [...refundIds, ...ofNextTerm.refundIds], endedTermId: ofNextTerm.endedTermId };
}

/**
 * Detaches a flat-cancelled term from its locked predecessor: no longer renewed, that one has simply expired, and can
 * be renewed again. Contract 3.2 "renew".
 */
export async function freePrior(
  em: EntityManager,
  deps: Deps,
  { id, renewalOf }: Policy,
  { day, origin }: { day: BusinessDay; origin: PolicyChange['origin'] },
): Promise<void> {
  const prior = renewalOf === null ? null : await findById(em, Policy, renewalOf);
  if (prior === null || prior.renewalPolicyId !== id) return;
  const before = { status: prior.status, renewalPolicyId: id };
  prior.renewalPolicyId = null;
  if (prior.status === 'renewed') prior.status = policyStatusOn(prior, day.today);
  await em.flush();
  const step = { environment: deps.environment, today: day.today, actorId: origin.actor.id, transactionId: null };
  await keepNonRenewalNotice(em, prior, step);
  const changes = auditedChanges(before, { status: prior.status, renewalPolicyId: null });
  writeAudit(em, auditOf({ ...origin, entityId: prior.id }, 'policy:lose_renewal', 'policy', changes));
  const hasExpired = before.status !== prior.status;
  if (hasExpired) writeEvent(em, 'policy.expired', termData(prior), new Date(deps.now()));
}
