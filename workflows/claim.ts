/**
 * A claim from FNOL to close: commands one after the other, and the legal clocks of acknowledgement and decision. It
 * ends when the claim is closed; reopening starts it again from the row. The rows are the truth and activities write
 * them. Nothing that people say or write passes through it. Contract 3.3.
 */
import { continueAsNew, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import {
  approveUpdate,
  assignUpdate,
  type CarriedClaim,
  type ClaimOutcome,
  type ClaimWorkflowInput,
  clearPayeeUpdate,
  closeUpdate,
  denyUpdate,
  fileUpdate,
  investigateUpdate,
  letterUpdate,
  payUpdate,
  recoverUpdate,
  rejectUpdate,
  reopenUpdate,
  reserveUpdate,
  settleUpdate,
  voidPaymentUpdate,
} from '../contracts/claim.ts';
import type { Repeatable } from '../contracts/machinery/command.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/machinery/search-attributes.ts';
import { claimPaymentWorkflowId, startOptions } from '../contracts/machinery/start.ts';
import { type ClaimAction, isOpenClaim, nextClaimStatus } from '../domain/claim/claim.ts';
import { claimPaymentWorkflow } from './claim-payment.ts';
import { notifyRowChanged, startOutliving } from './machinery/children.ts';
import { Entity } from './machinery/entity.ts';
import { DUE_STEP, ONE_TRANSACTION } from './machinery/options.ts';

type ClaimEntity = Entity<CarriedClaim>;

const activities = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { readClaim, turnClaimClocks } = proxyLocalActivities<Activities>(DUE_STEP);

export async function claimWorkflow(input: ClaimWorkflowInput): Promise<void> {
  const { orgId, claimId } = input;
  const claim: ClaimEntity = new Entity<CarriedClaim>(
    {
      ...{ orgId, entityType: 'claim', entityId: claimId },
      load: () => readClaim({ orgId, entityId: claimId }),
      dueSteps: ({ nextStep }) =>
        nextStep === null
          ? []
          : [{ ...nextStep, run: () => turnClaimClocks({ orgId, entityId: claimId, today: claim.clock.today() }) }],
      isOver: ({ status }) => !isOpenClaim(status),
      isChangedByOthers: false,
      attributes: ({ policyNumber, lineOfBusiness }) => [
        { key: SEARCH_ATTRIBUTES.policyNumber, value: policyNumber },
        { key: SEARCH_ATTRIBUTES.lineOfBusiness, value: lineOfBusiness },
      ],
      remark: ({ missed }) => (missed.length === 0 ? null : `missed: ${missed.join(', ')}`),
    },
    input,
  );
  acceptCommands(claim, (outcome) => {
    for (const paymentId of outcome.paymentIds ?? []) claim.afterwards(() => startPayment(orgId, paymentId, outcome));
    return outcome;
  });
  if ((await claim.serve()) !== 'continue') return;
  const { state, standing } = claim;
  await continueAsNew<typeof claimWorkflow>({ ...input, ...(state ? { carried: carriedBy(state) } : {}), standing });
}

/** Checks an action against the state known to the workflow. */
type Refusal = (action: ClaimAction) => () => void;

/** Notes the payments that a step owes: their sagas start once the caller has its answer. */
type Following = (outcome: Repeatable<ClaimOutcome>) => Repeatable<ClaimOutcome>;

function acceptCommands(claim: ClaimEntity, following: Following): void {
  // The locked row decides; whatever the state alone forbids is refused before it leaves a trace.
  const unlessForbidden: Refusal = (action) => () => {
    if (claim.state) nextClaimStatus(claim.state.status, action);
  };
  acceptMoney(claim, following, unlessForbidden);
  claim.accept(fileUpdate, {
    description: 'Files the first notice of loss on the term that contains the loss date.',
    // The row decides: an attempt whose workflow task was lost may have written it, and it has since been read.
    validate: () => {},
    step: activities.fileClaim,
  });
  claim.accept(investigateUpdate, {
    description: 'Begins the investigation; this acknowledges the notice.',
    validate: unlessForbidden('investigate'),
    step: activities.investigateClaim,
  });
  claim.accept(assignUpdate, {
    description: 'Assigns the claim to an adjuster.',
    validate: unlessForbidden('assign'),
    step: activities.assignClaim,
  });
  claim.accept(reserveUpdate, {
    description: 'Sets the reserves.',
    validate: unlessForbidden('reserve'),
    step: activities.reserveClaim,
  });
  claim.accept(denyUpdate, {
    description: 'Denies coverage.',
    validate: unlessForbidden('deny'),
    step: activities.denyClaim,
  });
  claim.accept(closeUpdate, {
    description: 'Closes the claim, after a decision or a payment, or without payment.',
    // Only the row knows what was paid, and so which outcome is true.
    validate: unlessForbidden('close'),
    step: activities.closeClaim,
  });
  claim.accept(letterUpdate, {
    description: 'Records that a status letter was sent.',
    // Only the row knows whether one is owed.
    validate: () => {},
    step: activities.recordStatusLetter,
  });
  claim.accept(reopenUpdate, {
    description: 'Reopens a closed claim.',
    validate: unlessForbidden('reopen'),
    step: activities.reopenClaim,
  });
}

/** Settlements and payments. */
function acceptMoney(claim: ClaimEntity, following: Following, unlessForbidden: Refusal): void {
  claim.accept(settleUpdate, {
    description: 'Offers a settlement; callers who may approve it can do so in the same command.',
    validate: unlessForbidden('settle'),
    step: async (command) => following(await activities.settleClaim(command)),
  });
  claim.accept(approveUpdate, {
    description: 'Approves the offered settlement.',
    validate: unlessForbidden('approve'),
    step: async (command) => following(await activities.approveSettlement(command)),
  });
  claim.accept(rejectUpdate, {
    description: 'Rejects the offered settlement; the investigation continues.',
    validate: unlessForbidden('reject'),
    step: activities.rejectSettlement,
  });
  claim.accept(payUpdate, {
    description: 'Makes a partial or expense payment outside a settlement.',
    validate: unlessForbidden('pay'),
    step: async (command) => following(await activities.payClaim(command)),
  });
  claim.accept(voidPaymentUpdate, {
    description: 'Stops a pending payment, or voids one that was made.',
    // Only the row knows whether a closed claim has a waiting payment that can be stopped.
    validate: () => {},
    step: async (command) => {
      const outcome = await activities.voidClaimPayment(command);
      // A saga waiting for money in the fund no longer needs to wait.
      const workflowId = claimPaymentWorkflowId(command.orgId, command.payload.paymentId);
      claim.afterwards(() => notifyRowChanged(workflowId));
      return outcome;
    },
  });
  claim.accept(clearPayeeUpdate, {
    description: 'Clears a payee who merely shares a name with an entry on a sanctions list.',
    // Only the rows know which payees are held.
    validate: () => {},
    step: async (command) => {
      const outcome = await activities.clearPayee(command);
      const waiting = (outcome.retryPaymentIds ?? []).map((id) => claimPaymentWorkflowId(command.orgId, id));
      for (const workflowId of waiting) claim.afterwards(() => notifyRowChanged(workflowId));
      return outcome;
    },
  });
  claim.accept(recoverUpdate, {
    description: 'Records salvage or a subrogation recovery.',
    validate: unlessForbidden('recover'),
    step: activities.recoverClaim,
  });
}

async function startPayment(orgId: string, paymentId: string, { policyNumber }: ClaimOutcome): Promise<void> {
  const facts = { orgId, entityId: paymentId, policyNumber };
  await startOutliving(
    claimPaymentWorkflow,
    { orgId, paymentId },
    startOptions(claimPaymentWorkflowId(orgId, paymentId), 'saga', facts),
  );
}

function carriedBy(state: CarriedClaim): CarriedClaim {
  const { claimNumber, policyNumber, lineOfBusiness, status, nextStep, missed, clockOffsetDays } = state;
  return { claimNumber, policyNumber, lineOfBusiness, status, nextStep, missed, clockOffsetDays };
}
