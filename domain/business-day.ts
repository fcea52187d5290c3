// An organization's days on the clock: the business date of an instant, and the instant at which a business date
// begins. Plain arithmetic, without dates.ts, because every workflow evaluates it again on replay. Contract 3.9.
import type { BusinessDate } from './dates.ts';

/** Its own: a test that runs into midnight shifts the line below in bundled workflows (test/faults/steady-day.ts). */
const DAY_MS = 86_400_000;

/**
 * Returns the business date at an instant (milliseconds since 1970): the UTC date plus the offset in days. Contract
 * 3.9.
 */
export function businessDateAt(epochMs: number, offsetDays: number): BusinessDate {
  const days = Math.floor(epochMs / DAY_MS) + offsetDays;
  return new Date(days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Returns the instant (milliseconds since 1970) at which a business date begins for an organization with that offset.
 */
export function startOfDayMs(date: BusinessDate, offsetDays: number): number {
  return Date.parse(date) - offsetDays * DAY_MS;
}
