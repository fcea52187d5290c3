// Tables in documents: a line of headings, and below it rows with cells in the columns. Pure.

import { plainLabel } from './labelled-values.ts';
import type { TextCell, TextLine } from './text-layout.ts';

/** Column name → possible headings, as `plainLabel` writes them. */
export type Columns<Name extends string> = Readonly<Record<Name, readonly string[]>>;

export type Row<Name extends string> = Partial<Record<Name, string>>;

const HEADINGS_LEAST = 3;
/** This many lines that are not rows end a table. */
const OTHER_LINES_MOST = 6;

/**
 * Finds the rows of tables with at least three of the columns, and the other lines below their headings. `isRow`
 * decides what is a row.
 */
export function rowsOf<Name extends string>(
  lines: readonly TextLine[],
  columns: Columns<Name>,
  isRow: (row: Row<Name>) => boolean,
): { rows: Row<Name>[]; others: Row<Name>[] } {
  const rows: Row<Name>[] = [];
  const notRows: Row<Name>[] = [];
  let headings: { name: Name; cell: TextCell }[] = [];
  let others = 0;
  for (const line of lines) {
    const found = headingsOf(line, columns);
    if (found.length >= HEADINGS_LEAST) {
      [headings, others] = [found, 0];
      continue;
    }
    if (headings.length === 0) continue;
    const row = rowUnder(line, headings);
    if (isRow(row)) {
      rows.push(row);
      continue;
    }
    notRows.push(row);
    if (++others > OTHER_LINES_MOST) headings = [];
  }
  return { rows, others: notRows };
}

function headingsOf<Name extends string>(line: TextLine, columns: Columns<Name>): { name: Name; cell: TextCell }[] {
  const names = Object.keys(columns) as Name[];
  const taken = new Set<Name>();
  return line.flatMap((cell) => {
    const plain = plainLabel(cell.text);
    const name = names.find((each) => !taken.has(each) && columns[each].includes(plain));
    if (name === undefined) return [];
    taken.add(name);
    return [{ name, cell }];
  });
}

/** Each cell belongs to the nearest heading. */
function rowUnder<Name extends string>(line: TextLine, headings: readonly { name: Name; cell: TextCell }[]): Row<Name> {
  const texts = new Map(headings.map(({ name }): [Name, string[]] => [name, []]));
  for (const cell of line) {
    const [nearest] = headings.toSorted((a, b) => distance(cell, a.cell) - distance(cell, b.cell));
    if (nearest) texts.get(nearest.name)?.push(cell.text);
  }
  const filled = [...texts].filter(([, all]) => all.length > 0);
  return Object.fromEntries(filled.map(([name, all]) => [name, all.join(' ')])) as Row<Name>;
}

/** Numbers are often right-aligned, so either edge may line up. */
function distance(cell: TextCell, heading: TextCell): number {
  return Math.min(Math.abs(cell.x - heading.x), Math.abs(cell.right - heading.right));
}
