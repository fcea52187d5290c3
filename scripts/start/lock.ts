// The data folder, and the lock that allows it one supervisor: two would stop each other's parts.
import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runningProcess } from './orphans.ts';
import { StartError } from './start-error.ts';

/** Programs that need a data folder to themselves. */
const MARKS = ['scripts/start.ts', 'scripts/restore.ts'];

/**
 * Creates the data folder if there is none.
 * @throws StartError if it cannot be created or written to
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
 * Creates a folder and its parents one by one: for some paths, such as those in /proc, Node's recursive variant never
 * returns.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), mode);
  mkdirSync(folder, mode);
}

/**
 * Claims a data folder for this process.
 * @returns a function that releases it
 * @throws StartError if another supervisor is using it
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
