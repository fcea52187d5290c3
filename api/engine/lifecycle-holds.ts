/** Commands on billing holds. Part of `lifecycle.ts`. */
import {
  type BillingHoldOutcome,
  type BillingHoldPayload,
  liftHoldUpdate,
  placeHoldUpdate,
} from '../../contracts/billing-hold.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import { billingHoldTarget } from '../../contracts/machinery/targets.ts';
import type { Gateway } from './gateway.ts';

/** `entityId` is the hold's id. */
export interface HoldLifecycle {
  /** Stops the delinquency clock in a state. */
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

function targetOf({ orgId, entityId }: Command<unknown>) {
  return billingHoldTarget(orgId, entityId);
}
