// A story's days on the calendar, by hand: terms and installments follow its months, and a leap day moves them.
import type { Day } from './premium.ts';

const DAY_MS = 86_400_000;

/** Months from one day's month to another's. */
export function monthsBetween(begin: string, from: Day, to: Day): number {
  const [one, other] = [dateOf(begin, from), dateOf(begin, to)];
  return (other.getUTCFullYear() - one.getUTCFullYear()) * 12 + other.getUTCMonth() - one.getUTCMonth();
}

/** The same day that many months later, or the last of the month where that is shorter. */
export function monthsLater(begin: string, day: Day, months: number): Day {
  const from = dateOf(begin, day);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return (Date.UTC(year, month, Math.min(from.getUTCDate(), lastOfMonth)) - Date.parse(begin)) / DAY_MS;
}

function dateOf(begin: string, day: Day): Date {
  return new Date(Date.parse(begin) + day * DAY_MS);
}
