/**
 * Cancels a card attempt that must no longer be paid. It outlives the workflow that settled or voided the invoice, and
 * runs for as long as the processor is unavailable. After a week it raises an alert, and an operator retries it or
 * cancels the attempt at the processor by hand. Contract 3.4.
 */
import { proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import type { AttemptCancellationInput, ObsoleteAttempt } from '../contracts/billing.ts';
import { attemptCancellationWorkflowId, startOptions } from '../contracts/machinery/start.ts';
import { startOutliving } from './machinery/children.ts';
import { CANCELLING, ONE_TRANSACTION } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';
import { Saga } from './machinery/saga.ts';

const { leaveAttemptOpen } = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { cancelAttempt } = activitiesOn('outside', { ...CANCELLING, summary: 'the card attempt is cancelled' });

export async function attemptCancellationWorkflow(attempt: AttemptCancellationInput): Promise<void> {
  const saga = new Saga({ orgId: attempt.orgId, entityId: attempt.invoiceId }, 'invoice');
  const isDone = await saga.step('card attempts', () => cancelAttempt(attempt));
  if (!isDone) await saga.step('end of the cancellation', () => leaveAttemptOpen(attempt));
  await saga.close();
}

/** Starts each attempt's cancellation, unless already started. */
export async function startCancelling(orgId: string, attempts: readonly ObsoleteAttempt[] = []): Promise<void> {
  for (const attempt of attempts) {
    const facts = { orgId, entityId: attempt.invoiceId };
    const options = startOptions(attemptCancellationWorkflowId(orgId, attempt.attemptId), 'saga', facts);
    await startOutliving(attemptCancellationWorkflow, { orgId, ...attempt }, options);
  }
}
