/**
 * Puts a scheduled cancellation into effect on its day: coverage ends and the money moves as announced. Contract 3.2
 * "cancel".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DueCommand } from '../../contracts/machinery/command.ts';
import type { PolicyChangeOutcome } from '../../contracts/policy.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { IssuedTransaction } from '../../db/entities/policy/policy-transaction.ts';
import { writeNewRows } from '../../db/new-rows.ts';
import { commandResult, saveCommand } from '../../db/queries/platform/commands.ts';
import { lockPolicy, policyTransactions } from '../../db/queries/policy/policies.ts';
import { standingNotice } from '../../domain/billing/delinquency-clock.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ActorRef } from '../../domain/permissions.ts';
import { type Cancellation, endingsOf, standingCancellation } from '../../domain/policy/stack.ts';
import { nextStepOf } from '../../plans/billing/delinquency-facts.ts';
import { type BusinessDay, businessDay } from '../../plans/platform/business-day.ts';
import { planCancellationDay } from '../../plans/policy/cancellation-plan.ts';
import { policyOutcome } from '../../plans/policy/policy-outcome.ts';
import { SYSTEM } from '../audit.ts';
import { type Deps, transaction } from '../context.ts';
import { lockPolicyUsage } from '../money-locks.ts';
import { flatCancelNextTerm } from '../renewal/renewals.ts';
import { type PersistedChange, persistChange } from './policy-rows.ts';

/**
 * Ends a policy on the day of its pending cancellation. A second run finds it ended and returns the first run's
 * refunds.
 */
export const takeCancellationEffect =
  (deps: Deps) =>
  ({ orgId, entityId }: DueCommand): Promise<PolicyChangeOutcome> =>
    transaction(deps, { kind: 'takeCancellationEffect', orgId }, async (em) => {
      const policy = await lockPolicy(em, entityId);
      if (policy === null) throw new DomainError('not_found', 'There is no such policy.');
      const day = await businessDay(em, orgId, deps.now());
      const ended = await endIfDue(em, deps, policy, day);
      if (ended !== null) saveCommand(em, ended.transactionId, 'takeCancellationEffect', ended);
      await writeNewRows(em);
      const { transactionId, refundIds, endedTermId = null } = ended ?? (await endedEarlier(em, policy));
      return { ...(await policyOutcome(em, policy, day)), transactionId, refundIds, endedTermId };
    });

/** The change that ended coverage, for a run that lost its answer and still has sagas to start. */
export async function endedEarlier(em: EntityManager, policy: Policy): Promise<PersistedChange> {
  const standing = standingCancellation(await policyTransactions(em, policy.id));
  const kept = standing && (await commandResult(em, standing.id));
  return (kept as PersistedChange | null) ?? { transactionId: standing?.id ?? '', refundIds: [] };
}

/** A non-payment notice ends coverage only while something is past due, and not if a hold has moved its day. */
async function mayEnd(em: EntityManager, policy: Policy, { today }: BusinessDay): Promise<boolean> {
  if (standingNotice(policy) === null) return true;
  const next = await nextStepOf(em, policy, today);
  return next?.step === 'lapse' && next.on <= today;
}

/** Ends a locked policy's coverage if its cancellation date has come; null if not, or if coverage has already ended. */
export async function endIfDue(
  em: EntityManager,
  deps: Deps,
  policy: Policy,
  day: BusinessDay,
): Promise<PersistedChange | null> {
  if (policy.status !== 'pending_cancellation') return null;
  if (!(await mayEnd(em, policy, day))) return null;
  const usage = await lockPolicyUsage(em, policy);
  const due = await planCancellationDay(em, policy, day.today);
  if (due === null) return null;
  const { cancellation, plan } = due;
  const origin = { actor: SYSTEM, requestId: null };
  const requestedBy = actorsBehind(plan.stack, cancellation);
  const issued = cancellation.id;
  const change = { origin, requestedBy, policy, usage, day, plan, action: 'policy:end_coverage', issued };
  const ofNextTerm = await flatCancelNextTerm(em, deps, change);
  const { transactionId, refundIds } = await persistChange(em, deps, change);
  return { transactionId, refundIds: [...refundIds, ...ofNextTerm.refundIds], endedTermId: ofNextTerm.endedTermId };
}

/** Who announced it, then who announced the one it replaced: an endorsement reissues the notice with new figures. */
function actorsBehind(stack: readonly IssuedTransaction[], { id }: Cancellation): ActorRef[] {
  const announced = endingsOf(stack).filter(({ undoneBy }) => undoneBy?.type !== 'reinstatement');
  const ids = new Set(announced.map(({ cancellation }) => cancellation.id));
  const others = stack.filter((row) => ids.has(row.id) && row.id !== id);
  return [...stack.filter((row) => row.id === id), ...others].map(({ actor }) => actor);
}
