// Finds the bookings of a statement that no earlier one had. Statements overlap, and the same account comes in several
// formats, each with its own wording. Decisions 0135 and 0175.
import type { BusinessDate } from '../../dates.ts';
import { type Cents, toDollars } from '../../money.ts';
import { comparableWords, hasName } from './references.ts';
import { type ReadLine, type StatementFormat, type StatementLine, unreadable } from './statement.ts';

/** A booking as one statement words it. */
export interface SaidLine extends Pick<StatementLine, 'reference' | 'description' | 'bankId'> {
  format: StatementFormat;
}

/** A booking from earlier statements, as each words it. */
export interface KeptBooking {
  id: string;
  bookedOn: BusinessDate;
  amountCents: Cents;
  said: readonly SaidLine[];
}

/** A booking in the file; `repeatOf` is the stored booking that it repeats, null for a new one. */
export interface ComparedLine {
  line: ReadLine;
  repeatOf: string | null;
}

interface Known {
  kept: readonly KeptBooking[];
  /** Whether the file has every booking of a day. */
  isWhole: (day: BusinessDate) => boolean;
  /** Whether an earlier statement has every booking of it. */
  isKeptWhole: (day: BusinessDate) => boolean;
}

type IsSame = (line: SaidLine, kept: SaidLine) => boolean;

/** Two bookings with an id each are not the same in one format. */
const mayBeSame: IsSame = (line, kept) =>
  line.format !== kept.format || line.bankId === null || kept.bankId === null || line.bankId === kept.bankId;

/** From most to least certain. One format always words the same booking alike; two formats need not. */
const WAYS: readonly IsSame[] = [
  (line, kept) => line.bankId !== null && line.bankId === kept.bankId,
  (line, kept) =>
    line.format === kept.format &&
    mayBeSame(line, kept) &&
    line.reference === kept.reference &&
    line.description === kept.description,
  (line, kept) => line.format !== kept.format && (isNamedIn(line, kept) || isNamedIn(kept, line)),
];

function isNamedIn(one: SaidLine, other: SaidLine): boolean {
  return hasName(comparableWords(`${other.reference} ${other.description}`), comparableWords(one.reference));
}

/**
 * Compares a file's bookings with the stored ones: each stored booking matches one in the file. If either side has
 * every booking of a day, the count alone settles which are the same, whatever the wording.
 * @throws DomainError validation_failed on `file` for a booking missing from a day that should be complete, or one
 * that may repeat a booking in another format
 */
export function comparedLines(lines: readonly ReadLine[], format: StatementFormat, known: Known): ComparedLine[] {
  const keptBySum = Map.groupBy(known.kept, sumOf);
  const found = new Map<ReadLine, string>();
  for (const [sum, same] of Map.groupBy(lines, sumOf)) {
    const left = new Set(keptBySum.get(sum));
    const day = same[0]?.bookedOn ?? '';
    const isWhole = known.isWhole(day) || known.isKeptWhole(day);
    for (const isSame of isWhole ? [...WAYS, mayBeSame] : WAYS) {
      for (const line of same) {
        if (found.has(line)) continue;
        const kept = left.values().find(({ said }) => said.some((each) => isSame({ ...line, format }, each)));
        if (kept !== undefined && left.delete(kept)) found.set(line, kept.id);
      }
    }
    const fresh = same.find((line) => !found.has(line));
    if (fresh === undefined) continue;
    ensureNotMissed(fresh, known);
    ensureNotHidden(fresh, format, [...left]);
  }
  return lines.map((line) => ({ line, repeatOf: found.get(line) ?? null }));
}

function sumOf({ bookedOn, amountCents }: Pick<StatementLine, 'bookedOn' | 'amountCents'>): string {
  return `${bookedOn} ${amountCents}`;
}

/** @throws DomainError validation_failed on `file` */
function ensureNotMissed({ place, bookedOn, amountCents }: ReadLine, { isKeptWhole }: Known): void {
  if (!isKeptWhole(bookedOn)) return;
  const message = `${place}: an earlier statement covers all of ${bookedOn} and has no such booking of ${toDollars(amountCents)}.`;
  throw unreadable(`${message} Withdraw the one that is wrong.`);
}

/** @throws DomainError validation_failed on `file` */
function ensureNotHidden(
  { place, bookedOn, amountCents }: ReadLine,
  format: StatementFormat,
  left: readonly KeptBooking[],
): void {
  const hasOtherFormat = left.some(({ said }) => said.every((each) => each.format !== format));
  if (!hasOtherFormat) return;
  const message = `${place}: the booking of ${toDollars(amountCents)} on ${bookedOn} may already be on an earlier statement`;
  throw unreadable(`${message} in another format. Upload whole days once they are over, and give from and to.`);
}
