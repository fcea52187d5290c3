/** The life of a workflow that only serves callers: it ends when all have been answered. */
import { allHandlersFinished, condition } from '@temporalio/workflow';
import type { CommandQueue } from './command-queue.ts';

/**
 * Carries out submitted commands, one after the other, until none is left, every caller has an answer, and work
 * running alongside is done.
 */
export async function serveBurst(commands: CommandQueue, isAllDone: () => boolean = () => true): Promise<void> {
  do {
    await commands.drain();
    await condition(() => !commands.isEmpty || (allHandlersFinished() && isAllDone()));
  } while (!commands.isEmpty);
}
