// The browsers that a process has started, and how to kill them suddenly.
import { readdirSync, readFileSync } from 'node:fs';

/** The process ids of a process's browsers. */
export function browsersOf(parent = process.pid): number[] {
  const parentOf = (pid: string) => /^PPid:\s+(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return processes()
    .filter((pid) => parentOf(pid) === String(parent) && commandOf(pid).includes('--headless'))
    .map(Number);
}

/** The process ids of those whose command names a program. */
export function processesOf(path: string): number[] {
  return processes()
    .filter((pid) => commandOf(pid).includes(path))
    .map(Number);
}

/** Kills the browsers of a process, so that they cannot finish anything. Returns how many there were. */
export function killBrowsers(parent = process.pid): number {
  const ours = browsersOf(parent);
  for (const pid of ours) process.kill(pid, 'SIGKILL');
  return ours.length;
}

function processes(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function commandOf(pid: string): string {
  return read(`/proc/${pid}/cmdline`);
}

/** Returns nothing for a process that has ended in the meantime. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
