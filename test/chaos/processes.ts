// Processes by id: children, signals, and whether a port is served.
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';

const PROBE_MS = 2_000;

/** A process and its own children. */
export function familyOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...rows.filter(([, parent]) => parent === pid).map(([child]) => child as number)];
}

/** Sends a signal; ignores a process that is already gone. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether anything accepts connections on a port of this machine. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: PROBE_MS });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}

/** Whether an address answers 2xx. */
export async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) })).ok;
  } catch {
    return false;
  }
}
