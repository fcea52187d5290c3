// Bordereaux: a managing general agent's monthly reports to a carrier. The days of a month, the due date of its
// report, and the differences between two versions of a report. Domain facts 3.10, 6.2.
import { addDays, type BusinessDate, firstDayOf, lastDayOf, type Month, minDate, monthOf } from '../dates.ts';
import { validationError } from '../errors.ts';

export const BORDEREAU_KINDS = ['premium', 'claims', 'risk'] as const;
export type BordereauKind = (typeof BORDEREAU_KINDS)[number];

/** The subject of a bordereau, the same for all its versions. */
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

/** The differences between two versions as a file: a line for each changed value. */
export const DIFFERENCES_FILE = 'differences';

/** The filing kind of a month's bordereaux. */
const BORDEREAU_DUE = 'bordereau_due';
/** The filing kind of the remittance of a month's premium. */
export const TRUST_REMITTANCE = 'trust_remittance';

/** Day of the following month on which the bordereaux of a month are due. Domain facts 6.2. */
const DUE_DAY = 15;
/** Days after the end of a month for which premium may be held before it is remitted. Domain facts 6.2. */
const REMITTANCE_DAYS = 30;

/**
 * Returns the range of a month's days so far, both ends included.
 * @throws DomainError validation_failed for a month that has not begun
 */
export function reportedDays(month: Month, today: BusinessDate): { first: BusinessDate; last: BusinessDate } {
  const first = firstDayOf(month);
  if (first > today) throw validationError('month', 'max', 'The month has not begun.', { max: monthOf(today) });
  return { first, last: minDate(lastDayOf(month), today) };
}

/** Returns the last timely day for a month's bordereaux. */
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

/** Whether a file name is that of a bordereau, which has its kind, month and version, and no personal data. */
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
