// The inside of a thread: takes one task after the other and answers with the result of each. It has no database, no
// network and no secrets, and its process ends it when a task takes too much time or memory.
import { parentPort } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.ts';

/** The end of a task. */
export type Outcome =
  | { result: unknown }
  | { refusal: Pick<DomainError, 'code' | 'message' | 'details'> }
  | { fault: Fault };

/** An error that is no refusal: a mistake of ours. Its message may quote what a stranger wrote and stays here. */
export interface Fault {
  name: string;
  /** The places in the code alone. */
  stack: string;
}

/** Serves the tasks of this thread's process. A `DomainError` is handed over as it is. */
export function serveTasks<Task>(work: (task: Task) => Promise<unknown>): void {
  // Parsers leave promises behind that are refused later, when the thread may have its next task: that one is not to be
  // judged by them.
  process.on('unhandledRejection', () => {});
  parentPort?.on('message', async (task: Task) => {
    parentPort?.postMessage(await outcomeOf(work, task));
  });
}

async function outcomeOf<Task>(work: (task: Task) => Promise<unknown>, task: Task): Promise<Outcome> {
  try {
    return { result: await work(task) };
  } catch (error) {
    if (!(error instanceof DomainError)) return { fault: faultOf(error) };
    const { code, message, details } = error;
    return { refusal: { code, message, details } };
  }
}

function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: typeof error, stack: '' };
  const places = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { name: error.name, stack: places.join('\n') };
}
