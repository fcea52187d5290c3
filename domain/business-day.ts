// The days of an organization on the clock: which business date an instant falls on, and when a business date begins. Plain
// arithmetic, without the calendar of dates.ts: each workflow evaluates this anew. Contract 3.9.
import type { BusinessDate } from './dates.ts';

const DAY_MS = 86_400_000;

/** Gives the business date at an instant (milliseconds since 1970): the UTC date plus the offset in days. Contract 3.9. */
export function businessDateAt(epochMs: number, offsetDays: number): BusinessDate {
  const days = Math.floor(epochMs / DAY_MS) + offsetDays;
  return new Date(days * DAY_MS).toISOString().slice(0, 10);
}

/** Gives the instant (milliseconds since 1970) at which a business date begins for an organization with that offset. */
export function startOfDayMs(date: BusinessDate, offsetDays: number): number {
  return Date.parse(date) - offsetDays * DAY_MS;
}
