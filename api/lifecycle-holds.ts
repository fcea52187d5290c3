/** Commands on billing holds. Part of `lifecycle.ts`. */
import {
  type BillingHoldOutcome,
  type BillingHoldPayload,
  billingHoldWorkflowId,
  type Command,
  liftHoldUpdate,
  placeHoldUpdate,
  WORKFLOW_TYPES,
} from '../workflows/contracts.ts';
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
