/**
 * Attempts to collect an invoice by card: one writer per invoice, so that two simultaneous callers share one attempt.
 * Ends when every caller has an answer; the processor reports the result of the attempt in an event. Contract 3.4
 * "payment-intent", "retry".
 */
import { proxyLocalActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import { type CollectOutcome, type CollectPayload, collectUpdate } from '../../contracts/billing.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import { startCancelling } from '../attempt-cancellation.ts';
import { serveBurst } from '../machinery/burst.ts';
import { CommandQueue } from '../machinery/command-queue.ts';
import { ASKING_PROCESSOR, ONE_TRANSACTION } from '../machinery/options.ts';
import { activitiesOn } from '../machinery/queues.ts';

const { openAttempt } = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { createIntent } = activitiesOn('outside', {
  ...ASKING_PROCESSOR,
  summary: 'payment intent at the processor',
});

export async function collectionWorkflow(): Promise<void> {
  const commands = new CommandQueue();
  const carryOut = async (command: Command<CollectPayload>): Promise<CollectOutcome> => {
    const { outcome, obsoleteAttempts } = await collect(command);
    // In its turn, after the caller has its answer.
    if (obsoleteAttempts.length > 0) {
      void commands.submit(null, () => startCancelling(command.orgId, obsoleteAttempts));
    }
    return outcome;
  };
  setHandler(collectUpdate, (command) => commands.submit(command.commandId, () => carryOut(command)), {
    description: 'Starts collecting the invoice by card, or returns the open attempt.',
  });
  await serveBurst(commands);
}

/** The attempt, and those to cancel: itself or earlier ones. */
async function collect(command: Command<CollectPayload>) {
  const { repeated: _, ...attempt } = await openAttempt(command);
  setCurrentDetails(`attempt ${attempt.attempt}: waiting for the card processor`);
  const { obsoleteAttempts = [], ...outcome } = await createIntent(attempt);
  setCurrentDetails(`attempt ${attempt.attempt}: ${outcome.intentId}`);
  return { outcome, obsoleteAttempts: [...(attempt.supersedes ?? []), ...obsoleteAttempts] };
}
