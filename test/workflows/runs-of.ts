// The runs of a workflow that continued as new, read from their histories: the server's workflow list lags behind.
import type { Client } from '@temporalio/client';

export interface Run {
  runId: string;
  /** Events in its history so far. */
  length: number;
}

/** Follows a workflow back from its current run to its first. */
export async function runsOf({ workflow }: Client, workflowId: string): Promise<Run[]> {
  const runs: Run[] = [];
  for (let runId = (await workflow.getHandle(workflowId).describe()).runId; runId; ) {
    const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
    runs.push({ runId, length: events?.length ?? 0 });
    runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
  }
  return runs;
}
