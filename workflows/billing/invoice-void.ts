/**
 * Voids an invoice or writes it off: one writer per invoice; then the policy rereads its row, because less is unpaid.
 * One run for each burst of requests. Contract 3.4 "void".
 */
import { proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import { type VoidOutcome, type VoidWorkflowInput, voidUpdate, writeOffUpdate } from '../../contracts/billing.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import { policyWorkflowId } from '../../contracts/machinery/start.ts';
import { startCancelling } from '../attempt-cancellation.ts';
import { serveBurst } from '../machinery/burst.ts';
import { notifyRowChanged } from '../machinery/children.ts';
import { CommandQueue } from '../machinery/command-queue.ts';
import { ONE_TRANSACTION } from '../machinery/options.ts';

const { voidInvoice, writeOffInvoice } = proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function invoiceVoidWorkflow({ orgId }: VoidWorkflowInput): Promise<void> {
  const commands = new CommandQueue();
  const carryOut = async <Payload>(
    command: Command<Payload>,
    work: (command: Command<Payload>) => Promise<VoidOutcome & { repeated?: unknown }>,
  ): Promise<VoidOutcome> => {
    const { repeated: _, ...outcome } = await work(command);
    // In its turn, after the caller has its answer.
    void commands.submit(null, () => notifyRowChanged(policyWorkflowId(orgId, outcome.policyId)));
    const { obsoleteAttempts } = outcome;
    if (obsoleteAttempts) void commands.submit(null, () => startCancelling(orgId, obsoleteAttempts));
    return outcome;
  };
  setHandler(voidUpdate, (command) => commands.submit(command.commandId, () => carryOut(command, voidInvoice)), {
    description: 'Voids the invoice and, on request, reissues it.',
  });
  setHandler(
    writeOffUpdate,
    (command) => commands.submit(command.commandId, () => carryOut(command, writeOffInvoice)),
    { description: 'Writes the invoice off.' },
  );
  await serveBurst(commands);
}
