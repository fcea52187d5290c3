/**
 * Attempts to collect an invoice by card: one writer per invoice, so that two simultaneous callers share one attempt.
 * Ends when every caller has an answer; the processor reports the result of the attempt in an event. Contract 3.4
 * "payment-intent", "retry".
 */
import { proxyLocalActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { type CollectOutcome, type CollectPayload, collectUpdate } from '../contracts/billing.ts';
import type { Command } from '../contracts/command.ts';
import { serveBurst } from './machinery/burst.ts';
import { CommandQueue } from './machinery/command-queue.ts';
import { ASKING_PROCESSOR, ONE_TRANSACTION } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { openAttempt } = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { createIntent } = activitiesOn('outside', {
  ...ASKING_PROCESSOR,
  summary: 'payment intent at the processor',
});

export async function collectionWorkflow(): Promise<void> {
  const commands = new CommandQueue();
  setHandler(collectUpdate, (command) => commands.submit(command.commandId, () => collect(command)), {
    description: 'Opens an attempt to collect the invoice by card, or gives the open one again.',
  });
  await serveBurst(commands);
}

async function collect(command: Command<CollectPayload>): Promise<CollectOutcome> {
  const { repeated: _, ...attempt } = await openAttempt(command);
  setCurrentDetails(`attempt ${attempt.attempt}: the card processor is asked`);
  const outcome = await createIntent(attempt);
  setCurrentDetails(`attempt ${attempt.attempt}: ${outcome.intentId}`);
  return outcome;
}
