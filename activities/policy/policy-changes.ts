/**
 * Requested policy changes: endorse, cancel, reinstate. Each is one transaction, stored under the command's id.
 * Contract 3.2.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type {
  CancelPayload,
  EndorseOutcome,
  EndorsePayload,
  PolicyChangeOutcome,
  ReinstatePayload,
  VoidEndorsementPayload,
} from '../../contracts/policy.ts';
import { Policy } from '../../db/entities/policy/policy.ts';
import { writeNewRows } from '../../db/new-rows.ts';
import { lockPolicyAfterPrior } from '../../db/queries/policy/policies.ts';
import type { AgreedFigures } from '../../domain/authority/referral.ts';
import { standingNotice } from '../../domain/billing/delinquency-clock.ts';
import type { NoticeKind } from '../../domain/notice/notice-kind.ts';
import type { Action } from '../../domain/permissions.ts';
import { nextPolicyStatus } from '../../domain/policy/operations.ts';
import { judgeOf, judgePlanned } from '../../plans/authority/own-authority.ts';
import { plannedFacts, policyFacts } from '../../plans/authority/resource-facts.ts';
import { planCancellation } from '../../plans/policy/cancellation-plan.ts';
import type { ChangePlan } from '../../plans/policy/change-plan.ts';
import { planEndorsement, type Screened } from '../../plans/policy/endorsement-plan.ts';
import { policyOutcome } from '../../plans/policy/policy-outcome.ts';
import { planReinstatement } from '../../plans/policy/reinstatement-plan.ts';
import { planVoid, restoredName } from '../../plans/policy/void-plan.ts';
import { referring } from '../authority/policy-authority.ts';
import { takeStepsDue } from '../billing/delinquency.ts';
import { applyHeldMoney } from '../billing/payments/held-money.ts';
import type { Deps } from '../context.ts';
import { lockPolicyUsage } from '../money-locks.ts';
import { noticeDue } from '../notice/due-notices.ts';
import { freePrior } from '../renewal/renewal-offers.ts';
import { flatCancelNextTerm } from '../renewal/renewals.ts';
import { screenInsured } from '../submission/screened-insured.ts';
import { endIfDue } from './cancellation-day.ts';
import { endorseNextTerm, lockNextTerm } from './next-term-endorsement.ts';
import { type PolicyStep, policyCommand } from './policy-command.ts';
import { persistChange } from './policy-rows.ts';

/**
 * Changes the terms from a day on, and the next term's too if the command says so. A change beyond the delegated
 * authority is refused and opens a referral.
 * @throws DomainError forbidden, validation_failed, invalid_state_transition, outside_policy_term,
 * delegated_authority_exceeded, not_ready
 */
export const endorsePolicy = (deps: Deps) =>
  referring(
    deps,
    'endorse',
    policyCommand<EndorsePayload, EndorseOutcome>(deps, 'endorsePolicy', (step) => endorse(deps, step, null)),
  );

/**
 * Endorses a locked policy. `agreed` are the figures it must produce if it was referred and approved.
 * @throws DomainError as endorsePolicy does, and quote_expired
 */
export async function endorse(
  deps: Deps,
  step: PolicyStep<EndorsePayload>,
  agreed: AgreedFigures | null,
): Promise<EndorseOutcome> {
  const { command, em, policy, day } = step;
  const { payload } = command;
  const next = payload.applyToRenewal === true ? await lockNextTerm(em, policy) : null;
  const screened = await screen(em, deps, payload.changes.insuredName);
  const outcome = await change(deps, step, 'policy:endorse', () =>
    planEndorsement(em, policy, { ...payload, agreed }, day.today, screened),
  );
  const applied = next && (await endorseNextTerm(deps, step, next, screened));
  if (applied === null) return { ...outcome, renewalTransactionId: null };
  const { transactionId: renewalTransactionId, refundIds } = applied;
  return { ...outcome, refundIds: [...outcome.refundIds, ...refundIds], renewalTransactionId };
}

/** Screens the name that a change gives coverage to, if any. */
async function screen(em: EntityManager, deps: Deps, insuredName: string | null | undefined): Promise<Screened> {
  return { sanctionsHit: (await screenInsured(em, deps, insuredName)).length > 0 };
}

/**
 * Voids an endorsement that was issued by mistake, as if it had never been issued. The restored terms must be within
 * the authority, like an endorsement's.
 * @throws DomainError forbidden, not_found, invalid_state_transition, delegated_authority_exceeded
 */
export const voidEndorsement = (deps: Deps) =>
  referring(
    deps,
    null,
    policyCommand<VoidEndorsementPayload, PolicyChangeOutcome>(deps, 'voidEndorsement', (step) => {
      const { command, em, policy, day } = step;
      return change(
        deps,
        step,
        'policy:endorse',
        async () => {
          const screened = await screen(em, deps, await restoredName(em, policy, command.payload));
          return planVoid(em, policy, command.payload, day.today, screened);
        },
        'policy:void_endorsement',
      );
    }),
  );

/**
 * Ends coverage immediately, or gives notice that it will end. A next term that never began frees the term before it.
 * @throws DomainError forbidden, invalid_state_transition, outside_policy_term, notice_period_not_met
 */
