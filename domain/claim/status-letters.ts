// The letters that say why a claim is still open. Some states require one to the claimant at regular intervals after
// the decision was due, until there is a decision. Domain facts 6.3.
import { type AnnouncedDate, announcedBy, nextAnnouncement } from '../announcements.ts';
import { addDays, type BusinessDate, daysBetween, maxDate } from '../dates.ts';
import { validationError } from '../errors.ts';

/** Days before a claim's due date on which it is announced. */
export const CLAIM_ANNOUNCED_DAYS = [7, 1] as const;

/** The next letter, and the calendar days between letters. */
export interface StatusLetters extends AnnouncedDate {
  everyDays: number;
  /** When the latest one was sent; missing or null before the first. */
  sentOn?: BusinessDate | null;
}

const EVERY_DAYS: Readonly<Record<string, number>> = { AK: 45, AZ: 45, AR: 45, CA: 30 };

/** A claim's letters, the first due after the decision date; null in a state that requires none. */
export function statusLetters(state: string, decisionBy: BusinessDate): StatusLetters | null {
  const everyDays = EVERY_DAYS[state];
  return everyDays === undefined ? null : nextLetter({ dueDate: decisionBy, everyDays });
}

/** The next calendar step: announce a letter, or record that its day has passed without one. */
export function nextLetterStep(letters: StatusLetters): { on: BusinessDate; what: string } {
  const on = nextAnnouncement(letters, CLAIM_ANNOUNCED_DAYS) ?? addDays(letters.dueDate, 1);
  return { on, what: `status letter by ${letters.dueDate}` };
}

/** The result of advancing the letters to a day. */
export interface LetterTurn {
  letters: StatusLetters;
  /** Dates of overdue letters. */
  missed: BusinessDate[];
  /** The next letter, if it is to be announced. */
  announced: { dueDate: BusinessDate; daysLeft: number } | null;
}

/** Advances the letters to a day: once a letter's day has passed, the next one follows. On its day it is still owed. */
export function turnLetters(letters: StatusLetters, today: BusinessDate): LetterTurn {
  const missed: BusinessDate[] = [];
  let next = letters;
  for (; next.dueDate < today; next = nextLetter(next)) missed.push(next.dueDate);
  const on = nextAnnouncement(next, CLAIM_ANNOUNCED_DAYS);
  if (on === null || on > today) return { letters: next, missed, announced: null };
  const daysLeft = daysBetween(today, next.dueDate);
  const announced = { dueDate: next.dueDate, daysLeft };
  return { letters: { ...next, announcedDays: announcedBy(daysLeft, CLAIM_ANNOUNCED_DAYS) }, missed, announced };
}

/**
 * Records that a letter was sent on a day: the next is owed one interval later, and never earlier than before.
 * @throws DomainError validation_failed for `sentOn`, rule max after today, min before `earliest` or the latest letter
 */
export function letterSent(
  letters: StatusLetters,
  sentOn: BusinessDate,
  { earliest, today }: { earliest: BusinessDate; today: BusinessDate },
): StatusLetters {
  const min = maxDate(earliest, letters.sentOn ?? earliest);
  if (sentOn > today) throw validationError('sentOn', 'max', 'sentOn must not be later than today.', { max: today });
  if (sentOn < min) {
    throw validationError('sentOn', 'min', 'sentOn must not be before the notice or the latest letter.', { min });
  }
  const dueDate = maxDate(letters.dueDate, addDays(sentOn, letters.everyDays));
  return { ...letters, sentOn, ...(dueDate === letters.dueDate ? {} : { dueDate, announcedDays: null }) };
}

function nextLetter({ dueDate, everyDays, ...letters }: LettersFrom): StatusLetters {
  const next = { dueDate: addDays(dueDate, everyDays), announcedDays: null, everyDays };
  return letters.sentOn === undefined ? next : { ...next, sentOn: letters.sentOn };
}

type LettersFrom = Pick<StatusLetters, 'dueDate' | 'everyDays' | 'sentOn'>;
