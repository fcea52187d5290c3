/**
 * Issues, clears, stops or cancels a disbursement: one writer per disbursement, one run per burst of requests. The row
 * is the truth.
 */
import { proxyLocalActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import {
  cancelDisbursementUpdate,
  clearUpdate,
  type DisbursementOutcome,
  type DisbursementWorkflowInput,
  issueUpdate,
  stopUpdate,
} from '../../contracts/disbursement.ts';
import type { Command, Repeatable } from '../../contracts/machinery/command.ts';
import { serveBurst } from '../machinery/burst.ts';
import { CommandQueue } from '../machinery/command-queue.ts';
import { ONE_TRANSACTION } from '../machinery/options.ts';
import { startFollowingPayment } from './following.ts';

const { issueDisbursement, clearDisbursement, stopDisbursement, cancelDisbursement } =
  proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function disbursementWorkflow({ orgId }: DisbursementWorkflowInput): Promise<void> {
  const commands = new CommandQueue();
  const carriedOut =
    <P>(what: string, step: (command: Command<P>) => Promise<Repeatable<DisbursementOutcome>>) =>
    (command: Command<P>): Promise<DisbursementOutcome> =>
      commands.submit(command.commandId, async () => {
        const { disbursementId, kept } = await step(command);
        setCurrentDetails(`The disbursement has been ${what}.`);
        if (kept) await startFollowingPayment(orgId, kept);
        return { disbursementId };
      });
  setHandler(issueUpdate, carriedOut('issued', issueDisbursement), { description: 'Issues the check or transfer.' });
  setHandler(clearUpdate, carriedOut('cleared', clearDisbursement), {
    description: 'Records that the bank has paid it.',
  });
  setHandler(stopUpdate, carriedOut('stopped', stopDisbursement), {
    description: 'Stops the check or transfer. The money is owed again.',
  });
  setHandler(cancelDisbursementUpdate, carriedOut('cancelled', cancelDisbursement), {
    description: 'Gives up what is no longer owed, or keeps it unapplied.',
  });
  await serveBurst(commands);
}
