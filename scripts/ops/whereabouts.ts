// The workflows of an entity: where each stands, what it waits for, and how much it has gone through.
import type { Client } from '@temporalio/client';
import { waitingFor } from './waiting.ts';

/** A workflow of an entity. */
export interface Whereabouts {
  workflowId: string;
  status: string;
  /** What it waits for an operator at, and why; or what fails and is tried again; or nothing. */
  trouble: string;
  startedAt: Date;
  events: number;
  bytes: number;
}

const MOST_SHOWN = 50;

/** Lists the workflows of an entity, the newest first. */
export async function whereaboutsOf(client: Client, entityId: string): Promise<Whereabouts[]> {
  const found: Whereabouts[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query: `EntityId = '${entityId}'` })) {
    if (found.length === MOST_SHOWN) break;
    const { raw, memo, status, startTime } = await client.workflow.getHandle(workflowId, runId).describe();
    const { historyLength, historySizeBytes } = raw.workflowExecutionInfo ?? {};
    const facts = { events: Number(historyLength ?? 0), bytes: Number(historySizeBytes ?? 0) };
    found.push({ workflowId, status: status.name, trouble: troubleOf(memo, raw), startedAt: startTime, ...facts });
  }
  return found;
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
