/** The command that opens a renewal batch. Part of `lifecycle.ts`. */

import type { Command } from '../../contracts/machinery/command.ts';
import { renewalBatchTarget } from '../../contracts/machinery/targets.ts';
import { type BatchOutcome, type RunRenewalsPayload, runRenewalsUpdate } from '../../contracts/renewal.ts';
import type { Gateway } from './gateway.ts';

export interface RenewalLifecycle {
  /** Opens a batch; `entityId` is its id. Resolves once the list of its policies is written; their renewals follow. */
  runRenewals(command: Command<RunRenewalsPayload>): Promise<BatchOutcome>;
}

/** Builds the command on a gateway. */
export function renewalLifecycle(gateway: Gateway, deadlineMs: number): RenewalLifecycle {
  return {
    runRenewals: (command) =>
      gateway.start(renewalBatchTarget(command.orgId, command.entityId), runRenewalsUpdate, command, deadlineMs),
  };
}
