// Sagas that wait for an operator: the list with reasons, and the operator's decision. Spec 6.4 "Failure escalation".
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { rootCause } from '@temporalio/common';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js';
import { retryStepSignal, type StepDecision, skipStepSignal } from '../../contracts/machinery/saga.ts';
import { SAGA_STATUS, SEARCH_ATTRIBUTES, WAITING_MEMO } from '../../contracts/machinery/search-attributes.ts';
import { WORKFLOW_TYPES } from '../../contracts/machinery/start.ts';

/** A waiting saga: its step, and why that failed. */
export interface WaitingWorkflow {
  workflowId: string;
  startedAt: Date;
  step: string;
  message: string;
}

/** Sagas that run in steps; normally they take seconds. */
const SAGAS = [
  WORKFLOW_TYPES.payment,
  WORKFLOW_TYPES.refund,
  WORKFLOW_TYPES.claimPayment,
  WORKFLOW_TYPES.attemptCancellation,
  WORKFLOW_TYPES.notice,
];
/** A failing step is listed within a minute; a saga that is merely busy is not. */
const UNNOTICED_MS = 20_000;
const FAILED_BEFORE = 3;
const MOST_SHOWN = 100;

/** Why an operator cannot decide; the message is meant for them. */
export class NotWaiting extends Error {}

/** Lists the waiting sagas, of one organization or of all, oldest first. */
export async function listWaiting(client: Client, orgId?: string): Promise<WaitingWorkflow[]> {
  const ofOrg = orgId === undefined ? '' : ` and OrgId = '${orgId}'`;
  const query = `EntityStatus = '${SAGA_STATUS.waiting}' and ExecutionStatus = 'Running'${ofOrg}`;
  const found: WaitingWorkflow[] = [];
  for await (const { workflowId, startTime, memo } of client.workflow.list({ query })) {
    found.push({ workflowId, startedAt: startTime, ...waitingFor(memo) });
  }
  return found.sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
}

/**
 * Lists the sagas (payments, refunds, claim payments, cancelled card attempts and notices) whose step has failed
 * several times and is being retried automatically, oldest first: an operator may want to fix the cause long before
 * the retries run out.
 */
export async function listRetrying(client: Client, nowMs = Date.now()): Promise<WaitingWorkflow[]> {
  const before = new Date(nowMs - UNNOTICED_MS).toISOString();
  // Each type separately: a thousand notices must not hide a payment.
  const found = await Promise.all(SAGAS.map((type) => retryingOf(client, type, before)));
  return found.flat().sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
}

async function retryingOf(client: Client, type: string, before: string): Promise<WaitingWorkflow[]> {
  const query = `WorkflowType = '${type}' and ExecutionStatus = 'Running' and StartTime < '${before}'`;
  const found: WaitingWorkflow[] = [];
  for await (const { workflowId, startTime } of client.workflow.list({ query })) {
    if (found.length === MOST_SHOWN) break;
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    const failing = raw.pendingActivities?.find(({ attempt }) => (attempt ?? 1) >= FAILED_BEFORE);
    if (!failing) continue;
    const { attempt, activityType, lastFailure } = failing;
    const cause = await causeOf(client, lastFailure);
    const message = `${cause} It has failed ${(attempt ?? 1) - 1} times and is tried again by itself.`;
    found.push({ workflowId, startedAt: startTime, step: wordsOf(activityType?.name ?? ''), message });
  }
  return found;
}

/**
 * Makes a waiting saga retry its step, or skip it. Returns the step.
 * @throws NotWaiting if there is no such saga or it is not waiting
 */
export async function decide(
  client: Client,
  workflowId: string,
  { kind, operator, reason }: { kind: 'retry' | 'skip' } & Omit<StepDecision, 'step'>,
): Promise<string> {
  const handle = client.workflow.getHandle(workflowId);
  const { status, memo, typedSearchAttributes } = await handle.describe().catch((error: unknown) => {
    throw error instanceof WorkflowNotFoundError ? new NotWaiting(`There is no workflow ${workflowId}.`) : error;
  });
  const { step } = waitingFor(memo);
  if (typedSearchAttributes.get(SEARCH_ATTRIBUTES.entityStatus) === SAGA_STATUS.awaitingApproval) {
    throw new NotWaiting(
      `${workflowId} waits until a person approves or rejects it over the API; no operator decides that.`,
    );
  }
  if (status.name !== 'RUNNING' || step === '') throw new NotWaiting(`${workflowId} does not wait for anybody.`);
  const decision: StepDecision = { step, operator, ...(reason === undefined ? {} : { reason }) };
  await handle.signal(kind === 'retry' ? retryStepSignal : skipStepSignal, decision);
  return step;
}

/** Makes every waiting saga, of one organization or of all, retry; returns those that were still waiting. */
export async function retryWaiting(
  client: Client,
  operator: string,
  orgId?: string,
): Promise<Pick<WaitingWorkflow, 'workflowId' | 'step'>[]> {
  const retried: Pick<WaitingWorkflow, 'workflowId' | 'step'>[] = [];
  for (const { workflowId } of await listWaiting(client, orgId)) {
    try {
      retried.push({ workflowId, step: await decide(client, workflowId, { kind: 'retry', operator }) });
    } catch (error) {
      // It has moved on since it was listed.
      if (!(error instanceof NotWaiting)) throw error;
    }
  }
  return retried;
}

/** The innermost message of a failure, decrypted. */
async function causeOf({ options: { loadedDataConverter } }: Client, failure: EncodedFailure): Promise<string> {
  const cause = await decodeOptionalFailureToOptionalError(loadedDataConverter, failure);
  return (cause && rootCause(cause)) ?? 'The worker has died, or does not answer.';
}

type EncodedFailure = Parameters<typeof decodeOptionalFailureToOptionalError>[1];

/** Turns `refundAtProcessor` into readable words: `refund at processor`. */
const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * What a workflow recorded about the step it is waiting at; empty texts if it is not waiting. The memo is removed
 * when the saga continues; the list may lag behind.
 */
export function waitingFor(memo: Record<string, unknown> | undefined): { step: string; message: string } {
  const waiting = memo?.[WAITING_MEMO] as { step: string; message: string } | null | undefined;
  return { step: waiting?.step ?? '', message: waiting?.message ?? '' };
}
