// Bordereaux: what a managing general agent reports to a carrier each month. Which days a month has, when its report is
// due, and how two versions of a report differ. Domain facts 3.10, 6.2.
import { addDays, type BusinessDate, firstDayOf, lastDayOf, type Month, minDate, monthOf } from '../dates.ts';
import { validationError } from '../errors.ts';

export const BORDEREAU_KINDS = ['premium', 'claims', 'risk'] as const;
export type BordereauKind = (typeof BORDEREAU_KINDS)[number];

/** What a bordereau is about; its versions have it in common. */
export interface BordereauSubject {
  /** As the authority contracts name it. */
  carrier: string;
  month: Month;
  kind: BordereauKind;
}

/** The forms that a bordereau is written in, with their content types. */
export const BORDEREAU_FORMATS = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export type BordereauFormat = keyof typeof BORDEREAU_FORMATS;

/** What two versions differ in, as a file: a line for each changed value. */
export const DIFFERENCES_FILE = 'differences';

/** The kind of the filing that a month's bordereaux are. */
const BORDEREAU_DUE = 'bordereau_due';
/** The kind of the filing that the remittance of a month's premium is. */
export const TRUST_REMITTANCE = 'trust_remittance';

/** Day of the following month on which the bordereaux of a month are due. Domain facts 6.2. */
const DUE_DAY = 15;
/** Days after the end of a month for which premium may be held before it is remitted. Domain facts 6.2. */
const REMITTANCE_DAYS = 30;

/**
 * Gives the days of a month that are known, both included.
 * @throws DomainError validation_failed for a month that has not begun
 */
export function reportedDays(month: Month, today: BusinessDate): { first: BusinessDate; last: BusinessDate } {
  const first = firstDayOf(month);
  if (first > today) throw validationError('month', 'max', 'The month has not begun.', { max: monthOf(today) });
  return { first, last: minDate(lastDayOf(month), today) };
}

/** Gives the last timely day for the bordereaux of a month. */
export function bordereauDueDate(month: Month): BusinessDate {
  return addDays(lastDayOf(month), DUE_DAY);
}

/** The reports and remittances due to a carrier for a month. */
export function carrierDeadlines(month: Month): { kind: string; dueDate: BusinessDate }[] {
  return [
    { kind: BORDEREAU_DUE, dueDate: bordereauDueDate(month) },
    { kind: TRUST_REMITTANCE, dueDate: addDays(lastDayOf(month), REMITTANCE_DAYS) },
  ];
}

const FILE_NAME = new RegExp(
  String.raw`^(?:${BORDEREAU_KINDS.join('|')})-\d{4}-\d{2}-v\d+(?:-differences)?\.[a-z]{3,4}$`,
);

/** Whether a file has a name of a bordereau, which says its kind, month and version, and nothing of a person. */
export function isBordereauFileName(fileName: string): boolean {
  return FILE_NAME.test(fileName);
}

/** Names a file after what it reports: `premium-2026-03-v2.csv`. */
export function bordereauFileName(
  { kind, month, version }: { kind: BordereauKind; month: Month; version: number },
  format: BordereauFormat | typeof DIFFERENCES_FILE,
): string {
  const name = `${kind}-${month}-v${version}`;
  return format === DIFFERENCES_FILE ? `${name}-differences.csv` : `${name}.${format}`;
}
