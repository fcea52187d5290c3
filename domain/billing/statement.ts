// The period of a producer's commission statement: a month or a quarter.
import { type BusinessDate, firstDayOf, lastDayOf, type Month, monthAfter } from '../dates.ts';

/** How a period is written: `2026-03` or `2026-Q1`, between 1900 and 2999. */
export const STATEMENT_PERIOD = /^(19\d{2}|2\d{3})-(?:(0[1-9]|1[0-2])|Q([1-4]))$/;

/** Reads a period as its first and last day. @throws TypeError for text that STATEMENT_PERIOD rejects */
export function statementPeriod(text: string): { from: BusinessDate; to: BusinessDate } {
  const [, year, month, quarter] = STATEMENT_PERIOD.exec(text) ?? [];
  if (month !== undefined) return periodFrom(`${year}-${month}`, 1);
  if (quarter === undefined) throw new TypeError(`${text} is neither a month nor a quarter`);
  return periodFrom(`${year}-${String(Number(quarter) * 3 - 2).padStart(2, '0')}`, 3);
}

function periodFrom(first: Month, months: number): { from: BusinessDate; to: BusinessDate } {
  return { from: firstDayOf(first), to: lastDayOf(monthAfter(first, months - 1)) };
}
