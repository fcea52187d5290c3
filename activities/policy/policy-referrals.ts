/**
 * The referral of a policy: opened by a person, decided, answered. An approval carries out the refused endorsement or
 * renewal in the same transaction: both happen or neither. Contract 3.7.
 */

import type { PolicyChangeOutcome, PolicyOutcome } from '../../contracts/policy.ts';
import type {
  AnswerReferralPayload,
  DecidedPolicy,
  DecideReferralPayload,
  OpenReferralPayload,
  ReferredPolicy,
} from '../../contracts/referral.ts';
import type { ReferredChange } from '../../db/entities/authority/referral.ts';
import { withConditions } from '../../domain/authority/standing-approval.ts';
import { DomainError } from '../../domain/errors.ts';
import { policyOutcome } from '../../plans/policy/policy-outcome.ts';
import { answerQuestion, decideOn, presentReferral } from '../authority/referral-steps.ts';
import type { Deps } from '../context.ts';
import { renew } from '../renewal/renewals.ts';
import { endorse } from './policy-changes.ts';
import { type PolicyStep, policyCommand } from './policy-command.ts';
import { startingTerm } from './starting-term.ts';

/**
 * Refers a policy to someone with more authority.
 * @throws DomainError forbidden, already_exists
 */
export const openPolicyReferral = (deps: Deps) =>
  policyCommand<OpenReferralPayload, ReferredPolicy>(deps, 'openPolicyReferral', async (step) => {
    const { em, command, policy, day } = step;
    const { limitCents, grossPremiumCents: premiumCents, lineOfBusiness } = policy;
    const figures = { limitCents, premiumCents, lineOfBusiness };
    const referralId = await presentReferral(em, command, { policyId: policy.id }, { today: day.today, figures });
    return { ...(await policyOutcome(em, policy, day)), referralId };
  });

/**
 * Decides on a policy's referral. The approved change must produce the figures that were referred.
 * @throws DomainError forbidden, precondition_failed, invalid_state_transition, quote_expired, and what the
 * endorsement or the renewal throws
 */
export const decidePolicyReferral = (deps: Deps) =>
  startingTerm<DecideReferralPayload, DecidedPolicy>(
    deps,
    ({ renewal = null }) => renewal,
    policyCommand(deps, 'decidePolicyReferral', async (step) => {
      const { em, command, policy, day } = step;
      const { decision, referralId } = command.payload;
      const on = { today: day.today, at: new Date(deps.now()) };
      const { referral, lender } = await decideOn(em, command, { policyId: policy.id }, on);
      const { request, conditions } = referral;
      // The next term states its own conditions.
      const isKept = decision === 'approve' && request?.kind !== 'renew' && conditions.length > 0;
      if (isKept) policy.conditions = withConditions(policy.conditions, conditions);
      if (decision !== 'approve' || request === null) return { ...(await policyOutcome(em, policy, day)), referralId };
      const approved = { lenders: lender === null ? [] : [lender], conditions, cleared: referral.flags };
      const outcome = await carryOut(deps, { ...step, ...approved }, request);
      referral.transactionId = outcome.transactionId;
      return { ...outcome, referralId };
    }),
  );

/** Answers the question on a policy's referral. */
export const answerPolicyReferral = (deps: Deps) =>
  policyCommand<AnswerReferralPayload, ReferredPolicy>(deps, 'answerPolicyReferral', async (step) => {
    const { em, command, policy, day } = step;
    await answerQuestion(em, command, { policyId: policy.id }, new Date(deps.now()));
    return { ...(await policyOutcome(em, policy, day)), referralId: command.payload.referralId };
  });

type Changed = PolicyChangeOutcome & { renewal?: PolicyOutcome };

/**
 * Carries out the refused change, unless the policy has since changed so that it no longer makes sense. The decision
 * itself has no field that could be wrong.
 */
async function carryOut(
  deps: Deps,
  step: PolicyStep<DecideReferralPayload>,
  request: ReferredChange,
): Promise<Changed> {
  try {
    return await issue(deps, step, request);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'validation_failed') throw error;
    const message =
      'The policy has changed since the referral. Reject the referral, and request the change that is still needed.';
    throw new DomainError('quote_expired', message, { reason: error.message });
  }
}

/** Issues the refused change as the approver's, who needs the authority for it too. */
async function issue(deps: Deps, step: PolicyStep<DecideReferralPayload>, request: ReferredChange): Promise<Changed> {
  const { command, em, policy, day } = step;
  if (request.kind === 'endorse') {
    return endorse(deps, { ...step, command: { ...command, payload: request.payload } }, request.figures);
  }
  const issued = await renew(deps, { ...step, command: { ...command, payload: request.payload } }, request.figures);
  return { ...(await policyOutcome(em, policy, day)), ...issued, refundIds: [] };
}
