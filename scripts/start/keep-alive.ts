// Keeps a program running: if it ends, it is restarted after a pause, which grows while it keeps ending.
import { setTimeout as delay } from 'node:timers/promises';
import type { Child, Exit } from './child.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A program that ran this long before ending starts over with the shortest pause. */
const STABLE_MS = 60_000;

export interface KeepOptions {
  /** The program, started for the first time. */
  first: Child;
  /** Starts it again. A slow start ends early if `stopping` is aborted; a failed one is retried. */
  again: (stopping: AbortSignal) => Promise<Child>;
  /** Writes a line to the terminal. */
  report: (text: string) => void;
}

/** A program that is kept running until `stop`. */
export interface KeptProgram {
  /** The current or last process. */
  child(): Child;
  /** False from when it ends until it has restarted. */
  isRunning(): boolean;
  /** How many times it ended, or failed to restart, since it last ran for a minute. */
  failures(): number;
  /** Stops it and restarts it without a pause; if it is pausing after it ended, it restarts immediately. */
  restart(graceMs: number): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

/** Pause before the n-th restart in a row, doubling from half a second to thirty. */
export function restartPauseMs(restarts: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** restarts, LONGEST_PAUSE_MS);
}

/** Watches a program and restarts it whenever it ends. */
export function keepAlive(options: KeepOptions): KeptProgram {
  const stopping = new AbortController();
  const state: State = {
    ...{ child: options.first, isRunning: true, startedAt: Date.now() },
    ...{ failures: 0, restart: new AbortController() },
  };
  const watched = restartWheneverItEnds(options, state, stopping.signal);
  return {
    child: () => state.child,
    isRunning: () => state.isRunning,
    failures: () => state.failures,
    restart: async (graceMs) => {
      state.failures = 0;
      state.restart.abort();
      await state.child.stop(graceMs);
    },
    stop: async (graceMs) => {
      stopping.abort();
      await state.child.stop(graceMs);
      await watched;
      // A start in progress may have finished meanwhile.
      await state.child.stop(graceMs);
    },
  };
}

interface State {
  child: Child;
  isRunning: boolean;
  startedAt: number;
  failures: number;
  /** Aborted from the request for a restart until it is in progress. */
  restart: AbortController;
}

async function restartWheneverItEnds(options: KeepOptions, state: State, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const exit = await state.child.exited;
    state.isRunning = false;
    if (Date.now() - state.startedAt > STABLE_MS) state.failures = 0;
    let reason = `ended ${describeExit(exit)}`;
    while (!state.isRunning && !stopping.aborted) {
      await pause(options, state, reason, stopping);
      if (stopping.aborted) return;
      if (state.restart.signal.aborted) state.restart = new AbortController();
      try {
        state.child = await options.again(stopping);
        state.startedAt = Date.now();
        state.isRunning = true;
        // A restart requested meanwhile is for changes made since this start began.
        if (state.restart.signal.aborted) void state.child.stop(0);
      } catch (error) {
        reason = `did not start again (${(error as Error).message})`;
      }
    }
  }
}

async function pause({ report }: KeepOptions, state: State, reason: string, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted || state.restart.signal.aborted) return;
  const pauseMs = restartPauseMs(state.failures);
  state.failures += 1;
  report(`${reason}, starts again in ${pauseMs / 1000} s`);
  const signal = AbortSignal.any([stopping, state.restart.signal]);
  await delay(pauseMs, undefined, { signal }).catch(() => {});
}

function describeExit({ code, signal }: Exit): string {
  return signal ? `by ${signal}` : `with code ${code}`;
}
