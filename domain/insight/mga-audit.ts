// The audit of a managing general agent's business by each carrier whose authority it has, due once every half-year.
// Domain facts 6.2, decision 0321.
import { type BusinessDate, yearOf } from '../dates.ts';

export const MGA_AUDIT = 'mga_audit';

/** The half-year containing a day, as `2026-H1`, and the last timely day for its audit. */
export function auditOfHalfYear(day: BusinessDate): { period: string; dueDate: BusinessDate } {
  const year = yearOf(day);
  return day < `${year}-07-01`
    ? { period: `${year}-H1`, dueDate: `${year}-06-30` }
    : { period: `${year}-H2`, dueDate: `${year}-12-31` };
}
