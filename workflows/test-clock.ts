/**
 * Moves an organization's business date forward as if the days had passed: to each date on which something falls due,
 * in order, waking the workflows concerned, and finally to the requested date. One run per burst of requests.
 * Contract 3.9.
 */
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { type AdvanceTestClock, advanceTestClockUpdate, type TestClockOutcome } from '../contracts/clock.ts';
import type { Command } from '../contracts/machinery/command.ts';
import { CommandQueue } from './machinery/command-queue.ts';
import { ONE_TRANSACTION, WAKING } from './machinery/options.ts';

const transactions = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { wakeDueEntities } = proxyActivities<Activities>(WAKING);

/** A date on which more and more falls due is a fault in a rule, not a busy day. */
const MAX_ROUNDS_PER_DATE = 5;

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
  let rounds = 0;
  let previous = '';
  let undone = 0;
  for (;;) {
    // A step that keeps failing is listed for the operator and delays nothing else.
    const isPassing = undone > 0 && rounds === MAX_ROUNDS_PER_DATE;
    const { date, clockOffsetDays, isDue } = await transactions.stepTestClock({ orgId, advanceTo, isPassing });
    if (!isDue) return { date };
    rounds = date === previous ? rounds + 1 : 1;
    if (rounds > MAX_ROUNDS_PER_DATE) {
      throw ApplicationFailure.nonRetryable(`What falls due on ${date} never ends`, 'internal_error');
    }
    previous = date;
    ({ undone } = await wakeDueEntities({ orgId, date, clockOffsetDays }));
  }
}
