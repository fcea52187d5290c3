// Where a run's servers keep throwaway data: in memory when there is plenty, otherwise on disk. A run that was killed
// leaves its data behind, even in memory; the next run clears it away.
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './running.ts';

const MEMORY_FOLDER = '/dev/shm';
const NEEDED_BYTES = 2 * 1024 ** 3;
/** What the data and the rest of a run need together. */
const NEEDED_MEMORY_BYTES = 6 * 1024 ** 3;
/** The name includes the process that made it. */
const NAME = /^bindery-run-of-(\d+)-/;

/** Makes an empty folder for one server of this process. */
export function newFastFolder(): string {
  for (const parent of [MEMORY_FOLDER, tmpdir()]) removeAbandoned(parent);
  return mkdtempSync(join(hasMemory() ? MEMORY_FOLDER : tmpdir(), `bindery-run-of-${process.pid}-`));
}

function removeAbandoned(parent: string): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const maker = NAME.exec(name)?.[1];
    if (maker !== undefined && !isRunning(Number(maker))) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function hasMemory(): boolean {
  if (!existsSync(MEMORY_FOLDER) || process.availableMemory() < NEEDED_MEMORY_BYTES) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= NEEDED_BYTES;
}
