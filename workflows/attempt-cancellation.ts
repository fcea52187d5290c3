/**
 * Cancels the card attempts on an invoice that nobody must pay any more. It outlives whatever settled or voided the
 * invoice, and lasts as long as the processor is away. After a week an alert is raised, and an operator retries it or
 * cancels the attempts at the processor by hand. Contract 3.4.
 */
import type { AttemptCancellationInput } from '../contracts/billing.ts';
import { attemptCancellationWorkflowId, startOptions } from '../contracts/machinery/start.ts';
import { startOutliving } from './machinery/children.ts';
import { CANCELLING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';
import { Saga } from './machinery/saga.ts';

const { cancelAttempts } = activitiesOn('outside', { ...CANCELLING, summary: 'card attempts are cancelled' });

export async function attemptCancellationWorkflow(input: AttemptCancellationInput): Promise<void> {
  const saga = new Saga({ orgId: input.orgId, entityId: input.invoiceId }, 'invoice');
  await saga.step('card attempts', () => cancelAttempts(input));
  await saga.close();
}

/** Starts it once for each `cause`: the payment, the void or the attempt that made others obsolete. */
export async function startCancelling(input: AttemptCancellationInput, cause: string): Promise<void> {
  const { orgId, invoiceId } = input;
  const options = startOptions(attemptCancellationWorkflowId(orgId, invoiceId, cause), 'saga', {
    orgId,
    entityId: invoiceId,
  });
  await startOutliving(attemptCancellationWorkflow, input, options);
}
