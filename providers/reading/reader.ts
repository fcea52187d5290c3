// Reads files from strangers in threads that are ended if a file takes too much. Docs: decisions/0063.
import { unreadableDocument } from '../../domain/document/content.ts';
import type { DocumentReader } from '../ports.ts';
import { busyMachine } from '../threads/busy-machine.ts';
import { createThreadPool, ThreadFault, type ThreadLimits } from '../threads/pool.ts';
import type { Contents, ReadingTask } from './tasks.ts';

/** The pods have room for the memory these threads may take (deploy/kubernetes). */
export const READING_LIMITS: ThreadLimits = { threads: 2, waiting: 20, timeoutMs: 10_000, heapMb: 256, memoryMb: 512 };

/** Builds the reader. A thread starts with the first file. */
export function createDocumentReader(changes: Partial<ThreadLimits> = {}): DocumentReader {
  const pool = createThreadPool<ReadingTask>({
    entry: new URL('./thread.ts', import.meta.url),
    limits: { ...READING_LIMITS, ...changes },
    busy: 'Too many files are being read.',
    survivesRefusalOf: () => false,
  });
  const read = async <Format extends keyof Contents>(format: Format, load: () => Promise<Uint8Array>) => {
    const loaded = async () => {
      const bytes = Uint8Array.from(await load());
      return { task: { format, bytes }, transfer: [bytes.buffer] };
    };
    const content = await pool.run(loaded).catch((error: unknown) => {
      if (!(error instanceof ThreadFault) || error.reason === 'failed') throw error;
      if (error.reason !== 'machine_busy') throw unreadableDocument(error.reason);
      throw busyMachine('The file could not be read in time. Try again shortly.');
    });
    return content as Contents[Format];
  };
  return {
    readPdf: (load) => read('pdf', load),
    readMail: (load) => read('mail', load),
    close: () => pool.close(),
  };
}
