/**
 * A billing hold: an update places or lifts it, then the workflow notifies every policy whose clock it changes, so that
 * a confirmed hold is never half in force. One run for each burst of requests. Contract 3.2 "Delinquency".
 */
import { log, proxyLocalActivities, rootCause, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import type { BillingHoldOutcome } from '../../contracts/billing-hold.ts';
import { type BillingHoldWorkflowInput, liftHoldUpdate, placeHoldUpdate } from '../../contracts/billing-hold.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import { BACK_OFF, type BackOff, pauseMs } from '../machinery/back-off.ts';
import { serveBurst } from '../machinery/burst.ts';
import { CommandQueue } from '../machinery/command-queue.ts';
import { isStepFailure } from '../machinery/failures.ts';
import { ONE_TRANSACTION, WAKING } from '../machinery/options.ts';
import { activitiesOn } from '../machinery/queues.ts';
import { inTrace } from '../machinery/trace.ts';

const transactions = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { notifyDelinquentPolicies } = activitiesOn('batch', WAKING);

export async function billingHoldWorkflow({ orgId, backOff = BACK_OFF }: BillingHoldWorkflowInput): Promise<void> {
  const commands = new CommandQueue();
  let [unfinished, latest] = [0, Promise.resolve()];
  /** Beside the commands, so that a hold can be lifted while its policies cannot be notified. */
  const notifyAfterwards = (state: string) => {
    unfinished += 1;
    latest = latest.then(inTrace(() => notify({ orgId, state }, backOff))).then(() => {
      unfinished -= 1;
    });
  };
  const changed =
    <P>(step: (command: Command<P>) => Promise<BillingHoldOutcome>) =>
    (command: Command<P>) =>
      commands.submit(command.commandId, async () => {
        const { holdId, state } = await step(command);
        notifyAfterwards(state);
        return { holdId, state };
      });
  setHandler(placeHoldUpdate, changed(transactions.placeBillingHold), {
    description: 'Stops the delinquency clock in a state.',
  });
  setHandler(liftHoldUpdate, changed(transactions.liftBillingHold), {
    description: 'Lifts the hold, so that the clock runs again.',
  });
  await serveBurst(commands, () => unfinished === 0);
}

/** Notifies the policies however often that fails. */
async function notify(of: { orgId: string; state: string }, backOff: BackOff): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await notifyDelinquentPolicies(of);
    } catch (error) {
      if (!isStepFailure(error)) throw error;
      const reason = rootCause(error);
      log.error('The policies of a billing hold could not be notified, which is tried again', { failures, reason });
      setCurrentDetails(`**waiting**: notifying the policies of ${of.state} failed ${failures} times (${reason})`);
    }
    await sleep(pauseMs(failures, backOff), { summary: 'the policies are notified again' });
    setCurrentDetails('');
  }
}
