// How filings fall due: when a due date is announced, and when it has passed. Contract 3.7 "Compliance filings",
// domain facts 6.2.
import { announcedBy, nextAnnouncement } from '../announcements.ts';
import { addDays, type BusinessDate, daysBetween } from '../dates.ts';
import { DomainError } from '../errors.ts';

/** Days before the due date on which a filing is announced. */
const ANNOUNCED_DAYS = [30, 7, 1] as const;

/** The calendar facts of an open filing. */
export interface OpenDeadline {
  dueDate: BusinessDate;
  /** Days before the due date for which its approach has been announced. */
  announcedDays: readonly number[];
  /** The day on which it was recorded as overdue; null before. */
  missedOn: BusinessDate | null;
}

/** The calendar's step for a filing on a day. */
export type DeadlineTurn =
  | { kind: 'announced'; daysLeft: number; announcedDays: number[] }
  | { kind: 'missed'; daysLeft: number };

/** The displayed status: an open filing is overdue from the day after its due date. */
export function filingStatus<S extends string>(
  { status, dueDate }: { status: S; dueDate: BusinessDate },
  today: BusinessDate,
): S | 'overdue' {
  return status === 'open' && dueDate < today ? 'overdue' : status;
}

/** The day of the first step in a new filing's calendar. */
export function firstDeadlineStep({ dueDate }: Pick<OpenDeadline, 'dueDate'>): BusinessDate {
  return addDays(dueDate, -Math.max(...ANNOUNCED_DAYS));
}

/** The day of the calendar's next step; null when none is left. */
export function nextDeadlineStep(deadline: OpenDeadline): BusinessDate | null {
  if (deadline.missedOn !== null) return null;
  const { dueDate, announcedDays } = deadline;
  const announced = announcedDays.length === 0 ? null : Math.min(...announcedDays);
  return nextAnnouncement({ dueDate, announcedDays: announced }, ANNOUNCED_DAYS) ?? addDays(dueDate, 1);
}

/** The calendar of a filing that is due again: an announcement for the same day is not repeated. */
export function reopenedDeadline(
  former: OpenDeadline,
  dueDate: BusinessDate,
): OpenDeadline & { nextStepOn: BusinessDate | null } {
  const kept = former.dueDate === dueDate ? former : { announcedDays: [], missedOn: null };
  const deadline = { dueDate, announcedDays: kept.announcedDays, missedOn: kept.missedOn };
  return { ...deadline, nextStepOn: nextDeadlineStep(deadline) };
}

/**
 * Advances a filing to a day; null if nothing is due. Of several announcements due, only the nearest is made; for an
 * overdue filing, none.
 */
export function turnDeadline(deadline: OpenDeadline, today: BusinessDate): DeadlineTurn | null {
  const next = nextDeadlineStep(deadline);
  if (next === null || next > today) return null;
  const daysLeft = daysBetween(today, deadline.dueDate);
  if (daysLeft < 0) return { kind: 'missed', daysLeft };
  const announcedDays = [...deadline.announcedDays, announcedBy(daysLeft, ANNOUNCED_DAYS)];
  return { kind: 'announced', daysLeft, announcedDays };
}

/** The effect of recording a filing: it becomes filed, or the reference of a filed one is corrected. */
export type FilingRecord = 'filed' | 'corrected';

/**
 * Returns the effect of recording a filing under a reference.
 * @throws DomainError invalid_state_transition for one that is withdrawn, already filed under that reference, or a
 * claim deadline
 */
export function filingRecord(
  filing: { status: string; dueDate: BusinessDate; reference: string | null; claimId: string | null },
  reference: string,
  today: BusinessDate,
): FilingRecord {
  const isOfClaim = filing.claimId !== null;
  if (filing.status === 'open' && !isOfClaim) return 'filed';
  if (filing.status === 'filed' && !isOfClaim && filing.reference !== reference) return 'corrected';
  const from = filingStatus(filing, today);
  const why = isOfClaim
    ? 'This deadline closes when the claim is acknowledged or decided.'
    : `The filing is already ${from}.`;
  throw new DomainError('invalid_state_transition', why, {
    ...{ resource: 'filing', from, action: 'file', allowed: [] },
  });
}
