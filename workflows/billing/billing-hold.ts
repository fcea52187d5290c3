/**
 * A billing hold: an update places or lifts it, then the workflow notifies every policy whose clock it changes, so that
 * a confirmed hold is never half in force. One run for each burst of requests. Contract 3.2 "Delinquency".
 */
import { condition, log, proxyLocalActivities, rootCause, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import type { BillingHoldOutcome } from '../../contracts/billing-hold.ts';
import { type BillingHoldWorkflowInput, liftHoldUpdate, placeHoldUpdate } from '../../contracts/billing-hold.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import { BACK_OFF, type BackOff, pauseMs } from '../machinery/back-off.ts';
import { serveBurst } from '../machinery/burst.ts';
import { CommandQueue } from '../machinery/command-queue.ts';
import { isStepFailure } from '../machinery/failures.ts';
import { Operator, recordSkip, retryOrder } from '../machinery/operator-decision.ts';
import { ONE_TRANSACTION, WAKING } from '../machinery/options.ts';
import { activitiesOn } from '../machinery/queues.ts';
import { inTrace } from '../machinery/trace.ts';

const transactions = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { notifyDelinquentPolicies } = activitiesOn('batch', WAKING);

/** What the operator reads, and decides about. */
const STEP = 'notifying the policies';

export async function billingHoldWorkflow({ orgId, backOff = BACK_OFF }: BillingHoldWorkflowInput): Promise<void> {
  const commands = new CommandQueue();
  const operator = new Operator('Skips notifying: each policy reads its holds on its next due day, or by a command.');
  let [unfinished, latest] = [0, Promise.resolve()];
  /** Beside the commands, so that a hold can be lifted while its policies cannot be notified. */
  const notifyAfterwards = ({ holdId, state }: BillingHoldOutcome) => {
    unfinished += 1;
    latest = latest.then(inTrace(() => notify({ orgId, holdId, state }, operator, backOff))).then(() => {
      unfinished -= 1;
    });
  };
  const changed =
    <P>(step: (command: Command<P>) => Promise<BillingHoldOutcome>) =>
    (command: Command<P>) =>
      commands.submit(command.commandId, async () => {
        const { holdId, state } = await step(command);
        notifyAfterwards({ holdId, state });
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

/** Notifies the policies however often that fails, unless an operator skips it. */
async function notify(
  { orgId, holdId, state }: BillingHoldOutcome & { orgId: string },
  operator: Operator,
  backOff: BackOff,
): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      await notifyDelinquentPolicies({ orgId, state });
      break;
    } catch (error) {
      if (!isStepFailure(error)) throw error;
      wait(operator, failures, rootCause(error) ?? 'unknown');
    }
    await condition(() => operator.hasDecided, pauseMs(failures, backOff));
    const decision = operator.take();
    if (decision?.kind !== 'skip') continue;
    const fault = await recordSkip({ orgId, entityId: holdId, entityType: 'billing_hold' }, decision);
    if (fault === null) break;
  }
  operator.goOn();
  setCurrentDetails('');
}

function wait(operator: Operator, failures: number, reason: string): void {
  log.error('The policies of a billing hold could not be notified, which is tried again', { failures, reason });
  operator.waitAt(STEP, reason);
  setCurrentDetails(
    `**waiting**: ${STEP} failed (${reason}), ${failures} times in a row. Tried again by itself, or by ${retryOrder()}`,
  );
}
