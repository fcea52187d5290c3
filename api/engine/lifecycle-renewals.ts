/** The command that opens a renewal batch. Part of `lifecycle.ts`. */

import type { Command } from '../../contracts/command.ts';
import { type BatchOutcome, type RunRenewalsPayload, runRenewalsUpdate } from '../../contracts/renewal.ts';
import { SAGA_STATUS } from '../../contracts/search-attributes.ts';
import { renewalBatchWorkflowId, WORKFLOW_TYPES } from '../../contracts/start.ts';
import type { Gateway } from './gateway.ts';

export interface RenewalLifecycle {
  /** Opens a batch; `entityId` is its id. Answers when the list of its policies is written; their renewal follows. */
  runRenewals(command: Command<RunRenewalsPayload>): Promise<BatchOutcome>;
}

/** Builds the command on a gateway. */
export function renewalLifecycle(gateway: Gateway, deadlineMs: number): RenewalLifecycle {
  return {
    runRenewals: (command) => {
      const { orgId, entityId: batchId } = command;
      const target = {
        type: WORKFLOW_TYPES.renewalBatch,
        workflowId: renewalBatchWorkflowId(orgId, batchId),
        input: { orgId, batchId },
        facts: { orgId, entityId: batchId, status: SAGA_STATUS.running },
        queue: 'batch' as const,
      };
      return gateway.start(target, runRenewalsUpdate, command, deadlineMs);
    },
  };
}
