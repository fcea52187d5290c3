/**
 * Moves an organization's business date forward as if the days had passed: through each date on which something falls
 * due, in order, waking the workflows concerned, to the requested date. One run per burst of requests. Contract 3.9.
 */
import {
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { type AdvanceTestClock, advanceTestClockUpdate, type TestClockOutcome } from '../contracts/clock.ts';
import type { Command } from '../contracts/machinery/command.ts';
import { CommandQueue } from './machinery/command-queue.ts';
import { ONE_TRANSACTION, WAKING } from './machinery/options.ts';

const transactions = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { walkTestClock } = proxyActivities<Activities>(WAKING);

export async function testClockWorkflow(): Promise<void> {
  const commands = new CommandQueue();
  setHandler(advanceTestClockUpdate, (command) => commands.submit(command.commandId, () => advance(command)), {
    description: 'Advances the business date of the organization. Returns when everything that fell due has happened.',
  });
  do {
    await commands.drain();
    await condition(() => !commands.isEmpty || allHandlersFinished());
  } while (!commands.isEmpty);
}

async function advance(command: Command<AdvanceTestClock>): Promise<TestClockOutcome> {
  const { orgId } = command;
  const { advanceTo } = await transactions.acceptClockAdvance(command);
  for (;;) {
    const { date, isThere } = await walkTestClock({ orgId, advanceTo });
    if (isThere) return { date };
    setCurrentDetails(`On the way to ${advanceTo}: ${date}`);
  }
}
