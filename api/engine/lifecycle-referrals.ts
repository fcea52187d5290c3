/** Commands on referrals: they go to the workflow of the waiting submission or policy. Part of `lifecycle.ts`. */

import type { UpdateDefinition } from '@temporalio/client';
import type { Command } from '../../contracts/machinery/command.ts';
import { policyTarget, submissionTarget } from '../../contracts/machinery/targets.ts';
import {
  type AnswerReferralPayload,
  type DecideReferralPayload,
  type OpenReferralPayload,
  policyReferral,
  submissionReferral,
} from '../../contracts/referral.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import type { Gateway } from './gateway.ts';

/**
 * `entityId` is the id of the submission or the policy. Each may throw `DomainError` forbidden, not_found and
 * precondition_failed too.
 */
export interface ReferralLifecycle {
  /** Returns the id of the referral. @throws DomainError already_exists, invalid_state_transition */
  openReferral(command: Command<OpenReferralPayload>): Promise<{ referralId: string }>;
  /** @throws DomainError invalid_state_transition, and what the change that an approval carries out throws */
  decideReferral(command: Command<DecideReferralPayload>): Promise<{ referralId: string }>;
  /** @throws DomainError invalid_state_transition */
  answerReferral(command: Command<AnswerReferralPayload>): Promise<{ referralId: string }>;
}

/** Builds the commands on a gateway. */
export function referralLifecycle(gateway: Gateway, deadlineMs: number): ReferralLifecycle {
  const send = <P>(
    command: Command<P>,
    ofSubmission: UpdateDefinition<{ referralId: string }, [Command<P>]>,
    ofPolicy: UpdateDefinition<{ referralId: string }, [Command<P>]>,
  ) => {
    const { orgId, entityId } = command;
    return isId(entityId, ID_PREFIXES.policy)
      ? gateway.deliver(policyTarget(orgId, entityId), ofPolicy, command, deadlineMs)
      : gateway.deliver(submissionTarget(orgId, entityId), ofSubmission, command, deadlineMs);
  };
  return {
    openReferral: (command) => send(command, submissionReferral.open, policyReferral.open),
    decideReferral: (command) => send(command, submissionReferral.decide, policyReferral.decide),
    answerReferral: (command) => send(command, submissionReferral.answer, policyReferral.answer),
  };
}
