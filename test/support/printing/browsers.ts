// The browsers that a process has started, and their sudden end.
import { readdirSync, readFileSync } from 'node:fs';

/** The process ids of the browsers of a process. */
export function browsersOf(parent = process.pid): number[] {
  const ours = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isBrowserOf(parent, name));
  return ours.map(Number);
}

/** Kills the browsers of a process: they can finish nothing. Gives how many there were. */
export function killBrowsers(parent = process.pid): number {
  const ours = browsersOf(parent);
  for (const pid of ours) process.kill(pid, 'SIGKILL');
  return ours.length;
}

function isBrowserOf(parent: number, pid: string): boolean {
  try {
    const own = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return own === String(parent) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--headless');
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
