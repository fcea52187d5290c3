// When the approach of a due date is announced: some days before it, each time once. Contract 3.7
import { addDays, type BusinessDate } from '../dates.ts';

/** Days before a due date on which it is announced, as for filings. */
const ANNOUNCED_DAYS = [7, 1] as const;

export interface AnnouncedDate {
  /** The last timely day. */
  dueDate: BusinessDate;
  /** The smallest number of days for which its approach has been announced; null before. */
  announcedDays: number | null;
}

/** The day of the next announcement; null when all have been made. */
export function nextAnnouncement({ dueDate, announcedDays }: AnnouncedDate): BusinessDate | null {
  const days = ANNOUNCED_DAYS.find((each) => announcedDays === null || each < announcedDays);
  return days === undefined ? null : addDays(dueDate, -days);
}

/** What is announced by an announcement with so many days left: of several that have come due only the last is made. */
export function announcedBy(daysLeft: number): number {
  return Math.min(...ANNOUNCED_DAYS.filter((days) => daysLeft <= days));
}