export const cancelPolicy = (deps: Deps) =>
  policyCommand<CancelPayload, PolicyChangeOutcome>(
    deps,
    'cancelPolicy',
    async (step) => {
      const { command, em, policy, day } = step;
      const outcome = await change(deps, step, 'policy:cancel', () =>
        planCancellation(em, policy, command.payload, day.today),
      );
      const neverWas = policy.status === 'cancelled' && policy.cancellation?.method === 'flat';
      if (neverWas) await freePrior(em, deps, policy, { day, origin: command });
      return outcome;
    },
    lockPolicyAfterPrior,
  );

/**
 * Reverses a cancellation. One whose day has come takes effect first, if it has not already.
 * @throws DomainError forbidden, invalid_state_transition, not_ready, outside_policy_term,
 * delegated_authority_exceeded
 */
export const reinstatePolicy = (deps: Deps) =>
  referring(
    deps,
    null,
    policyCommand<ReinstatePayload, PolicyChangeOutcome>(
      deps,
      'reinstatePolicy',
      async (step) => {
        const { command, em, policy, day } = step;
        const hadNotice = standingNotice(policy) !== null;
        const taken = hadNotice ? await takeStepsDue(em, deps, policy, day) : null;
        const ended = hadNotice ? taken : await endIfDue(em, deps, policy, day);
        if (ended !== null) await writeNewRows(em);
        const movesMoney = policy.status !== 'pending_cancellation';
        const debt = hadNotice && ended === null ? { kind: 'withdraw' as const, on: day.today } : null;
        const restored = restorationNotice(policy);
        const screened = await screen(em, deps, policy.insuredName);
        const outcome = await change(deps, step, 'policy:reinstate', () =>
          planReinstatement(em, policy, command.payload, day.today, screened),
        );
        await nameNextTerm(em, policy);
        const refundIds = [...(ended?.refundIds ?? []), ...outcome.refundIds];
        const { transactionId } = outcome;
        const notice = debt ?? (restored && { kind: restored, on: day.today, transactionId });
        await noticeDue(em, policy.id, notice);
        const paying = { origin: command, day, dueBy: day.today, takesBackChecks: false };
        const paid = movesMoney ? await applyHeldMoney(em, deps, policy, paying) : [];
        const applied = [...(taken?.applied ?? []), ...paid];
        const state = paid.length === 0 ? {} : await policyOutcome(em, policy, day);
        return { ...outcome, ...state, refundIds, applied, endedTermId: ended?.endedTermId ?? null, notice };
      },
      lockPolicyAfterPrior,
    ),
  );

/**
 * The notice to insureds when an ended or ending policy is reinstated; none if they only withdraw their own request
 * before its day.
 */
function restorationNotice({ status, cancellation }: Readonly<Policy>): NoticeKind | null {
  if (status !== 'pending_cancellation') return 'reinstatement';
  return cancellation?.source === 'carrier' ? 'cancellation_withdrawal' : null;
}

/** Makes a reinstated term its locked predecessor's next term again; an expired predecessor becomes renewed. */
async function nameNextTerm(em: EntityManager, { id, renewalOf }: Policy): Promise<void> {
  if (renewalOf === null) return;
  const prior = await em.findOneOrFail(Policy, { id: renewalOf });
  prior.renewalPolicyId = id;
  if (prior.status === 'expired') prior.status = nextPolicyStatus(prior, 'renew');
}

/**
 * Plans a change under the authority lock and carries it out. No one may change a policy to terms they could not bind.
 */
async function change(
  deps: Deps,
  { em, command, policy, day, lenders }: PolicyStep<unknown>,
  action: Action,
  plan: () => Promise<ChangePlan>,
  audited: string = action,
): Promise<PolicyChangeOutcome> {
  const usage = await lockPolicyUsage(em, policy);
  const judge = await judgeOf(em, command, action, lenders);
  judge(policyFacts(policy));
  const planned = { origin: command, policy, usage, day, action, plan: await plan() };
  const facts = plannedFacts(policy, planned.plan);
  const { figures } = planned.plan;
  // An approval does not carry out a void: its requester repeats it.
  if (figures !== undefined && audited === 'policy:endorse') judgePlanned(judge, facts, figures);
  else judge(facts);
  const ofNextTerm = await flatCancelNextTerm(em, deps, planned, judge);
  const { transactionId, refundIds } = await persistChange(em, deps, { ...planned, action: audited });
  const isAnnounced = isCarrierNotice(planned.plan);
  const notice = isAnnounced ? { kind: 'cancellation' as const, on: day.today, transactionId } : null;
  await noticeDue(em, policy.id, notice);
  const outcome = { ...(await policyOutcome(em, policy, day)), transactionId, notice };
  return { ...outcome, refundIds: [...refundIds, ...ofNextTerm.refundIds], endedTermId: ofNextTerm.endedTermId };
}

/** A carrier that ends coverage on a later day gives notice. */
function isCarrierNotice(plan: ChangePlan): boolean {
  return plan.isScheduled && plan.type === 'cancellation' && plan.changes.source === 'carrier';
}
