/** Commands on remittances. Part of `lifecycle.ts`. */
import type { Command } from '../../contracts/machinery/command.ts';
import { remittanceTarget } from '../../contracts/machinery/targets.ts';
import {
  decideRemittanceUpdate,
  type PreparePayload,
  prepareRemittanceUpdate,
  type RemittanceDecisionPayload,
  type RemittanceOutcome,
} from '../../contracts/remittance.ts';
import type { Gateway } from './gateway.ts';

/** `entityId` is the remittance's id. */
export interface RemittanceLifecycle {
  /** @throws DomainError not_ready if nothing is owed, already_exists, forbidden */
  prepareRemittance(command: Command<PreparePayload>): Promise<RemittanceOutcome>;
  /** Resolves once it is posted. @throws DomainError not_found, forbidden, invalid_state_transition */
  decideRemittance(command: Command<RemittanceDecisionPayload>): Promise<RemittanceOutcome>;
}

/** Builds the commands on a gateway. */
export function remittanceLifecycle(gateway: Gateway, deadlineMs: number): RemittanceLifecycle {
  return {
    prepareRemittance: (command) => gateway.start(targetOf(command), prepareRemittanceUpdate, command, deadlineMs),
    decideRemittance: (command) => gateway.start(targetOf(command), decideRemittanceUpdate, command, deadlineMs),
  };
}

function targetOf({ orgId, entityId }: Command<unknown>) {
  return remittanceTarget(orgId, entityId);
}
