/**
 * A disbursement is issued, cleared, stopped or cancelled: one writer for each, one run for each burst of requests. The row is the
 * truth.
 */
import { proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import type { Command, Repeatable } from '../contracts/command.ts';
import {
  cancelDisbursementUpdate,
  clearUpdate,
  type DisbursementOutcome,
  type DisbursementWorkflowInput,
  issueUpdate,
  stopUpdate,
} from '../contracts/disbursement.ts';
import { serveBurst } from './machinery/burst.ts';
import { CommandQueue } from './machinery/command-queue.ts';
import { ONE_TRANSACTION } from './machinery/options.ts';

const { issueDisbursement, clearDisbursement, stopDisbursement, cancelDisbursement } =
  proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function disbursementWorkflow(_of: DisbursementWorkflowInput): Promise<void> {
  const commands = new CommandQueue();
  const carriedOut =
    <P>(step: (command: Command<P>) => Promise<Repeatable<DisbursementOutcome>>) =>
    (command: Command<P>): Promise<DisbursementOutcome> =>
      commands.submit(command.commandId, async () => ({ disbursementId: (await step(command)).disbursementId }));
  setHandler(issueUpdate, carriedOut(issueDisbursement), { description: 'Pays it by check or transfer.' });
  setHandler(clearUpdate, carriedOut(clearDisbursement), { description: 'Notes that the bank has paid it.' });
  setHandler(stopUpdate, carriedOut(stopDisbursement), { description: 'Takes the payment back; it is owed again.' });
  setHandler(cancelDisbursementUpdate, carriedOut(cancelDisbursement), {
    description: 'Gives up what is owed no more.',
  });
  await serveBurst(commands);
}
