// The day on which the tests run. `BINDERY_TEST_DAYS_AHEAD=31 npm test` runs them as if 31 days later: at the end of a
// month, on February 29.
import { businessDateAt } from '../../../domain/business-day.ts';
import { addDays, addYears, type BusinessDate, daysBetween } from '../../../domain/dates.ts';

/** From today to the effective date of most risks. */
const TO_EFFECTIVE = 10;

/**
 * How many days ahead a test organization begins. Figures worked out by hand assume a term of 365 days: while terms
 * have 366, the tests run a year later.
 */
export const DAYS_AHEAD = Number(process.env.BINDERY_TEST_DAYS_AHEAD ?? daysToPlainTerm());

/** The business date of an organization that the tests just created, or created at a given time. */
export function testToday(nowMs = Date.now()): BusinessDate {
  return businessDateAt(nowMs, DAYS_AHEAD);
}

function daysToPlainTerm(): number {
  const effectiveDate = addDays(businessDateAt(Date.now(), 0), TO_EFFECTIVE);
  return daysBetween(effectiveDate, addYears(effectiveDate, 1)) === 365 ? 0 : 366;
}
