// One of our own processes (api, auth, worker): started, watched until it is ready, and restarted if it crashes.
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { giveWay } from '../../providers/threads/processor-share.ts';
import { type Child, launch, reasonOf } from './child.ts';
import { type KeptProgram, keepAlive } from './keep-alive.ts';
import { StartError } from './start-error.ts';

const READY_TIMEOUT_MS = 180_000;
const CRASHES_BEFORE_READY = 4;
const POLL_MS = 50;

export interface ServiceOptions {
  name: string;
  /** Absolute path of the entry file. */
  entry: string;
  args?: readonly string[];
  env: NodeJS.ProcessEnv;
  pidFile: string;
  /** Whether it is ready. */
  isReady: () => Promise<boolean>;
  /** Whether it yields to the others on a busy machine. */
  isPatient?: boolean;
  onLine: (line: string) => void;
  report: (text: string) => void;
  /** Node to run it with; the current one by default. */
  command?: string;
}

export interface Service {
  name: string;
  /** Settles when the service is first ready. */
  ready: Promise<void>;
  /** Restarts it; returns true once it is ready, false if it ended before that. */
  restart(graceMs: number): Promise<boolean>;
  stop(graceMs: number): Promise<void>;
}

/** Starts a service and keeps it running until it is stopped. */
export async function keepRunning(options: ServiceOptions): Promise<Service> {
  const kept = keepAlive({ first: await start(options), again: () => start(options), report: options.report });
  const stopping = new AbortController();
  return {
    name: options.name,
    ready: waitUntilReady(options, kept, stopping.signal),
    async restart(graceMs) {
      const before = kept.child();
      await kept.restart(graceMs);
      return isReadyAgain(options, kept, before, stopping.signal);
    },
    async stop(graceMs) {
      stopping.abort();
      await kept.stop(graceMs);
    },
  };
}

async function start(options: ServiceOptions): Promise<Child> {
  const child = await launch({
    name: options.name,
    command: options.command ?? process.execPath,
    args: [options.entry, ...(options.args ?? [])],
    env: options.env,
    onLine: options.onLine,
  });
  writeFileSync(options.pidFile, `${child.pid}\n`);
  if (options.isPatient) void giveWayOnceReady(options, child);
  return child;
}

/** It starts at full priority, as fast as the others. */
async function giveWayOnceReady({ isReady }: ServiceOptions, { pid, exited }: Child): Promise<void> {
  let hasEnded = false;
  void exited.then(() => {
    hasEnded = true;
  });
  while (!(await isReady()) && !hasEnded) await delay(POLL_MS);
  if (!hasEnded) giveWay(pid);
}

async function waitUntilReady(options: ServiceOptions, kept: KeptProgram, stopping: AbortSignal): Promise<void> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (!stopping.aborted) {
    if (await options.isReady()) return;
    if (Date.now() > giveUpAt || kept.failures() >= CRASHES_BEFORE_READY) throw new StartError(notReady(options, kept));
    await delay(POLL_MS);
  }
}

async function isReadyAgain(
  options: ServiceOptions,
  kept: KeptProgram,
  before: Child,
  stopping: AbortSignal,
): Promise<boolean> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (!stopping.aborted && kept.failures() === 0 && Date.now() < giveUpAt) {
    if (kept.child() !== before && (await options.isReady())) return true;
    await delay(POLL_MS);
  }
  return false;
}

function notReady(options: ServiceOptions, kept: KeptProgram): string {
  const what =
    kept.failures() > 0
      ? `ended ${kept.failures()} times before it was ready`
      : `was not ready after ${READY_TIMEOUT_MS / 1000} s`;
  return `The ${options.name} ${what} (${reasonOf(kept.child())}): see its log; repair the cause and start again.`;
}
