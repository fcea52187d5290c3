// When an approaching due date is announced: a set number of days before it, each once. Contract 3.7
import { addDays, type BusinessDate } from './dates.ts';

export interface AnnouncedDate {
  /** The last timely day. */
  dueDate: BusinessDate;
  /** The smallest number of days before it that has been announced; null before the first. */
  announcedDays: number | null;
}

/** The day of the next announcement, given their days before the due date; null if all have been made. */
export function nextAnnouncement(
  { dueDate, announcedDays }: AnnouncedDate,
  daysBefore: readonly number[],
): BusinessDate | null {
  const left = daysBefore.filter((each) => announcedDays === null || each < announcedDays);
  return left.length === 0 ? null : addDays(dueDate, -Math.max(...left));
}

/** The announcement made with this many days left: if several have come due, only the last. */
export function announcedBy(daysLeft: number, daysBefore: readonly number[]): number {
  return Math.min(...daysBefore.filter((days) => daysLeft <= days));
}
