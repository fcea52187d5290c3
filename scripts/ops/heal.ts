// Has a worker of the platform restart lost workflows, and lists them. docs/operations.md "Healing".
import type { Client } from '@temporalio/client';
import type { HealingInput, HealingResult } from '../../contracts/machinery/healing.ts';
import { taskQueue } from '../../contracts/machinery/queues.ts';
import { startOptions, WORKFLOW_TYPES } from '../../contracts/machinery/start.ts';

/** Runs healing to completion. It waits for a worker that serves the batch queue. */
export async function heal(client: Client, prefix: string, input: HealingInput): Promise<HealingResult> {
  const scope = input.orgId ?? 'all';
  const { typedSearchAttributes: _, ...options } = startOptions(`healing/${scope}/${Date.now()}`, 'batch', {
    orgId: scope,
    entityId: scope,
  });
  const started = { ...options, taskQueue: taskQueue('batch', prefix), args: [input] };
  return client.workflow.execute(WORKFLOW_TYPES.healing, started) as Promise<HealingResult>;
}

/** Formats it for an operator. */
export function healed(result: HealingResult, isDryRun: boolean): string {
  const { organizations, checked, missing, failed, workflowIds } = result;
  const named = workflowIds.map((workflowId) => `  ${workflowId}`);
  const further = missing - workflowIds.length;
  const looked = `Checked ${many(checked, 'row')} in ${many(organizations, 'organization')}.`;
  const wasMissing = missing === 1 ? '1 workflow was missing' : `${missing} workflows were missing`;
  return [
    `${looked} ${wasMissing}${missing > 0 && !isDryRun ? `, and ${missing === 1 ? 'has' : 'have'} been started` : ''}.`,
    ...named,
    ...(further > 0 ? [`  and ${further} more`] : []),
    ...(failed > 0 ? [`${many(failed, 'organization')} could not be healed: the worker's log says why`] : []),
  ].join('\n');
}

const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
