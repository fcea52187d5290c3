// A bordereau as text: as comma-separated values, and as JSON with one row per line, so that the rows of an earlier
// version can be read one at a time. Neither has a timestamp: the same data yields the same bytes.
import { csvLine } from '../csv.ts';
import type { BordereauSubject } from './bordereau.ts';
import { type Column, type Totals, type WrittenRow, writtenRow } from './bordereau-columns.ts';
import type { RowDifference } from './bordereau-differences.ts';

const ROWS_BEGIN = '"rows":[';
const ROWS_END = ']';

/** The first line of a table. */
export function csvHead(columns: readonly Column[]): string {
  return csvLine(columns.map(({ name }) => name));
}

/** The lines of rows in a table. */
export function csvRows(columns: readonly Column[], rows: readonly WrittenRow[]): string {
  return rows.map((row) => csvLine(columns.map(({ name }) => row[name]))).join('');
}

export const DIFFERENCES_HEAD = csvLine(['change', 'policyNumber', 'reference', 'column', 'before', 'after']);

/** The lines of a difference: one for a row added or removed, one for each changed value. */
export function differenceLines({ change, policyNumber, reference, columns }: RowDifference): string {
  if (columns.length === 0) return csvLine([change, policyNumber, reference, null, null, null]);
  return columns
    .map(({ column, before, after }) => csvLine([change, policyNumber, reference, column, before, after]))
    .join('');
}

/** JSON up to the first row. */
export function jsonHead({ carrier, month, kind }: BordereauSubject): string {
  return `{"carrier":${JSON.stringify(carrier)},"month":"${month}","kind":"${kind}",\n${ROWS_BEGIN}\n`;
}

/** Rows in JSON; each but the first of all follows a comma. */
export function jsonRows(rows: readonly WrittenRow[], isFirst: boolean): string {
  if (rows.length === 0) return '';
  return `${isFirst ? '' : ',\n'}${rows.map((row) => JSON.stringify(row)).join(',\n')}`;
}

/** JSON after the last row. */
export function jsonFoot(columns: readonly Column[], totals: Totals, rowCount: number): string {
  const sums = columns.filter(({ type }) => type === 'sum');
  return `\n${ROWS_END},\n"rowCount":${rowCount},"totals":${JSON.stringify(writtenRow(sums, totals))}}\n`;
}

/** Reads the rows back from such JSON text, which arrives in pieces. */
export async function* rowsOfJson(pieces: AsyncIterable<string>): AsyncGenerator<WrittenRow> {
  let isWithin = false;
  for await (const line of linesOf(pieces)) {
    if (line.startsWith(ROWS_END)) return;
    if (isWithin && line !== '') yield JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line) as WrittenRow;
    if (line === ROWS_BEGIN) isWithin = true;
  }
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let carried = '';
  for await (const piece of pieces) {
    const lines = (carried + piece).split('\n');
    carried = lines.pop() ?? '';
    yield* lines;
  }
}
