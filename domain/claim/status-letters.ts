// The letters that say why a claim is still open. In some states the claimant is owed one at regular intervals after
// the day on which the decision was due, until there is a decision. Domain facts 6.3.
import { addDays, type BusinessDate, daysBetween } from '../dates.ts';
import { type AnnouncedDate, announcedBy, nextAnnouncement } from './announcements.ts';

/** The next letter, and how many calendar days lie between two. */
export interface StatusLetters extends AnnouncedDate {
  everyDays: number;
}

const EVERY_DAYS: Readonly<Record<string, number>> = { AK: 45, AZ: 45, AR: 45, CA: 30 };

/** The letters of a claim, of which the first follows the day of the decision; null in a state that knows none. */
export function statusLetters(state: string, decisionBy: BusinessDate): StatusLetters | null {
  const everyDays = EVERY_DAYS[state];
  return everyDays === undefined ? null : nextLetter({ dueDate: decisionBy, everyDays });
}

/** What the calendar does next: announce a letter, or note that it is due. */
export function nextLetterStep(letters: StatusLetters): { on: BusinessDate; what: string } {
  const on = nextAnnouncement(letters) ?? letters.dueDate;
  return { on, what: `status letter by ${letters.dueDate}` };
}

/** What has come of the letters by a day. */
export interface LetterTurn {
  letters: StatusLetters;
  /** Letters that have fallen due, by their dates. */
  due: BusinessDate[];
  /** The next letter, where it is to be announced. */
  announced: { dueDate: BusinessDate; daysLeft: number } | null;
}

/** Turns the letters to a day: each that has fallen due is followed by the next. */
export function turnLetters(letters: StatusLetters, today: BusinessDate): LetterTurn {
  const due: BusinessDate[] = [];
  let next = letters;
  for (; next.dueDate <= today; next = nextLetter(next)) due.push(next.dueDate);
  const on = nextAnnouncement(next);
  if (on === null || on > today) return { letters: next, due, announced: null };
  const daysLeft = daysBetween(today, next.dueDate);
  const announced = { dueDate: next.dueDate, daysLeft };
  return { letters: { ...next, announcedDays: announcedBy(daysLeft) }, due, announced };
}

function nextLetter({ dueDate, everyDays }: Pick<StatusLetters, 'dueDate' | 'everyDays'>): StatusLetters {
  return { dueDate: addDays(dueDate, everyDays), announcedDays: null, everyDays };
}
