// The day on which the tests run. `BINDERY_TEST_DAYS_AHEAD=31 npm test` runs them as if in 31 days: at the end of a
// month, on a 29 February.
import { businessDateAt } from '../../../domain/business-day.ts';
import { addDays, addYears, type BusinessDate, daysBetween } from '../../../domain/dates.ts';

/** From today to the effective date of most risks. */
const TO_EFFECTIVE = 10;

/**
 * How many days ahead an organization of the tests begins. Figures worked out by hand are those of a term of 365 days:
 * while terms have 366, the tests run a year later.
 */
export const DAYS_AHEAD = Number(process.env.BINDERY_TEST_DAYS_AHEAD ?? daysToPlainTerm());

/** The business date of an organization that the tests have just made, or made then. */
export function testToday(nowMs = Date.now()): BusinessDate {
  return businessDateAt(nowMs, DAYS_AHEAD);
}

function daysToPlainTerm(): number {
  const effectiveDate = addDays(businessDateAt(Date.now(), 0), TO_EFFECTIVE);
  return daysBetween(effectiveDate, addYears(effectiveDate, 1)) === 365 ? 0 : 366;
}
