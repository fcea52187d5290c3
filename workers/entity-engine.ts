/** Reaches the workflows of entities from inside an activity: to tell them that the organization's business date has moved. */
import { Client, WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { EntityEngine } from '../activities/context.ts';
import {
  advanceClockUpdate,
  policyWorkflowId,
  startOptions,
  submissionWorkflowId,
  WORKFLOW_TYPES,
} from '../workflows/contracts.ts';

export interface EntityEngineOptions {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
}

/** Builds the gateway; it shares the worker's connection. */
export function createEntityEngine({ connection, namespace, taskQueue }: EntityEngineOptions): EntityEngine {
  const client = new Client({ connection, namespace });
  return {
    async advanceClock({ kind, orgId, id }, clockOffsetDays) {
      const { workflowId, input } =
        kind === 'submission'
          ? { workflowId: submissionWorkflowId(orgId, id), input: { orgId, submissionId: id } }
          : { workflowId: policyWorkflowId(orgId, id), input: { orgId, policyId: id } };
      const args: [{ clockOffsetDays: number }] = [{ clockOffsetDays }];
      try {
        await client.workflow.getHandle(workflowId).executeUpdate(advanceClockUpdate, { args });
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
        // The row is there and its workflow is not: starting it again is what repairs that.
        const startWorkflowOperation = new WithStartWorkflowOperation(WORKFLOW_TYPES[kind], {
          ...startOptions(workflowId, { orgId, entityId: id }),
          taskQueue,
          args: [input],
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'USE_EXISTING',
        });
        await client.workflow.executeUpdateWithStart(advanceClockUpdate, { args, startWorkflowOperation });
      }
    },
  };
}
