// Which bookings of a statement no earlier one had. Statements overlap, and the same account comes in more than one
// format, each with words of its own. Decision 0135.
import type { StatementFormat, StatementLine } from './statement.ts';

/** A booking that an earlier statement had. */
export interface KeptLine extends StatementLine {
  format: StatementFormat;
}

/** Whether two bookings of the same day and amount are the same. */
type IsSame = (line: KeptLine, kept: KeptLine) => boolean;

/** From the surest to the least sure. A format says the same of the same booking; two formats need not. */
const WAYS: readonly IsSame[] = [
  (line, kept) => line.bankId !== null && line.bankId === kept.bankId,
  (line, kept) =>
    line.format === kept.format &&
    (line.bankId === null || kept.bankId === null) &&
    line.reference === kept.reference &&
    line.description === kept.description,
  (line, kept) => line.format !== kept.format,
];

/** Leaves out what is kept already: each kept booking stands for one of the file. */
export function newLines(
  lines: readonly StatementLine[],
  format: StatementFormat,
  kept: readonly KeptLine[],
): StatementLine[] {
  const sumOf = ({ bookedOn, amountCents }: StatementLine) => `${bookedOn} ${amountCents}`;
  const keptBySum = Map.groupBy(kept, sumOf);
  const known = new Set<StatementLine>();
  for (const [sum, same] of Map.groupBy(lines, sumOf)) {
    const left = new Set(keptBySum.get(sum));
    for (const isSame of WAYS) {
      for (const line of same) {
        if (known.has(line)) continue;
        const found = left.values().find((each) => isSame({ ...line, format }, each));
        if (found !== undefined && left.delete(found)) known.add(line);
      }
    }
  }
  return lines.filter((line) => !known.has(line));
}
