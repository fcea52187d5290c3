// One supervisor for a data folder: two would stop each other's parts.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runningProcess } from './orphans.ts';
import { StartError } from './start-error.ts';

/** What works on a data folder alone. */
const MARKS = ['scripts/start.ts', 'scripts/restore.ts'];

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
