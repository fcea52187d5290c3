// The deadline of the current work: how long the api caller will still wait, or Temporal for an activity attempt. It
// travels with the work and bounds every statement.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Timers cannot run longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Wait {
  /** On the clock of `performance`. */
  endsAtMs: number;
}

const waits = new AsyncLocalStorage<Wait>();

/**
 * Runs work under a deadline that replaces any outer one. Anything still running after the work ends has no deadline.
 */
export async function withinDeadline<T>(waitMs: number, work: () => Promise<T>): Promise<T> {
  const wait = { endsAtMs: performance.now() + waitMs };
  try {
    return await waits.run(wait, work);
  } finally {
    wait.endsAtMs = Number.POSITIVE_INFINITY;
  }
}

/** Runs a part of a call that may take longer than the caller's deadline; that deadline is paused meanwhile. */
export function withDeadlineOfItsOwn<T>(waitMs: number, work: () => Promise<T>): Promise<T> {
  return offTheClock(() => withinDeadline(waitMs, work));
}

/** Milliseconds left: zero or less after the deadline, Infinity without one. */
export function remainingMs(): number {
  return (waits.getStore()?.endsAtMs ?? Number.POSITIVE_INFINITY) - performance.now();
}

/** Waits no longer than the deadline; the work itself continues. @throws an error for which isUnavailable is true */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const cancel = atDeadline(() => late.reject(deadlineOver()));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}

/** Calls back at the deadline unless cancelled; never if there is none. */
export function atDeadline(call: () => void): () => void {
  const leftMs = remainingMs();
  if (leftMs > LONGEST_TIMER_MS) return () => {};
  const timer = setTimeout(call, leftMs);
  return () => clearTimeout(timer);
}

export function deadlineOver(): Error {
  return timedOut('The deadline is over');
}

export function timedOut(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

/** Runs work whose duration is up to the caller, such as receiving a body: the deadline moves by as much. */
export async function offTheClock<T>(work: () => Promise<T>): Promise<T> {
  const wait = waits.getStore();
  const beganAtMs = performance.now();
  try {
    return await work();
  } finally {
    if (wait) wait.endsAtMs += performance.now() - beganAtMs;
  }
}
