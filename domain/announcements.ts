// When the approach of a due date is announced: some days before it, each time once. Contract 3.7
import { addDays, type BusinessDate } from './dates.ts';

export interface AnnouncedDate {
  /** The last timely day. */
  dueDate: BusinessDate;
  /** The smallest number of days for which its approach has been announced; null before. */
  announcedDays: number | null;
}

/** The day of the next announcement, of those so many days before; null when all have been made. */
export function nextAnnouncement(
  { dueDate, announcedDays }: AnnouncedDate,
  daysBefore: readonly number[],
): BusinessDate | null {
  const left = daysBefore.filter((each) => announcedDays === null || each < announcedDays);
  return left.length === 0 ? null : addDays(dueDate, -Math.max(...left));
}

/** What is announced by an announcement with so many days left: of several that have come due only the last is made. */
export function announcedBy(daysLeft: number, daysBefore: readonly number[]): number {
  return Math.min(...daysBefore.filter((days) => daysLeft <= days));
}
