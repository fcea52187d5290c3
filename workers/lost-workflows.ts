/** Finds workflows that should be running according to their rows but are not, and starts them from their rows. */
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { ExpectedWorkflow } from '../contracts/healing.ts';
import { queueBeside } from '../contracts/queues.ts';
import { SAGA_STATUS } from '../contracts/search-attributes.ts';
import {
  paymentWorkflowId,
  policyWorkflowId,
  refundWorkflowId,
  renewalBatchWorkflowId,
  startOptions,
  submissionWorkflowId,
  WORKFLOW_TYPES,
} from '../contracts/start.ts';

/** Concurrent starts: few enough not to slow callers down. */
const AT_ONCE = 4;

/**
 * Answers the ids of the missing workflows, each of which has been started unless it is a dry run. Starting a running
 * workflow does nothing.
 */
export async function healWorkflows(
  client: Client,
  taskQueue: string,
  expected: readonly ExpectedWorkflow[],
  isDryRun: boolean,
): Promise<string[]> {
  const running = await runningAmong(client, expected.map(workflowIdOf));
  const candidates = expected.filter((one) => !running.has(workflowIdOf(one)));
  // The list lags behind: a workflow missing from it may still be running.
  const isMissing = (one: ExpectedWorkflow) => (isDryRun ? doesNotRun(client, one) : start(client, taskQueue, one));
  const missing: string[] = [];
  for (let i = 0; i < candidates.length; i += AT_ONCE) {
    const some = candidates.slice(i, i + AT_ONCE);
    const results = await Promise.all(some.map(isMissing));
    missing.push(...some.filter((_, n) => results[n]).map(workflowIdOf));
  }
  return missing;
}

async function runningAmong(client: Client, workflowIds: readonly string[]): Promise<Set<string>> {
  const ids = workflowIds.map((id) => `'${id}'`).join(', ');
  const running = new Set<string>();
  const query = `ExecutionStatus = 'Running' and WorkflowId in (${ids})`;
  for await (const { workflowId } of client.workflow.list({ query })) running.add(workflowId);
  return running;
}

async function doesNotRun(client: Client, expected: ExpectedWorkflow): Promise<boolean> {
  try {
    const { status } = await client.workflow.getHandle(workflowIdOf(expected)).describe();
    return status.name !== 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true;
    throw error;
  }
}

/** False when it is already running. */
async function start(client: Client, taskQueue: string, expected: ExpectedWorkflow): Promise<boolean> {
  const { type, queue, urgency, input } = startOf(expected);
  const { orgId, id: entityId } = expected;
  const status = urgency === 'caller' ? undefined : SAGA_STATUS.running;
  try {
    await client.workflow.start(type, {
      ...startOptions(workflowIdOf(expected), urgency, { orgId, entityId, status }),
      ...{ taskQueue: queueBeside(taskQueue, queue), args: [input] },
      ...{ workflowIdReusePolicy: 'ALLOW_DUPLICATE', workflowIdConflictPolicy: 'FAIL' },
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** How to start a workflow from its row alone. */
function startOf({ kind, orgId, id }: ExpectedWorkflow) {
  const type = kind === 'batch' ? WORKFLOW_TYPES.renewalBatch : WORKFLOW_TYPES[kind];
  switch (kind) {
    case 'submission':
      return { type, queue: 'lifecycle', urgency: 'caller', input: { orgId, submissionId: id } } as const;
    case 'policy':
      return { type, queue: 'lifecycle', urgency: 'caller', input: { orgId, policyId: id } } as const;
    case 'batch':
      return { type, queue: 'batch', urgency: 'batch', input: { orgId, batchId: id } } as const;
    case 'payment':
      return { type, queue: 'lifecycle', urgency: 'saga', input: { orgId, paymentId: id } } as const;
    case 'refund':
      return { type, queue: 'lifecycle', urgency: 'saga', input: { orgId, refundId: id } } as const;
  }
}

function workflowIdOf({ kind, orgId, id, workflowId }: ExpectedWorkflow): string {
  switch (kind) {
    case 'submission':
      return submissionWorkflowId(orgId, id);
    case 'policy':
      return policyWorkflowId(orgId, id);
    case 'batch':
      return workflowId ?? renewalBatchWorkflowId(orgId, id);
    case 'payment':
      return paymentWorkflowId(orgId, id);
    case 'refund':
      return refundWorkflowId(orgId, id);
  }
}
