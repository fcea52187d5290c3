// The code inside a thread: takes one task after another and answers with its result. It has no database, no network
// and no secrets, and its process ends it if a task takes too much time or memory.
import { parentPort } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.ts';

/** How a task ended. */
export type TaskOutcome =
  | { result: unknown }
  | { refusal: Pick<DomainError, 'code' | 'message' | 'details'> }
  | { fault: Fault };

/** An error that is not a refusal: a bug of ours. Its message may quote a stranger's text, so it stays here. */
export interface Fault {
  name: string;
  /** Only the locations in the code. */
  stack: string;
}

/** Serves the tasks of this thread's process. A `DomainError` is passed on as is. */
export function serveTasks<Task>(work: (task: Task) => Promise<unknown>): void {
  // Parsers leave promises behind that reject later, when the thread may be on its next task: they must not fail that
  // one.
  process.on('unhandledRejection', () => {});
  parentPort?.on('message', async (task: Task) => {
    parentPort?.postMessage(await outcomeOf(work, task));
  });
}

async function outcomeOf<Task>(work: (task: Task) => Promise<unknown>, task: Task): Promise<TaskOutcome> {
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
