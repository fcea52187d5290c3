/** Commands on billing holds. Part of `lifecycle.ts`. */
import {
  type BillingHoldOutcome,
  type BillingHoldPayload,
  liftHoldUpdate,
  placeHoldUpdate,
} from '../../contracts/billing-hold.ts';
import type { Command } from '../../contracts/command.ts';
import { billingHoldWorkflowId, WORKFLOW_TYPES } from '../../contracts/start.ts';
import type { Gateway, Target } from './gateway.ts';

/** `entityId` is the hold's id. */
export interface HoldLifecycle {
  /** Stops the clock of delinquency in a state. */
  placeBillingHold(command: Command<BillingHoldPayload>): Promise<BillingHoldOutcome>;
  /** @throws DomainError not_found */
  liftBillingHold(command: Command): Promise<BillingHoldOutcome>;
}

/** Builds the commands on a gateway. */
export function holdLifecycle(gateway: Gateway, deadlineMs: number): HoldLifecycle {
  return {
    placeBillingHold: (command) => gateway.start(targetOf(command), placeHoldUpdate, command, deadlineMs),
    liftBillingHold: (command) => gateway.start(targetOf(command), liftHoldUpdate, command, deadlineMs),
  };
}

function targetOf({ orgId, entityId }: Command<unknown>): Target {
  return {
    type: WORKFLOW_TYPES.billingHold,
    workflowId: billingHoldWorkflowId(orgId, entityId),
    input: { orgId },
    facts: { orgId, entityId },
  };
}
