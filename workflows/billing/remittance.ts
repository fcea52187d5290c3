/**
 * A remittance is prepared by one person and decided by another: one writer per remittance, one run per burst of
 * requests. The row is the truth. The decision and its entries in both ledgers are one transaction, so a worker that
 * dies has either paid or not.
 */
import { proxyLocalActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import {
  decideRemittanceUpdate,
  prepareRemittanceUpdate,
  type RemittanceWorkflowInput,
} from '../../contracts/remittance.ts';
import { serveBurst } from '../machinery/burst.ts';
import { CommandQueue } from '../machinery/command-queue.ts';
import { ONE_TRANSACTION } from '../machinery/options.ts';

const { prepareRemittance, decideRemittance } = proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function remittanceWorkflow(_of: RemittanceWorkflowInput): Promise<void> {
  const commands = new CommandQueue();
  setHandler(
    prepareRemittanceUpdate,
    (command) =>
      commands.submit(command.commandId, async () => {
        const { remittanceId } = await prepareRemittance(command);
        setCurrentDetails('The remittance waits for approval by somebody else.');
        return { remittanceId };
      }),
    { description: 'Prepares what is owed to a payee and waits for approval.' },
  );
  setHandler(
    decideRemittanceUpdate,
    (command) =>
      commands.submit(command.commandId, async () => {
        const { remittanceId } = await decideRemittance(command);
        setCurrentDetails('The remittance has been decided.');
        return { remittanceId };
      }),
    { description: 'Approves the remittance, which posts it, or rejects it.' },
  );
  await serveBurst(commands);
}
