/** Commands on a claim, from its first notice to its close. Part of `lifecycle.ts`. */
import {
  type ApprovePayload,
  type AssignPayload,
  approveUpdate,
  assignUpdate,
  type ClaimOutcome,
  type ClaimPayPayload,
  type ClearPayeePayload,
  type ClosePayload,
  clearPayeeUpdate,
  closeUpdate,
  type DenyPayload,
  denyUpdate,
  type FilePayload,
  fileUpdate,
  type InvestigatePayload,
  investigateUpdate,
  type LetterPayload,
  letterUpdate,
  type Noted,
  payUpdate,
  type RecoverPayload,
  type ReservePayload,
  recoverUpdate,
  rejectUpdate,
  reopenUpdate,
  reserveUpdate,
  type SettlePayload,
  settleUpdate,
  type VoidPaymentPayload,
  voidPaymentUpdate,
} from '../../contracts/claim.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import { claimTarget } from '../../contracts/machinery/targets.ts';
import type { Gateway } from './gateway.ts';

/**
 * `entityId` is the claim's id. Each may throw `DomainError` invalid_state_transition, forbidden, not_found and
 * precondition_failed too.
 */
export interface ClaimLifecycle {
  /** Starts the claim's workflow; its particulars are stored under its id. */
  fileClaim(command: Command<FilePayload>): Promise<ClaimOutcome>;
  /** @throws DomainError validation_failed for an adjuster who does not handle claims */
  investigateClaim(command: Command<InvestigatePayload>): Promise<ClaimOutcome>;
  /** @throws DomainError validation_failed for an adjuster who does not handle claims */
  assignClaim(command: Command<AssignPayload>): Promise<ClaimOutcome>;
  /** @throws DomainError reserve_too_low */
  reserveClaim(command: Command<ReservePayload>): Promise<ClaimOutcome>;
  /** @throws DomainError reserve_too_low, limit_exhausted */
  settleClaim(command: Command<SettlePayload>): Promise<ClaimOutcome>;
  /** @throws DomainError reserve_too_low, limit_exhausted, not_ready */
  approveSettlement(command: Command<ApprovePayload>): Promise<ClaimOutcome>;
  rejectSettlement(command: Command<Noted>): Promise<ClaimOutcome>;
  /** @throws DomainError reserve_too_low, limit_exhausted, not_ready */
  payClaim(command: Command<ClaimPayPayload>): Promise<ClaimOutcome>;
  voidClaimPayment(command: Command<VoidPaymentPayload>): Promise<ClaimOutcome>;
  /** @throws DomainError amount_exceeds_balance */
  recoverClaim(command: Command<RecoverPayload>): Promise<ClaimOutcome>;
  clearPayee(command: Command<ClearPayeePayload>): Promise<ClaimOutcome>;
  denyClaim(command: Command<DenyPayload>): Promise<ClaimOutcome>;
  closeClaim(command: Command<ClosePayload>): Promise<ClaimOutcome>;
  reopenClaim(command: Command<Noted>): Promise<ClaimOutcome>;
  /** @throws DomainError validation_failed for the day on which it was sent */
  recordStatusLetter(command: Command<LetterPayload>): Promise<ClaimOutcome>;
}

/** Builds the commands on a gateway. */
export function claimLifecycle(gateway: Gateway, deadlineMs: number): ClaimLifecycle {
  return {
    fileClaim: (command) => gateway.start(targetOf(command), fileUpdate, command, deadlineMs),
    investigateClaim: (command) => gateway.deliver(targetOf(command), investigateUpdate, command, deadlineMs),
    assignClaim: (command) => gateway.deliver(targetOf(command), assignUpdate, command, deadlineMs),
    reserveClaim: (command) => gateway.deliver(targetOf(command), reserveUpdate, command, deadlineMs),
    settleClaim: (command) => gateway.deliver(targetOf(command), settleUpdate, command, deadlineMs),
    approveSettlement: (command) => gateway.deliver(targetOf(command), approveUpdate, command, deadlineMs),
    rejectSettlement: (command) => gateway.deliver(targetOf(command), rejectUpdate, command, deadlineMs),
    payClaim: (command) => gateway.deliver(targetOf(command), payUpdate, command, deadlineMs),
    voidClaimPayment: (command) => gateway.deliver(targetOf(command), voidPaymentUpdate, command, deadlineMs),
    recoverClaim: (command) => gateway.deliver(targetOf(command), recoverUpdate, command, deadlineMs),
    clearPayee: (command) => gateway.deliver(targetOf(command), clearPayeeUpdate, command, deadlineMs),
    denyClaim: (command) => gateway.deliver(targetOf(command), denyUpdate, command, deadlineMs),
    closeClaim: (command) => gateway.deliver(targetOf(command), closeUpdate, command, deadlineMs),
    reopenClaim: (command) => gateway.deliver(targetOf(command), reopenUpdate, command, deadlineMs),
    recordStatusLetter: (command) => gateway.deliver(targetOf(command), letterUpdate, command, deadlineMs),
  };
}

function targetOf({ orgId, entityId }: Command<unknown>) {
  return claimTarget(orgId, entityId);
}
