// Sagas that wait for an operator: the list with reasons, and the operator's decision. Spec 6.4 "Failure escalation".
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { retryStepSignal, type StepDecision, skipStepSignal } from '../../contracts/saga.ts';
import { SAGA_STATUS, WAITING_MEMO } from '../../contracts/search-attributes.ts';

/** A waiting saga: its step, and why that failed. */
export interface WaitingWorkflow {
  workflowId: string;
  startedAt: Date;
  step: string;
  message: string;
}

/** Why an operator cannot decide; the message is meant for them. */
export class NotWaiting extends Error {}

/** Lists the waiting sagas, oldest first. */
export async function listWaiting(client: Client): Promise<WaitingWorkflow[]> {
  const query = `EntityStatus = '${SAGA_STATUS.waiting}' and ExecutionStatus = 'Running'`;
  const found: WaitingWorkflow[] = [];
  for await (const { workflowId, startTime, memo } of client.workflow.list({ query })) {
    found.push({ workflowId, startedAt: startTime, ...waitingFor(memo) });
  }
  return found.sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
}

/**
 * Orders a waiting saga to retry its step, or to skip it. Answers the step.
 * @throws NotWaiting when there is no such saga or it does not wait
 */
export async function decide(
  client: Client,
  workflowId: string,
  { kind, operator, reason }: { kind: 'retry' | 'skip' } & Omit<StepDecision, 'step'>,
): Promise<string> {
  const handle = client.workflow.getHandle(workflowId);
  const { status, memo } = await handle.describe().catch((error: unknown) => {
    throw error instanceof WorkflowNotFoundError ? new NotWaiting(`There is no workflow ${workflowId}.`) : error;
  });
  const { step } = waitingFor(memo);
  if (status.name !== 'RUNNING' || step === '') throw new NotWaiting(`${workflowId} does not wait for anybody.`);
  const decision: StepDecision = { step, operator, ...(reason === undefined ? {} : { reason }) };
  await handle.signal(kind === 'retry' ? retryStepSignal : skipStepSignal, decision);
  return step;
}

/** The memo is removed when the saga goes on; the list may lag behind. */
function waitingFor(memo: Record<string, unknown> | undefined): { step: string; message: string } {
  const waiting = memo?.[WAITING_MEMO] as { step: string; message: string } | null | undefined;
  return { step: waiting?.step ?? '', message: waiting?.message ?? '' };
}
