// The day on which the tests run. `BINDERY_TEST_DAYS_AHEAD=31 npm test` runs them as if in 31 days: at the end of a
// month, on a 29 February.
import { businessDateAt } from '../../domain/business-day.ts';
import type { BusinessDate } from '../../domain/dates.ts';

/** How many days ahead an organization of the tests begins. */
export const DAYS_AHEAD = Number(process.env.BINDERY_TEST_DAYS_AHEAD ?? 0);

/** The business date of an organization that the tests have just made, or made then. */
export function testToday(nowMs = Date.now()): BusinessDate {
  return businessDateAt(nowMs, DAYS_AHEAD);
}
