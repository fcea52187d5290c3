// One of our own processes (api, auth, worker): started, watched until it is ready, started again when it crashes.
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, type Exit, launch, reasonOf } from './child.ts';
import { StartError } from './start-error.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran this long before it ended starts the pauses over. */
const STABLE_MS = 60_000;
const READY_TIMEOUT_MS = 180_000;
const CRASHES_BEFORE_READY = 4;
const POLL_MS = 50;

export interface ServiceOptions {
  name: string;
  /** Absolute path of the entry file. */
  entry: string;
  env: NodeJS.ProcessEnv;
  pidFile: string;
  /** Whether it is ready. */
  isReady: () => Promise<boolean>;
  onLine: (line: string) => void;
  report: (text: string) => void;
  /** Node to run it with; the current one by default. */
  command?: string;
}

export interface Service {
  name: string;
  /** Settles when the service is ready for the first time. */
  ready: Promise<void>;
  stop(graceMs: number): Promise<void>;
}

/** Pause before the n-th restart in a row, doubling from half a second to thirty. */
export function restartPauseMs(restarts: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** restarts, LONGEST_PAUSE_MS);
}

/** Starts a service and keeps it running until it is stopped. */
export async function keepRunning(options: ServiceOptions): Promise<Service> {
  const stopping = new AbortController();
  const state: State = { child: await start(options), crashes: 0 };
  const supervised = restartOnCrash(options, state, stopping.signal);
  return {
    name: options.name,
    ready: waitUntilReady(options, state, stopping.signal),
    async stop(graceMs) {
      stopping.abort();
      await state.child.stop(graceMs);
      await supervised;
    },
  };
}

interface State {
  child: Child;
  /** How often it ended in a row without having run for a while. */
  crashes: number;
}

async function start(options: ServiceOptions): Promise<Child> {
  const child = await launch({
    name: options.name,
    command: options.command ?? process.execPath,
    args: [options.entry],
    env: options.env,
    onLine: options.onLine,
  });
  writeFileSync(options.pidFile, `${child.pid}\n`);
  return child;
}

async function restartOnCrash(options: ServiceOptions, state: State, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const startedAt = Date.now();
    const exit = await state.child.exited;
    if (stopping.aborted) return;
    if (Date.now() - startedAt > STABLE_MS) state.crashes = 0;
    const pauseMs = restartPauseMs(state.crashes);
    state.crashes += 1;
    options.report(`ended ${describeExit(exit)}, starts again in ${pauseMs / 1000} s`);
    await delay(pauseMs, undefined, { signal: stopping }).catch(() => {});
    if (!stopping.aborted) state.child = await start(options);
  }
  await state.child.stop(0);
}

function describeExit({ code, signal }: Exit): string {
  return signal ? `by ${signal}` : `with code ${code}`;
}

async function waitUntilReady(options: ServiceOptions, state: State, stopping: AbortSignal): Promise<void> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (!stopping.aborted) {
    if (await options.isReady()) return;
    if (Date.now() > giveUpAt || state.crashes >= CRASHES_BEFORE_READY) throw new StartError(notReady(options, state));
    await delay(POLL_MS);
  }
}

function notReady(options: ServiceOptions, { child, crashes }: State): string {
  const what =
    crashes > 0 ? `ended ${crashes} times before it was ready` : `was not ready after ${READY_TIMEOUT_MS / 1000} s`;
  return `The ${options.name} ${what} (${reasonOf(child)}): see its log; repair the cause and start again.`;
}
