// Processes input from strangers in threads that are ended if a task takes too much. A thread serves several tasks;
// one that failed is not reused. Docs: decisions/0063, 0125.
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.ts';
import type { Fault, TaskOutcome } from './serve.ts';
import { createTurns } from './turns.ts';

export interface ThreadLimits {
  /** Tasks that run at the same time. */
  threads: number;
  /** Tasks that may wait for a thread. */
  waiting: number;
  timeoutMs: number;
  heapMb: number;
  /** For everything, including buffers outside the heap. */
  memoryMb: number;
}

export interface ThreadPoolPlan<Task> {
  /** The file that a thread runs. */
  entry: URL;
  limits: ThreadLimits;
  /** The message if too many are already waiting. */
  busy: string;
  /** Whether a thread is kept after it refused a task. One whose parser hit a damaged file is not. */
  survivesRefusalOf: (task: Task) => boolean;
  /** Milliseconds that the current caller will still wait. If omitted, callers wait as long as it takes. */
  remainingMs?: () => number;
}

/**
 * A fault that the task itself may have caused; `machine_busy`: it got hardly any processor time; `failed`: our own
 * bug.
 */
export type FaultReason = 'took_too_long' | 'too_much_memory' | 'damaged' | 'machine_busy' | 'failed';

/** A task that was given up. A busy machine can cause that too, so another attempt may succeed. */
export class ThreadFault extends Error {
  readonly reason: FaultReason;

  constructor(reason: FaultReason, fault?: Fault) {
    super(reason);
    this.name = 'ThreadFault';
    this.reason = reason;
    if (fault) this.stack = `ThreadFault: ${fault.name}\n${fault.stack}`;
  }
}

export interface ThreadPool<Task> {
  /**
   * Runs a task, which is loaded when its turn comes; `transfer` is handed over without copying.
   * @throws DomainError as the thread throws it, service_unavailable if too many wait or its caller no longer does;
   * ThreadFault
   */
  run(load: () => Promise<{ task: Task; transfer?: ArrayBuffer[] }>): Promise<unknown>;
  /** Ends every thread. Waiting and running tasks are refused as unavailable. */
  close(): Promise<void>;
}

/** Anything that tasks left behind in a thread goes when it is replaced. */
const TASKS_PER_THREAD = 50;
const WATCH_EVERY_MS = 100;
/** A thread that got less than this share of a processor was starved by other work. */
const STARVED_BELOW = 0.05;
/** A thread that is deep in its work does not report its processor time. */
const USAGE_WITHIN_MS = 500;
const MEGABYTE = 1_048_576;

interface Thread {
  worker: Worker;
  tasksDone: number;
}

/** Builds the thread pool. A thread starts with the first task. */
export function createThreadPool<Task>(plan: ThreadPoolPlan<Task>): ThreadPool<Task> {
  const { limits, busy, survivesRefusalOf, remainingMs = () => Number.POSITIVE_INFINITY } = plan;
  const [all, idle] = [new Set<Thread>(), new Set<Thread>()];
  const turns = createTurns({ ...limits, busy, remainingMs });
  const doneBy = async (thread: Thread, task: Task, transfer: ArrayBuffer[]): Promise<unknown> => {
    let goesOn = false;
    try {
      const outcome = await doneIn(thread, () => thread.worker.postMessage(task, transfer), limits);
      if ('gaveUp' in outcome) turns.ensureOpen();
      goesOn = 'result' in outcome || ('refusal' in outcome && survivesRefusalOf(task));
      return resultOf(outcome);
    } finally {
      // Whatever happened, a thread is either in use, idle or ended.
      if (goesOn && ++thread.tasksDone < TASKS_PER_THREAD && all.has(thread)) idle.add(thread);
      else await thread.worker.terminate();
    }
  };
  return {
    run: async (load) => {
      await turns.take();
      try {
        // The task is only loaded now: waiting tasks take no memory.
        const { task, transfer = [] } = await load();
        turns.ensureOpen();
        const [thread = startThread(plan, all, idle)] = idle;
        idle.delete(thread);
        return await doneBy(thread, task, transfer);
      } finally {
        turns.giveBack();
      }
    },
    close: async () => {
      turns.close();
      await Promise.all([...all].map(({ worker }) => worker.terminate()));
    },
  };
}

type Ending = TaskOutcome | { gaveUp: Exclude<FaultReason, 'failed'> };

function resultOf(outcome: Ending): unknown {
  if ('result' in outcome) return outcome.result;
  if ('gaveUp' in outcome) throw new ThreadFault(outcome.gaveUp);
  if ('fault' in outcome) throw new ThreadFault('failed', outcome.fault);
  const { code, message, details } = outcome.refusal;
  throw new DomainError(code, message, details);
}

function startThread(
  { entry, limits: { heapMb } }: Pick<ThreadPoolPlan<never>, 'entry' | 'limits'>,
  all: Set<Thread>,
  idle: Set<Thread>,
): Thread {
  const worker = new Worker(entry, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    stdout: true,
    stderr: true,
  });
  worker.unref();
  const thread = { worker, tasksDone: 0 };
  all.add(thread);
  // Between tasks nothing else listens, and a thread that has ended must not get the next one.
  worker
    .on('error', () => {})
    .on('exit', () => {
      all.delete(thread);
      idle.delete(thread);
    });
  return thread;
}

async function doneIn({ worker }: Thread, send: () => void, { timeoutMs, memoryMb }: ThreadLimits): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const giveUp = (gaveUp: Exclude<FaultReason, 'failed'>) => resolve({ gaveUp });
  const onError = (error: Error & { code?: string }) =>
    giveUp(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_much_memory' : 'damaged');
  const onExit = () => giveUp('damaged');
  worker.once('message', resolve);
  worker.once('messageerror', onExit);
  worker.once('error', onError);
  worker.once('exit', onExit);
  const isStarved = starvation(worker, timeoutMs);
  const timer = setTimeout(async () => giveUp((await isStarved()) ? 'machine_busy' : 'took_too_long'), timeoutMs);
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
    worker.off('message', resolve).off('messageerror', onExit).off('error', onError).off('exit', onExit);
  }
}

/** When a task times out, judges whether its thread was busy throughout but got hardly any processor time. */
function starvation(worker: Worker, timeoutMs: number): () => Promise<boolean> {
  // A thread that is still starting has used none.
  const usedMs = () =>
    worker.cpuUsage().then(
      ({ user, system }) => (user + system) / 1_000,
      () => 0,
    );
  const before = usedMs();
  const began = worker.performance.eventLoopUtilization();
  return async () => {
    const { idle, active } = worker.performance.eventLoopUtilization(began);
    const unknown = delay(USAGE_WITHIN_MS, null, { ref: false });
    const used = await Promise.race([unknown, Promise.all([before, usedMs()])]);
    return used !== null && idle <= active && used[1] - used[0] < timeoutMs * STARVED_BELOW;
  };
}

/** Inside and outside the heap. A heap limit alone does not count unpacked data. */
async function memoryOf(worker: Worker): Promise<number> {
  try {
    const { total_heap_size: heap, external_memory: beside } = await worker.getHeapStatistics();
    return heap + beside;
  } catch {
    return 0;
  }
}
