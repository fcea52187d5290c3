// A program that the supervisor runs: its output, its exit, an orderly stop, and a watcher that ends it if the
// supervisor is killed. Children are detached, so that only the supervisor gets Ctrl-C and decides the order.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { systemEnvironment } from './environment.ts';

const KEPT_LINES = 60;
const ORPHAN_GRACE_SECONDS = 4;
const REASON = /^\w*(Error|Exception)\b|\b(FATAL|PANIC|error):/;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  name: string;
  pid: number;
  /** The last lines it wrote, oldest first. */
  lastLines: readonly string[];
  /** Settles when the program has ended, for whatever reason. */
  exited: Promise<Exit>;
  /** Sends the stop signal, kills after `graceMs`, and waits for the end. */
  stop(graceMs: number): Promise<Exit>;
}

export interface LaunchOptions {
  name: string;
  command: string;
  args: readonly string[];
  /** Default: what the system needs. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  user?: { uid: number; gid: number };
  stopSignal?: NodeJS.Signals;
  /** How long it may take to end if this process is killed. */
  orphanGraceSeconds?: number;
  onLine?: (line: string) => void;
}

/**
 * Starts a program.
 * @throws `spawn`'s Error if it cannot be executed
 */
export async function launch(options: LaunchOptions): Promise<Child> {
  const stopSignal = options.stopSignal ?? 'SIGTERM';
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env ?? systemEnvironment(process.env),
    uid: options.user?.uid,
    gid: options.user?.gid,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<Exit>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  await new Promise((resolve, reject) => child.once('spawn', () => resolve(undefined)).once('error', reject));
  const pid = child.pid as number;
  const lastLines = collectLines(child, options.onLine);
  const watcher = watch(pid, stopSignal, options.orphanGraceSeconds ?? ORPHAN_GRACE_SECONDS);
  void exited.then(() => watcher.kill('SIGKILL'));
  return { name: options.name, pid, lastLines, exited, stop: (graceMs) => stop(child, exited, stopSignal, graceMs) };
}

/** The latest line that best explains why a program failed. */
export function reasonOf({ lastLines }: Child): string {
  const line = lastLines.find((candidate) => REASON.test(candidate)) ?? lastLines.at(-1) ?? 'it wrote nothing';
  return line.trim();
}

function collectLines(child: ChildProcess, onLine: LaunchOptions['onLine']): string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
      onLine?.(line);
    });
  }
  return lines;
}

async function stop(
  child: ChildProcess,
  exited: Promise<Exit>,
  signal: NodeJS.Signals,
  graceMs: number,
): Promise<Exit> {
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  const exit = await exited;
  clearTimeout(timer);
  return exit;
}

/**
 * A shell that waits on a pipe from this process: if the pipe breaks, this process is gone and the child must go too.
 */
function watch(pid: number, signal: NodeJS.Signals, graceSeconds: number): ChildProcess {
  const script = `read -r _; kill -${signal.slice(3)} ${pid}; sleep ${graceSeconds}; kill -KILL ${pid}`;
  const watcher = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    env: systemEnvironment(process.env),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => {});
  watcher.unref();
  if (watcher.stdin && 'unref' in watcher.stdin) (watcher.stdin as import('node:net').Socket).unref();
  return watcher;
}
