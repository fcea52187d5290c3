// The workflows of an entity: the status of each, what it is waiting for, and the size of its history.
import type { Client, WorkflowHandle } from '@temporalio/client';
import { waitingFor } from './waiting.ts';

/** A workflow of an entity. */
export interface Whereabouts {
  workflowId: string;
  status: string;
  /** The step at which it waits for an operator, and why; or the one that fails and is retried; or nothing. */
  trouble: string;
  /** What a healthy workflow reports, such as its state and next date; empty if it has ended or nothing answers. */
  details: string;
  startedAt: Date;
  events: number;
  bytes: number;
}

const MOST_SHOWN = 50;
/** Without a worker, no workflow answers. */
const ANSWERS_WITHIN_MS = 3_000;

/** Lists the workflows of entities, newest first. */
export async function whereaboutsOf(client: Client, entityIds: readonly string[]): Promise<Whereabouts[]> {
  const found: Whereabouts[] = [];
  const query = `EntityId in (${entityIds.map((id) => `'${id}'`).join(', ')})`;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    if (found.length === MOST_SHOWN) break;
    const handle = client.workflow.getHandle(workflowId, runId);
    const { raw, memo, status, startTime } = await handle.describe();
    const { historyLength, historySizeBytes } = raw.workflowExecutionInfo ?? {};
    const facts = { events: Number(historyLength ?? 0), bytes: Number(historySizeBytes ?? 0) };
    const trouble = troubleOf(memo, raw);
    const details = status.name === 'RUNNING' && trouble === '' ? await detailsOf(client, handle) : '';
    found.push({ workflowId, status: status.name, trouble, details, startedAt: startTime, ...facts });
  }
  return found;
}

async function detailsOf(client: Client, handle: WorkflowHandle): Promise<string> {
  const asking = () => handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  const { currentDetails = '' } = await client
    .withDeadline(Date.now() + ANSWERS_WITHIN_MS, asking)
    .catch(() => ({ currentDetails: '' }));
  return currentDetails;
}

type Raw = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['describe']>>['raw'];

function troubleOf(memo: Record<string, unknown> | undefined, raw: Raw): string {
  const { step, message } = waitingFor(memo);
  if (step !== '') return `waits for an operator at ${step}: ${message}`;
  const failing = (raw.pendingActivities ?? []).filter(({ attempt }) => (attempt ?? 1) > 1);
  if (failing.length > 0) {
    return failing.map(({ activityType, attempt }) => `${activityType?.name} fails, attempt ${attempt}`).join('; ');
  }
  const task = raw.pendingWorkflowTask;
  return task && (task.attempt ?? 1) > 1 ? `its code fails, attempt ${task.attempt}: deploy a fix` : '';
}
