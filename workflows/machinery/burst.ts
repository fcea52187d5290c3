/** The life of a workflow that is there for its callers alone: it ends when all of them have been answered. */
import { allHandlersFinished, condition } from '@temporalio/workflow';
import type { CommandQueue } from './command-queue.ts';

/**
 * Carries out what is submitted, one after the other, until nothing is left, every caller has an answer, and what goes
 * on beside the commands is done.
 */
export async function serveBurst(commands: CommandQueue, isAllDone: () => boolean = () => true): Promise<void> {
  do {
    await commands.drain();
    await condition(() => !commands.isEmpty || (allHandlersFinished() && isAllDone()));
  } while (!commands.isEmpty);
}
