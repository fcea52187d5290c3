/**
 * A policy's term: it starts on its effective date, is changed by commands one after the other, falls past due and
 * lapses for non-payment, is cancelled on an announced day, and expires on its expiration date. One timer waits for
 * the earliest of these days. Nothing falls due on an ended term, so its workflow ends too; a reinstatement, a late
 * renewal or an audit restarts it from the row. The rows are the truth and activities write them. Contract 3.2.
 */

import { continueAsNew, log, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/machinery/search-attributes.ts';
import { noticeWorkflowId, refundWorkflowId, startOptions } from '../contracts/machinery/start.ts';
import {
  auditUpdate,
  type CarriedPolicy,
  cancelUpdate,
  changePaymentPlanUpdate,
  type EndorseOutcome,
  endorseUpdate,
  nonRenewUpdate,
  type PolicyOutcome,
  type PolicyWorkflowInput,
  reinstateUpdate,
  renewUpdate,
  voidEndorsementUpdate,
  withdrawNonRenewalUpdate,
} from '../contracts/policy.ts';
import { policyReferral } from '../contracts/referral.ts';
import { nextPolicyStatus } from '../domain/policy/operations.ts';
import type { PolicyAction } from '../domain/policy/policy.ts';
import { isLive } from '../domain/policy/policy.ts';
import { startCancelling } from './attempt-cancellation.ts';
import { startFollowingPayment } from './billing/following.ts';
import { refundWorkflow } from './billing/refund.ts';
import { startOutliving } from './machinery/children.ts';
import { type DueStep, Entity } from './machinery/entity.ts';
import { isStepFailure } from './machinery/failures.ts';
import { DUE_STEP, ONE_TRANSACTION, WAKING_ONE } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';
import { noticeWorkflow } from './notice.ts';

type PolicyState = CarriedPolicy;
type PolicyEntity = Entity<PolicyState>;
type ChangedPolicy = PolicyOutcome &
  Partial<Pick<EndorseOutcome, 'refundIds' | 'applied' | 'notice' | 'endedTermId' | 'renewalTransactionId'>>;
/** Wraps a step: its follow-up work starts once the caller has its answer. */
type Following = <Input, Outcome extends ChangedPolicy>(
  step: (input: Input) => Promise<Outcome>,
) => (input: Input) => Promise<Outcome>;

const activities = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { readPolicy, activatePolicy, expirePolicy, takeCancellationEffect, takeDelinquencyStep } =
  proxyLocalActivities<Activities>(DUE_STEP);

/** Not a local activity: it waits for another workflow, which has one of its own. */
const { wakeTerm } = activitiesOn('outside', { ...WAKING_ONE, summary: 'the next term reads its row' });

export async function policyWorkflow(input: PolicyWorkflowInput): Promise<void> {
  const { orgId, policyId } = input;
  const policy: PolicyEntity = new Entity<PolicyState>(
    {
      ...{ orgId, entityType: 'policy', entityId: policyId },
      load: () => readPolicy({ orgId, entityId: policyId }),
      dueSteps: (state) => dueSteps(state),
      isOver: ({ status }) => !isLive(status),
      // Payments, voids and holds change what is unpaid.
      isChangedByOthers: true,
      attributes: ({ policyNumber, lineOfBusiness }) => [
        { key: SEARCH_ATTRIBUTES.policyNumber, value: policyNumber },
        { key: SEARCH_ATTRIBUTES.lineOfBusiness, value: lineOfBusiness },
      ],
    },
    input,
  );
  const following: Following = (step) => async (input) => {
    const known = policy.state?.renewalPolicyId ?? null;
    const outcome = await step(input);
    policy.afterwards(() => startFollowing(orgId, outcome));
    const changedId = changedNextTerm(outcome, known);
    if (changedId !== null) {
      const { clockOffsetDays } = outcome;
      policy.afterwards(async () => {
        void policy.beside(() => wakeNextTerm({ orgId, entityId: changedId, clockOffsetDays }));
      });
    }
    return outcome;
  };
  acceptCommands(policy, following);
  const onDay = () => ({ orgId, entityId: policyId, today: policy.clock.today() });
  const endCoverage = following(takeCancellationEffect);
  const takeStep = following(takeDelinquencyStep);
  const dueSteps = (state: PolicyState): DueStep<PolicyState>[] => {
    const { delinquency, status } = state;
    const dated = datedStep(state);
    const step = delinquency ? [{ ...delinquency, run: () => takeStep(onDay()) }] : [];
    // A non-payment notice announces a cancellation too; the step decides whether its day brings one.
    const isFirst = ({ on }: { on: string }) =>
      step.some((first) => first.on < on || (first.on === on && status === 'pending_cancellation'));
    return [...dated.filter((one) => !isFirst(one)), ...step, ...dated.filter(isFirst)];
  };
  const datedStep = (state: PolicyState): DueStep<PolicyState>[] => {
    const { status, effectiveDate, expirationDate, cancellationDate } = state;
    switch (status) {
      case 'pending':
        return [{ on: effectiveDate, what: 'starts', run: () => activatePolicy(onDay()) }];
      case 'active':
        return [{ on: expirationDate, what: 'expires', run: () => expirePolicy(onDay()) }];
      case 'pending_cancellation':
        return [{ on: cancellationDate ?? expirationDate, what: 'cancellation', run: () => endCoverage(onDay()) }];
      default:
        return [];
    }
  };

  if ((await policy.serve()) !== 'continue') return;
  const { state, standing } = policy;
  await continueAsNew<typeof policyWorkflow>({ ...input, ...(state ? { carried: carriedBy(state) } : {}), standing });
}

/**
 * The next term that a step also changed. A batch renews without this workflow, which may not know the term; an
 * outcome that names none means the term it knows.
 */
function changedNextTerm(outcome: ChangedPolicy, known: string | null): string | null {
  const { renewalTransactionId = null, renewalPolicyId, endedTermId = null } = outcome;
  if (renewalTransactionId !== null) return renewalPolicyId;
  return renewalPolicyId === null ? (endedTermId ?? known) : null;
}

function acceptCommands(policy: PolicyEntity, following: Following): void {
  // The locked row decides; whatever the state alone forbids is refused before it leaves a trace.
  const unlessForbidden = (action: PolicyAction) => () => {
    if (policy.state) nextPolicyStatus({ status: policy.state.status }, action);
  };
  policy.accept(endorseUpdate, {
    description: 'Changes the terms as of a day: re-rates the policy and bills or returns the difference pro rata.',
    validate: unlessForbidden('endorse'),
    step: following(activities.endorsePolicy),
  });
  policy.accept(voidEndorsementUpdate, {
    description: 'Voids an endorsement that was issued by mistake.',
    validate: unlessForbidden('void'),
    step: following(activities.voidEndorsement),
  });
  policy.accept(cancelUpdate, {
    description: 'Cancels the policy, either immediately or on a later day.',
    validate: unlessForbidden('cancel'),
    step: following(activities.cancelPolicy),
  });
  policy.accept(reinstateUpdate, {
    description: 'Withdraws a pending cancellation, or reinstates a cancelled policy.',
    validate: unlessForbidden('reinstate'),
    step: following(activities.reinstatePolicy),
  });
  policy.accept(renewUpdate, {
    description: "Binds the next term at today's rates.",
    validate: unlessForbidden('renew'),
    step: following(activities.renewPolicy),
  });
  policy.accept(nonRenewUpdate, {
    description: 'Gives notice of non-renewal.',
    validate: unlessForbidden('non_renew'),
    step: following(activities.nonRenewPolicy),
  });
  policy.accept(withdrawNonRenewalUpdate, {
    description: 'Withdraws the notice of non-renewal.',
    validate: unlessForbidden('withdraw_non_renewal'),
    step: following(activities.withdrawNonRenewal),
  });
  policy.accept(auditUpdate, {
    description: 'Audits the premium of an ended term.',
    // Only the rows know the dates and transactions that decide whether the term can be audited.
    validate: () => {},
    step: following(activities.auditPolicy),
  });
  policy.accept(changePaymentPlanUpdate, {
    description: 'Bills what is not yet due on another payment plan.',
    validate: unlessForbidden('change_payment_plan'),
    step: following(activities.changePaymentPlan),
  });
  acceptReferrals(policy, following);
}

/** The row of the referral decides what it allows, so none of these is refused before it. */
function acceptReferrals(policy: PolicyEntity, following: Following): void {
  policy.accept(policyReferral.open, {
    description: 'Refers the policy to an underwriter with more authority.',
    validate: () => {},
    step: activities.openPolicyReferral,
  });
  policy.accept(policyReferral.decide, {
    description: 'Decides on the referral; an approval carries out the change that was refused.',
    validate: () => {},
    step: following(activities.decidePolicyReferral),
  });
  policy.accept(policyReferral.answer, {
    description: 'Answers the question on the referral.',
    validate: () => {},
    step: activities.answerPolicyReferral,
  });
}

/**
 * Starts the follow-up of a change: the refunds it reserved, the money it applied, and the e-mail to the insured.
 */
async function startFollowing(orgId: string, change: ChangedPolicy): Promise<void> {
  const { policyNumber } = change;
  for (const refundId of change.refundIds ?? []) {
    const facts = { orgId, entityId: refundId, policyNumber };
    await startOutliving(
      refundWorkflow,
      { orgId, refundId },
      startOptions(refundWorkflowId(orgId, refundId), 'saga', facts),
    );
  }
  for (const payment of change.applied ?? []) await startFollowingPayment(orgId, payment);
  const { notice, policyId, obsoleteAttempts } = change;
  await startCancelling(orgId, obsoleteAttempts);
  if (!notice) return;
  const facts = { orgId, entityId: policyId, policyNumber };
  const options = startOptions(noticeWorkflowId(orgId, policyId, notice), 'saga', facts);
  await startOutliving(noticeWorkflow, { orgId, policyId, ...notice }, options);
}

/** A next term that could not be woken reads its row on its first date, or by the next command. */
async function wakeNextTerm(term: { orgId: string; entityId: string; clockOffsetDays: number }): Promise<void> {
  try {
    await wakeTerm(term);
  } catch (error) {
    if (!isStepFailure(error)) throw error;
    log.warn('The next term could not be woken', { policyId: term.entityId });
  }
}

function carriedBy(state: PolicyState): CarriedPolicy {
  const { policyNumber, lineOfBusiness, status, effectiveDate, expirationDate, clockOffsetDays } = state;
  const { cancellationDate, renewalPolicyId, delinquency } = state;
  return {
    ...{ policyNumber, lineOfBusiness, status, effectiveDate, expirationDate },
    ...{ cancellationDate, renewalPolicyId, delinquency, clockOffsetDays },
  };
}
