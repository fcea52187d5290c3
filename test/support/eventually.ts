// Waiting for something to become true: for a condition, with a time limit, never for a fixed length of time.
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

const LOOK_EVERY_MS = 25;

export interface Wait {
  /** What the test waits for, worded to follow "waited 10 s for". */
  what: string;
  withinMs?: number;
  /** For checks that must not run more often, such as a probe. */
  everyMs?: number;
}

/**
 * Calls `look` repeatedly until it returns something other than null, undefined or false, and returns that.
 * @throws Error when that has not happened in time
 */
export async function eventually<T>(
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  { what, withinMs = PATIENCE_MS, everyMs = LOOK_EVERY_MS }: Wait,
): Promise<T> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > giveUpAt) throw new Error(`waited ${withinMs / 1000} s for ${what}`);
    await delay(everyMs);
  }
}
