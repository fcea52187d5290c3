// Programs that a killed supervisor left behind. A file holds their process id, which only counts if that process has
// a matching command line, since process ids are reused.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const GRACE_MS = 10_000;
const POLL_MS = 50;

/** The process whose id is on the first line of a file, if it runs with `mark` in its command line; else null. */
export function runningProcess(pidFile: string, mark: string): number | null {
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0;
  return Number.isSafeInteger(pid) && pid > 1 && commandLine(pid).includes(mark) ? pid : null;
}

/** Ends the process named in a file, gently first, and removes the file. Does nothing if there is none. */
export async function stopOrphan(pidFile: string, mark: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const pid = runningProcess(pidFile, mark);
  if (pid !== null) {
    send(pid, signal);
    const killAt = Date.now() + GRACE_MS;
    while (commandLine(pid).includes(mark)) {
      if (Date.now() > killAt) send(pid, 'SIGKILL');
      await delay(POLL_MS);
    }
  }
  rmSync(pidFile, { force: true });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A process's command line, or an empty string if there is no such process. */
function commandLine(pid: number): string {
  if (!existsSync('/proc/self/cmdline')) {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
