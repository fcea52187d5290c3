// Values on a printed page, found by the labels before, beside or above them. Pure.
import type { TextCell, TextLine } from './text-layout.ts';

/** Confidence in a value by its place: right of its label, or below it. */
export const [BESIDE, BELOW] = [0.85, 0.8];
const AFTER_COLON = 0.9;
/** How far away a value may be, in points. */
const [MOST_BESIDE, MOST_BELOW, COLUMN_SLACK, MARK_BESIDE] = [220, 30, 24, 40];

/** No label is longer than this, and no cell has more labels. */
const [LABEL_MAX_WORDS, PARTS_MAX] = [12, 20];
/** A real page has fewer lines; more of them below a label are meant to slow the reader down. */
const LINES_UNDER_MAX = 60;

const AMOUNT = /^\(?[-−]?\$\s?\d[\d,]*(\.\d{2})?\)?$/;

/** How labels and cells are compared: letters and digits only. */
export const plainLabel = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** The labels for a kind of page. */
export interface Labels<Meaning> {
  /** What a text means if all of it is a label. */
  meaningOf: (text: string) => Meaning | null;
  /** Whether a cell is printed on the form rather than filled in. */
  isLabel: (text: string) => boolean;
}

/** Where a value is. */
interface Place {
  value: string;
  confidence: number;
}

/** Makes the labels of a page from a list: meaning → its labels, as `plainLabel` writes them. */
export function labelsOf<Meaning extends string>(lists: Readonly<Record<Meaning, readonly string[]>>): Labels<Meaning> {
  const meanings = new Map(
    (Object.entries(lists) as [Meaning, readonly string[]][]).flatMap(([meaning, all]) =>
      all.map((label): [string, Meaning] => [label, meaning]),
    ),
  );
  const meaningOf = (text: string) => meanings.get(plainLabel(text)) ?? null;
  return { meaningOf, isLabel: (text) => meaningOf(text) !== null || text.trimEnd().endsWith(':') };
}

/** Cells and their surroundings. Each search takes a bounded number of steps. Docs: decisions/0245. */
export class Sheet {
  readonly lines: readonly TextLine[];
  readonly #placeOf: ReadonlyMap<TextCell, { line: number; column: number }>;

  constructor(lines: readonly TextLine[]) {
    this.lines = lines;
    this.#placeOf = new Map(
      lines.flatMap((cells, line) => cells.map((cell, column) => [cell, { line, column }] as const)),
    );
  }

  beside(cell: TextCell): TextCell | null {
    const next = this.#neighbor(cell, 1);
    return next && next.x - cell.right <= MOST_BESIDE ? next : null;
  }

  /** The amount of a row that has nothing else: it is at the other edge of the page. */
  amountOfRow(cell: TextCell): TextCell | null {
    const { line: own = 0, column = 0 } = this.#placeOf.get(cell) ?? {};
    const [, second, ...others] = this.lines[own] ?? [];
    return column === 0 && others.length === 0 && second && AMOUNT.test(second.text) ? second : null;
  }

  before(cell: TextCell): TextCell | null {
    const last = this.#neighbor(cell, -1);
    return last && cell.x - last.right <= MARK_BESIDE ? last : null;
  }

  /** The cells below one, nearest first, up to `most` points away. */
  *under(cell: TextCell, most: number): Iterable<TextCell> {
    const { line: own = 0 } = this.#placeOf.get(cell) ?? {};
    for (const line of this.lines.slice(own + 1, own + 1 + LINES_UNDER_MAX)) {
      const [first] = line;
      if (first?.page !== cell.page || cell.y - first.y > most) return;
      const inColumn = firstFrom(line, cell.x - COLUMN_SLACK);
      if (inColumn && inColumn.x <= cell.x + COLUMN_SLACK) yield inColumn;
    }
  }

  #neighbor(cell: TextCell, step: number): TextCell | undefined {
    const { line = 0, column = 0 } = this.#placeOf.get(cell) ?? {};
    return this.lines[line]?.[column + step];
  }
}

/** The first cell of a left-to-right line that begins at or after a position. */
function firstFrom(line: TextLine, x: number): TextCell | undefined {
  let [from, to] = [0, line.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((line[middle]?.x ?? 0) < x) from = middle + 1;
    else to = middle;
  }
  return line[from];
}

export interface Labelled<Meaning> {
  meaning: Meaning;
  label: string;
  value: string;
  confidence: number;
}

/** The values whose labels are in a cell: there may be several in a row, as in `City: Austin State: TX`. */
export function labelledAt<Meaning>(cell: TextCell, sheet: Sheet, labels: Labels<Meaning>): Labelled<Meaning>[] {
  const whole = labels.meaningOf(cell.text);
  if (whole && !cell.text.includes(':')) {
    const amount = sheet.amountOfRow(cell);
    const inRow = amount && { value: amount.text, confidence: BESIDE };
    const found = inRow ?? below(cell, sheet, labels) ?? beside(cell, sheet, labels);
    return found ? [{ meaning: whole, label: cell.text, ...found }] : [];
  }
  return split(cell.text, labels).flatMap(({ meaning, label, value }, index, all) => {
    if (value !== '') return [{ meaning, label, value, confidence: AFTER_COLON }];
    const found = index === all.length - 1 ? (beside(cell, sheet, labels) ?? below(cell, sheet, labels)) : null;
    return found ? [{ meaning, label, ...found }] : [];
  });
}

/** Splits a text at its labels ending with a colon. */
function split<Meaning>(text: string, labels: Labels<Meaning>): { meaning: Meaning; label: string; value: string }[] {
  const parts = text.split(':', PARTS_MAX);
  const found: { meaning: Meaning; label: string; value: string }[] = [];
  for (const [index, part] of parts.slice(0, -1).entries()) {
    const label = longestLabel(part, labels);
    if (label === null) continue;
    const last = found.at(-1);
    // This value's label ends the previous value.
    if (last && index > 0) last.value = last.value.slice(0, last.value.lastIndexOf(label.text)).trim();
    found.push({
      meaning: label.meaning,
      label: label.text,
      value: parts
        .slice(index + 1)
        .join(':')
        .trim(),
    });
  }
  return found;
}

/** The longest label at the end of a text. */
function longestLabel<Meaning>(text: string, labels: Labels<Meaning>): { text: string; meaning: Meaning } | null {
  const words = text.trim().split(' ').slice(-LABEL_MAX_WORDS);
  for (let from = 0; from < words.length; from++) {
    const label = words.slice(from).join(' ');
    const meaning = labels.meaningOf(label);
    if (meaning) return { text: label, meaning };
  }
  return null;
}

function beside(cell: TextCell, sheet: Sheet, labels: Labels<unknown>): Place | null {
  const next = sheet.beside(cell);
  return next && !isPrinted(next.text, labels) ? { value: next.text, confidence: BESIDE } : null;
}

function below(cell: TextCell, sheet: Sheet, labels: Labels<unknown>): Place | null {
  for (const under of sheet.under(cell, MOST_BELOW)) {
    return isPrinted(under.text, labels) ? null : { value: under.text, confidence: BELOW };
  }
  return null;
}

/** Whether a cell is part of the form itself: a label, or a label followed by the value of another one. */
function isPrinted(text: string, { isLabel, meaningOf }: Labels<unknown>): boolean {
  const [first = ''] = text.split(':', 1);
  return isLabel(text) || (first.length < text.length && meaningOf(first) !== null);
}
