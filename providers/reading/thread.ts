// The thread in which files are parsed, one after the other. It has no database, no network and no secrets, and its
// process ends it when a file takes too much time or memory.
import { parentPort } from 'node:worker_threads';
import { readMail } from './mail-content.ts';
import { readPdf } from './pdf-content.ts';
import type { ReadingOutcome, ReadingTask } from './tasks.ts';
import { Unreadable } from './unreadable.ts';

// The parser leaves promises behind that are refused later, when the thread may read the next file: that file is not to
// be judged by them.
process.on('unhandledRejection', () => {});

parentPort?.on('message', async (task: ReadingTask) => {
  parentPort?.postMessage(await outcomeOf(task));
});

async function outcomeOf({ format, bytes }: ReadingTask): Promise<ReadingOutcome> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return { content: format === 'pdf' ? await readPdf(file) : await readMail(file) };
  } catch (error) {
    return { reason: error instanceof Unreadable ? error.reason : 'damaged' };
  }
}
