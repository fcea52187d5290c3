/**
 * A billing hold: an update places or lifts it, then the workflow notifies every policy whose clock it changes, so
 * that a confirmed hold is never half in effect. One run for each burst of requests. Contract 3.2 "Delinquency".
 */
import { continueAsNew, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import {
  type BillingHoldOutcome,
  type BillingHoldWorkflowInput,
  liftHoldUpdate,
  placeHoldUpdate,
} from '../../contracts/billing-hold.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import { serveBurst } from '../machinery/burst.ts';
import { CommandQueue } from '../machinery/command-queue.ts';
import { ONE_TRANSACTION } from '../machinery/options.ts';
import { HoldNotifier } from './hold-notifier.ts';

const transactions = proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function billingHoldWorkflow(input: BillingHoldWorkflowInput): Promise<void> {
  const commands = new CommandQueue();
  const notifier = new HoldNotifier(input);
  const changed =
    <P>(step: (command: Command<P>) => Promise<BillingHoldOutcome>) =>
    (command: Command<P>) =>
      commands.submit(command.commandId, async () => {
        const { holdId, state } = await step(command);
        notifier.add({ holdId, state });
        return { holdId, state };
      });
  setHandler(placeHoldUpdate, changed(transactions.placeBillingHold), {
    description: 'Stops the delinquency clock in a state.',
  });
  setHandler(liftHoldUpdate, changed(transactions.liftBillingHold), {
    description: 'Lifts the hold, so that the clock runs again.',
  });
  await serveBurst(commands, () => notifier.isDone || notifier.canHandOver);
  if (!notifier.isDone) await continueAsNew<typeof billingHoldWorkflow>({ ...input, carried: notifier.left });
}
