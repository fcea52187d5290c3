// Reads files that strangers send, in threads that are ended when a file takes too much. A thread serves several files;
// one that failed is not used again. Docs: decisions/0063.
import { Worker } from 'node:worker_threads';
import { type UnreadableReason, unreadableDocument } from '../../domain/document/content.ts';
import { DomainError } from '../../domain/errors.ts';
import type { DocumentReader } from '../ports.ts';
import type { Contents, ReadingOutcome } from './tasks.ts';

export interface ReadingLimits {
  /** Files that are read together. */
  threads: number;
  /** Files that may wait for a thread. */
  waiting: number;
  timeoutMs: number;
  heapMb: number;
  /** Of everything, buffers beside the heap included. */
  memoryMb: number;
}

const DEFAULT_LIMITS: ReadingLimits = { threads: 2, waiting: 20, timeoutMs: 10_000, heapMb: 256, memoryMb: 512 };
/** What a file may have left behind in a thread ends with it. */
const FILES_PER_THREAD = 50;
const WATCH_EVERY_MS = 100;
const RETRY_AFTER_SECONDS = 5;
const MEGABYTE = 1_048_576;

interface Thread {
  worker: Worker;
  filesRead: number;
}

/** Builds the reader. A thread starts with the first file. */
export function createDocumentReader(changes: Partial<ReadingLimits> = {}): DocumentReader {
  const limits = { ...DEFAULT_LIMITS, ...changes };
  const idle = new Set<Thread>();
  const turns = createTurns(limits);
  const read = async <Format extends keyof Contents>(format: Format, load: () => Promise<Uint8Array>) => {
    await turns.take();
    try {
      // Only now is the file in memory: the others wait on disk.
      const bytes = await load();
      const [thread = startThread(limits, idle)] = idle;
      idle.delete(thread);
      const outcome = await readIn(thread, { format, bytes: Uint8Array.from(bytes) }, limits);
      if ('content' in outcome && ++thread.filesRead < FILES_PER_THREAD) idle.add(thread);
      else await thread.worker.terminate();
      if ('reason' in outcome) throw unreadableDocument(outcome.reason);
      return outcome.content as Contents[Format];
    } finally {
      turns.giveBack();
    }
  };
  return {
    readPdf: (load) => read('pdf', load),
    readMail: (load) => read('mail', load),
    close: async () => {
      await Promise.all([...idle].map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread({ heapMb }: ReadingLimits, idle: Set<Thread>): Thread {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    stdout: true,
    stderr: true,
  });
  worker.unref();
  const thread = { worker, filesRead: 0 };
  // Between two files nobody else listens, and a thread that has ended must not be given the next one.
  worker.on('error', () => {}).on('exit', () => idle.delete(thread));
  return thread;
}

async function readIn(
  { worker }: Thread,
  task: { format: keyof Contents; bytes: Uint8Array<ArrayBuffer> },
  { timeoutMs, memoryMb }: ReadingLimits,
): Promise<ReadingOutcome> {
  const { promise, resolve } = Promise.withResolvers<ReadingOutcome>();
  const giveUp = (reason: UnreadableReason) => resolve({ reason });
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
    worker.postMessage(task, [task.bytes.buffer]);
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
function createTurns({ threads, waiting }: Pick<ReadingLimits, 'threads' | 'waiting'>) {
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
        const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
        throw new DomainError('service_unavailable', 'Too many files are being read.', retry);
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
