// Lets a worker of the platform restart the workflows that were lost, and lists them. docs/operations.md "Healing".
import type { Client } from '@temporalio/client';
import type { HealingInput, HealingResult } from '../../contracts/machinery/healing.ts';
import { taskQueue } from '../../contracts/machinery/queues.ts';
import { startOptions, WORKFLOW_TYPES } from '../../contracts/machinery/start.ts';

/** Runs healing to its end. It waits for a worker that serves the queue of batches. */
export async function heal(client: Client, prefix: string, input: HealingInput): Promise<HealingResult> {
  const scope = input.orgId ?? 'all';
  const { typedSearchAttributes: _, ...options } = startOptions(`healing/${scope}/${Date.now()}`, 'batch', {
    orgId: scope,
    entityId: scope,
  });
  const started = { ...options, taskQueue: taskQueue('batch', prefix), args: [input] };
  return client.workflow.execute(WORKFLOW_TYPES.healing, started) as Promise<HealingResult>;
}

/** As an operator reads it. */
export function healed(result: HealingResult, isDryRun: boolean): string {
  const { organizations, checked, missing, failed, workflowIds } = result;
  const named = workflowIds.map((workflowId) => `  ${workflowId}`);
  const further = missing - workflowIds.length;
  const looked = `${checked} rows of ${organizations} organizations: ${missing} workflows were missing`;
  return [
    missing > 0 && !isDryRun ? `${looked} and have been started` : looked,
    ...named,
    ...(further > 0 ? [`  and ${further} more`] : []),
    ...(failed > 0 ? [`${failed} organizations could not be healed: the log of the worker says why`] : []),
  ].join('\n');
}
