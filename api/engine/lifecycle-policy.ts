/** Commands on a policy: changes, its end, and its next term. Part of `lifecycle.ts`. */

import type { Command } from '../../contracts/machinery/command.ts';
import { policyTarget, type Target } from '../../contracts/machinery/targets.ts';
import {
  type AuditPayload,
  auditUpdate,
  type CancelPayload,
  cancelUpdate,
  changePaymentPlanUpdate,
  type EndorseOutcome,
  type EndorsePayload,
  endorseUpdate,
  type NonRenewPayload,
  nonRenewUpdate,
  type PaymentPlanPayload,
  type PolicyChangeOutcome,
  type ReinstatePayload,
  type RenewOutcome,
  type RenewPayload,
  reinstateUpdate,
  renewUpdate,
  type VoidEndorsementPayload,
  voidEndorsementUpdate,
  withdrawNonRenewalUpdate,
} from '../../contracts/policy.ts';
import type { Gateway } from './gateway.ts';

/**
 * `entityId` is the policy's id. Each may throw `DomainError` invalid_state_transition, not_found and
 * precondition_failed too.
 */
export interface PolicyLifecycle {
  /** @throws DomainError outside_policy_term, delegated_authority_exceeded, not_ready without a next term */
  endorsePolicy(command: Command<EndorsePayload>): Promise<EndorseOutcome>;
  /** @throws DomainError delegated_authority_exceeded; not_found also for an unknown transaction */
  voidEndorsement(command: Command<VoidEndorsementPayload>): Promise<PolicyChangeOutcome>;
  /** @throws DomainError outside_policy_term, notice_period_not_met, not_ready */
  cancelPolicy(command: Command<CancelPayload>): Promise<PolicyChangeOutcome>;
  /** @throws DomainError outside_policy_term, not_ready, delegated_authority_exceeded */
  reinstatePolicy(command: Command<ReinstatePayload>): Promise<PolicyChangeOutcome>;
  /** @throws DomainError not_ready, outside_policy_term, already_exists, delegated_authority_exceeded */
  renewPolicy(command: Command<RenewPayload>): Promise<RenewOutcome>;
  /** @throws DomainError notice_period_not_met, already_exists */
  nonRenewPolicy(command: Command<NonRenewPayload>): Promise<PolicyChangeOutcome>;
  withdrawNonRenewal(command: Command): Promise<PolicyChangeOutcome>;
  /** @throws DomainError not_ready, already_exists */
  auditPolicy(command: Command<AuditPayload>): Promise<PolicyChangeOutcome>;
  /** @throws DomainError validation_failed for the plan it already has, not_ready */
  changePaymentPlan(command: Command<PaymentPlanPayload>): Promise<PolicyChangeOutcome>;
}

/** Builds the commands on a gateway. */
export function policyLifecycle(gateway: Gateway, deadlineMs: number): PolicyLifecycle {
  return {
    endorsePolicy: (command) => gateway.deliver(targetOf(command), endorseUpdate, command, deadlineMs),
    voidEndorsement: (command) => gateway.deliver(targetOf(command), voidEndorsementUpdate, command, deadlineMs),
    cancelPolicy: (command) => gateway.deliver(targetOf(command), cancelUpdate, command, deadlineMs),
    reinstatePolicy: (command) => gateway.deliver(targetOf(command), reinstateUpdate, command, deadlineMs),
    renewPolicy: (command) => gateway.deliver(targetOf(command), renewUpdate, command, deadlineMs),
    nonRenewPolicy: (command) => gateway.deliver(targetOf(command), nonRenewUpdate, command, deadlineMs),
    withdrawNonRenewal: (command) => gateway.deliver(targetOf(command), withdrawNonRenewalUpdate, command, deadlineMs),
    auditPolicy: (command) => gateway.deliver(targetOf(command), auditUpdate, command, deadlineMs),
    changePaymentPlan: (command) => gateway.deliver(targetOf(command), changePaymentPlanUpdate, command, deadlineMs),
  };
}

function targetOf({ orgId, entityId }: Command<unknown>): Target {
  return policyTarget(orgId, entityId);
}
