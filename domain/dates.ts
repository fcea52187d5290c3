// Business dates: calendar days as `YYYY-MM-DD` text, without time zone or time. They sort and compare as text. An
// organization's business date is the UTC date plus its offset in days. Contract 1 "Dates", 3.9.
import { Temporal } from 'temporal-polyfill';

/** A real day of the calendar, `YYYY-MM-DD`. */
export type BusinessDate = string;

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

const SHAPE = /^\d{4}-\d{2}-\d{2}$/;

/** The first and the last permitted business date: dates computed from one (a term, a window) stay valid too. */
const EARLIEST_DATE: BusinessDate = '1900-01-01';
const LATEST_DATE: BusinessDate = '2999-12-31';

/** Whether a value is an existing day, written `YYYY-MM-DD`, between 1900 and 2999 (2026-02-30 is not). */
export function isRealDate(value: unknown): value is BusinessDate {
  if (typeof value !== 'string' || !SHAPE.test(value) || value < EARLIEST_DATE || value > LATEST_DATE) return false;
  try {
    return Temporal.PlainDate.from(value).toString() === value;
  } catch {
    return false;
  }
}

/** A day without leap seconds, as dates count. */
export const DAY_MS = 86_400_000;

/** Adds days; negative numbers go back. UTC days all have 24 hours, so they can be counted in milliseconds. */
export function addDays(date: BusinessDate, days: number): BusinessDate {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/**
 * Adds months, clamped to the end of a shorter month: 31 January plus one is 28 (29) February. Count from the anchor,
 * not from the last result, or the original day of the month is lost.
 */
export function addMonths(date: BusinessDate, months: number): BusinessDate {
  return Temporal.PlainDate.from(date).add({ months }).toString();
}

/** Adds years; 29 February becomes 28 February in a common year. */
export function addYears(date: BusinessDate, years: number): BusinessDate {
  return Temporal.PlainDate.from(date).add({ years }).toString();
}

/** A calendar month, `YYYY-MM`; months sort and compare as text. */
export type Month = string;

/** Whether a text is a month, written `YYYY-MM`, between 1900 and 2999. */
export function isMonth(text: string): text is Month {
  return isRealDate(firstDayOf(text));
}

/** Returns the month that contains a day. */
export function monthOf(date: BusinessDate): Month {
  return date.slice(0, 'YYYY-MM'.length);
}

/** Returns the month a number of months after another; negative numbers go back. */
export function monthAfter(month: Month, months = 1): Month {
  return monthOf(addMonths(firstDayOf(month), months));
}

/** Returns the first day of a month. */
export function firstDayOf(month: Month): BusinessDate {
  return `${month}-01`;
}

/** Returns the last day of a month. */
export function lastDayOf(month: Month): BusinessDate {
  return addDays(firstDayOf(monthAfter(month)), -1);
}

/** Counts the days from one date to another, negative if `to` is before `from`. */
export function daysBetween(from: BusinessDate, to: BusinessDate): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** Returns the earliest of the dates. */
export function minDate(first: BusinessDate, ...others: BusinessDate[]): BusinessDate {
  let earliest = first;
  for (const date of others) if (date < earliest) earliest = date;
  return earliest;
}

/** Returns the latest of the dates. */
export function maxDate(first: BusinessDate, ...others: BusinessDate[]): BusinessDate {
  let latest = first;
  for (const date of others) if (date > latest) latest = date;
  return latest;
}

/** Returns the calendar year of a date. */
export function yearOf(date: BusinessDate): number {
  return Number(date.slice(0, 4));
}

/** Formats a date for people: March 11, 2026. */
export function dayText(date: BusinessDate): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${MONTHS[Number(month) - 1] ?? month} ${Number(day)}, ${year}`;
}
