/**
 * A claim from its first notice to its close: commands one after the other, and the legal clocks of acknowledgement and
 * decision. It ends when the claim is closed; reopening starts it again from the row. The rows are the truth and
 * activities write them. Nothing that people say or write passes through here. Contract 3.3.
 */
import { continueAsNew, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import {
  approveUpdate,
  assignUpdate,
  type CarriedClaim,
  type ClaimWorkflowInput,
  closeUpdate,
  denyUpdate,
  fileUpdate,
  investigateUpdate,
  rejectUpdate,
  reopenUpdate,
  reserveUpdate,
  settleUpdate,
} from '../contracts/claim.ts';
import type { Command } from '../contracts/command.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import { type ClaimAction, closedClaimStatus, isOpenClaim, nextClaimStatus } from '../domain/claim/claim.ts';
import { DomainError } from '../domain/errors.ts';
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
  acceptCommands(claim);
  if ((await claim.serve()) !== 'continue') return;
  const { state, standing } = claim;
  await continueAsNew<typeof claimWorkflow>({ ...input, ...(state ? { carried: carriedBy(state) } : {}), standing });
}

function acceptCommands(claim: ClaimEntity): void {
  // The locked row decides; what the state alone forbids is refused before it leaves a trace.
  const unlessForbidden = (action: ClaimAction) => () => {
    if (claim.state) nextClaimStatus(claim.state.status, action);
  };
  claim.accept(fileUpdate, {
    description: 'Files the first notice of loss on the term that contains the loss date.',
    validate: () => {
      if (claim.state) throw new DomainError('already_exists', 'This claim exists already.');
    },
    step: activities.fileClaim,
  });
  claim.accept(investigateUpdate, {
    description: 'Begins the investigation; this acknowledges the notice.',
    validate: unlessForbidden('investigate'),
    step: activities.investigateClaim,
  });
  claim.accept(assignUpdate, {
    description: 'Gives the claim to an adjuster.',
    validate: unlessForbidden('assign'),
    step: activities.assignClaim,
  });
  claim.accept(reserveUpdate, {
    description: 'Sets what the claim is expected to cost.',
    validate: unlessForbidden('reserve'),
    step: activities.reserveClaim,
  });
  claim.accept(settleUpdate, {
    description: 'Offers a settlement; who may approve it may do so with the offer.',
    validate: unlessForbidden('settle'),
    step: activities.settleClaim,
  });
  claim.accept(approveUpdate, {
    description: 'Approves the offered settlement.',
    validate: unlessForbidden('approve'),
    step: activities.approveSettlement,
  });
  claim.accept(rejectUpdate, {
    description: 'Rejects the offered settlement; the investigation goes on.',
    validate: unlessForbidden('reject'),
    step: activities.rejectSettlement,
  });
  claim.accept(denyUpdate, {
    description: 'Denies coverage.',
    validate: unlessForbidden('deny'),
    step: activities.denyClaim,
  });
  claim.accept(closeUpdate, {
    description: 'Closes the claim, after a decision or without payment.',
    validate: ({ payload: { outcome } }: Command<{ outcome: string | null }>) => {
      if (claim.state) closedClaimStatus(claim.state.status, outcome);
    },
    step: activities.closeClaim,
  });
  claim.accept(reopenUpdate, {
    description: 'Takes a closed claim up again.',
    validate: unlessForbidden('reopen'),
    step: activities.reopenClaim,
  });
}

function carriedBy(state: CarriedClaim): CarriedClaim {
  const { claimNumber, policyNumber, lineOfBusiness, status, nextStep, missed, clockOffsetDays } = state;
  return { claimNumber, policyNumber, lineOfBusiness, status, nextStep, missed, clockOffsetDays };
}
