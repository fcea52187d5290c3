// Does what strangers have written in threads that are ended when it takes too much. A thread serves several tasks; one
// that failed is not used again. Docs: decisions/0063, 0125.
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.ts';
import type { Outcome } from './serve.ts';

export interface ThreadLimits {
  /** Tasks that are done together. */
  threads: number;
  /** Tasks that may wait for a thread. */
  waiting: number;
  timeoutMs: number;
  heapMb: number;
  /** Of everything, buffers beside the heap included. */
  memoryMb: number;
}

export interface ThreadPoolPlan {
  /** The file that a thread runs. */
  entry: URL;
  limits: ThreadLimits;
  /** Said when too many wait already. */
  busy: string;
  /** Whether a thread goes on after a refusal. One whose parser has met a damaged file does not. */
  survivesRefusals: boolean;
}

type FaultReason = 'took_too_long' | 'too_much_memory' | 'damaged';

/** A task that was given up. */
export class ThreadFault extends Error {
  readonly reason: FaultReason;

  constructor(reason: FaultReason) {
    super(reason);
    this.name = 'ThreadFault';
    this.reason = reason;
  }
}

export interface ThreadPool<Task> {
  /**
   * Does a task, which is loaded when its turn comes; `transfer` goes over without being copied.
   * @throws DomainError as the thread throws it, service_unavailable when too many wait; ThreadFault
   */
  run(load: () => Promise<{ task: Task; transfer?: ArrayBuffer[] }>): Promise<unknown>;
  close(): Promise<void>;
}

/** What a task may have left behind in a thread ends with it. */
const TASKS_PER_THREAD = 50;
const WATCH_EVERY_MS = 100;
const RETRY_AFTER_SECONDS = 5;
const MEGABYTE = 1_048_576;

interface Thread {
  worker: Worker;
  tasksDone: number;
}

/** Builds the threads' pool. A thread starts with the first task. */
export function createThreadPool<Task>(plan: ThreadPoolPlan): ThreadPool<Task> {
  const { limits, survivesRefusals } = plan;
  const idle = new Set<Thread>();
  const turns = createTurns(plan);
  return {
    run: async (load) => {
      await turns.take();
      try {
        // Only now is the task in memory: what the others need waits where it lies.
        const { task, transfer = [] } = await load();
        const [thread = startThread(plan, idle)] = idle;
        idle.delete(thread);
        const outcome = await doneIn(thread, () => thread.worker.postMessage(task, transfer), limits);
        const goesOn = 'result' in outcome || ('refusal' in outcome && survivesRefusals);
        if (goesOn && ++thread.tasksDone < TASKS_PER_THREAD) idle.add(thread);
        else await thread.worker.terminate();
        return resultOf(outcome);
      } finally {
        turns.giveBack();
      }
    },
    close: async () => {
      await Promise.all([...idle].map(({ worker }) => worker.terminate()));
    },
  };
}

type Ending = Outcome | { gaveUp: FaultReason };

function resultOf(outcome: Ending): unknown {
  if ('result' in outcome) return outcome.result;
  if ('gaveUp' in outcome) throw new ThreadFault(outcome.gaveUp);
  if ('isFault' in outcome) throw new ThreadFault('damaged');
  const { code, message, details } = outcome.refusal;
  throw new DomainError(code, message, details);
}

function startThread({ entry, limits: { heapMb } }: ThreadPoolPlan, idle: Set<Thread>): Thread {
  const worker = new Worker(entry, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    stdout: true,
    stderr: true,
  });
  worker.unref();
  const thread = { worker, tasksDone: 0 };
  // Between two tasks nobody else listens, and a thread that has ended must not be given the next one.
  worker.on('error', () => {}).on('exit', () => idle.delete(thread));
  return thread;
}

async function doneIn({ worker }: Thread, send: () => void, { timeoutMs, memoryMb }: ThreadLimits): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const giveUp = (gaveUp: FaultReason) => resolve({ gaveUp });
  const onError = (error: Error & { code?: string }) =>
    giveUp(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_much_memory' : 'damaged');
  const onExit = () => giveUp('damaged');
  worker.once('message', resolve);
  worker.once('error', onError);
  worker.once('exit', onExit);
  const timer = setTimeout(() => giveUp('took_too_long'), timeoutMs);
  const watch = setInterval(async () => {
    const used = await memoryOf(worker);
    if (used > memoryMb * MEGABYTE) giveUp('too_much_memory');
  }, WATCH_EVERY_MS);
  try {
    send();
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    worker.off('message', resolve).off('error', onError).off('exit', onExit);
  }
}

/** Of the heap and beside it. A limit of the heap alone does not see what is unpacked. */
async function memoryOf(worker: Worker): Promise<number> {
  try {
    const { total_heap_size: heap, external_memory: beside } = await worker.getHeapStatistics();
    return heap + beside;
  } catch {
    return 0;
  }
}

/** Lets so many in together; the others wait in the order in which they came. */
function createTurns({ limits: { threads, waiting }, busy }: ThreadPoolPlan) {
  const queue: (() => void)[] = [];
  let free = threads;
  return {
    /** @throws DomainError service_unavailable when too many wait already */
    take: async (): Promise<void> => {
      if (free > 0) {
        free--;
        return;
      }
      if (queue.length >= waiting) {
        throw new DomainError('service_unavailable', busy, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      await new Promise<void>((resolve) => queue.push(resolve));
    },
    giveBack: (): void => {
      const next = queue.shift();
      if (next) next();
      else free++;
    },
  };
}
