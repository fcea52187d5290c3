/** The life of a workflow that is there for its callers alone: it ends when all of them have been answered. */
import { allHandlersFinished, condition } from '@temporalio/workflow';
import type { CommandQueue } from './command-queue.ts';

/** Carries out what is submitted, one after the other, until nothing is left and every caller has an answer. */
export async function serveBurst(commands: CommandQueue): Promise<void> {
  do {
    await commands.drain();
    await condition(() => !commands.isEmpty || allHandlersFinished());
  } while (!commands.isEmpty);
}
