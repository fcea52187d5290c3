// The deadline of the work under way: how long the caller of the api still waits, or Temporal for an attempt of an
// activity. It travels with the work, so that every statement is bound by the rest of it.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Timers cannot run longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Wait {
  /** On the clock of `performance`. */
  endsAtMs: number;
}

const waits = new AsyncLocalStorage<Wait>();

/**
 * Runs work under a deadline; an outer deadline does not count meanwhile. What goes on after the work has ended has no
 * deadline.
 */
export async function withinDeadline<T>(waitMs: number, work: () => Promise<T>): Promise<T> {
  const wait = { endsAtMs: performance.now() + waitMs };
  try {
    return await waits.run(wait, work);
  } finally {
    wait.endsAtMs = Number.POSITIVE_INFINITY;
  }
}

/** Runs a part of a call that may take longer than its caller's deadline; that deadline stands still meanwhile. */
export function withDeadlineOfItsOwn<T>(waitMs: number, work: () => Promise<T>): Promise<T> {
  return offTheClock(() => withinDeadline(waitMs, work));
}

/** Milliseconds that are left, not above zero when the deadline is over; Infinity where nobody waits. */
export function remainingMs(): number {
  return (waits.getStore()?.endsAtMs ?? Number.POSITIVE_INFINITY) - performance.now();
}

/** Waits no longer than the deadline; the work itself goes on. @throws an error for which isUnavailable is true */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const cancel = atDeadline(() => late.reject(deadlineOver()));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}

/** Calls when the deadline is over, unless it is cancelled; never where nobody waits. */
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

/** Runs what takes as long as the caller chooses, such as receiving a body: the deadline moves by as much. */
export async function offTheClock<T>(work: () => Promise<T>): Promise<T> {
  const wait = waits.getStore();
  const beganAtMs = performance.now();
  try {
    return await work();
  } finally {
    if (wait) wait.endsAtMs += performance.now() - beganAtMs;
  }
}
