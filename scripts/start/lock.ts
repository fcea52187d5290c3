// The data folder, and one supervisor for it: two would stop each other's parts.
import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runningProcess } from './orphans.ts';
import { StartError } from './start-error.ts';

/** What works on a data folder alone. */
const MARKS = ['scripts/start.ts', 'scripts/restore.ts'];

/**
 * Makes the data folder where there is none.
 * @throws StartError when it cannot be made or written to
 */
export function makeDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      `DATA_DIR is ${dataDir}, which cannot be ${code === 'EACCES' ? 'made or written to' : 'made'} (${message}): set DATA_DIR to a folder of yours, or leave it empty for the usual one.`,
    );
  }
}

/**
 * Makes a folder and those above it, one by one: for some folders, such as those in /proc, Node's recursive variant
 * never ends.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), mode);
  mkdirSync(folder, mode);
}

/**
 * Claims a data folder for this process.
 * @returns a function that releases it
 * @throws StartError when another supervisor runs on it
 */
export function claimDataFolder(runFolder: string): () => void {
  mkdirSync(runFolder, { recursive: true });
  const pidFile = join(runFolder, 'supervisor.pid');
  const holder = MARKS.map((mark) => runningProcess(pidFile, mark)).find((pid) => pid !== null);
  if (holder !== undefined && holder !== process.pid) {
    throw new StartError(
      `Bindery already runs on this data folder as process ${holder}: stop it first (kill ${holder}), or set DATA_DIR and the ports to run a second one.`,
    );
  }
  writeFileSync(pidFile, `${process.pid}\n`);
  return () => rmSync(pidFile, { force: true });
}
