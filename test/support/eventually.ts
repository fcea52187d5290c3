// Waiting for something to become true: a condition with a bound, never a length of time.
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

const LOOK_EVERY_MS = 25;

export interface Wait {
  /** What is waited for, as it reads after "waited 10 s for". */
  what: string;
  withinMs?: number;
  /** For what may not be asked more often, as a probe. */
  everyMs?: number;
}

/**
 * Calls `look` repeatedly until it answers something other than null, undefined or false, and answers that.
 * @throws Error when that has not come about in time
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
