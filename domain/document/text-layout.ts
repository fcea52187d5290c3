// A page's text as cells and lines: adjacent text is one cell, text at the same height is a line. Pure.
import type { TextPiece } from './content.ts';
import { isMostlyBackward, turnedAround } from './reading-direction.ts';

/** Gaps within a value are smaller than this, in letter heights. */
const GAP_WITHIN_CELL = 1.1;
/** Letters of a line are this close to its height, in letter heights. */
const SAME_LINE = 0.5;
const DEFAULT_HEIGHT = 10;
/** A real value is shorter; a longer line is meant to slow the reader down. */
const CELL_MAX_CHARACTERS = 500;

const SPACE = { text: ' ' };
/** Marks that only set the direction of text. */
const INVISIBLE = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Adjacent text. */
export interface TextCell {
  page: number;
  x: number;
  y: number;
  right: number;
  height: number;
  text: string;
}

/** Cells at the same height, from left to right. */
export type TextLine = TextCell[];

/** Lines in reading order. */
export function linesOf(pieces: readonly TextPiece[]): TextLine[] {
  const sorted = pieces.toSorted((a, b) => a.page - b.page || b.y - a.y || a.x - b.x);
  const rows: TextPiece[][] = [];
  for (const piece of sorted) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    const isSame = first?.page === piece.page && first.y - piece.y <= heightOf(first) * SAME_LINE;
    if (row && isSame) row.push(piece);
    else rows.push([piece]);
  }
  return rows.map((row) => cellsOf(row.toSorted((a, b) => a.x - b.x)));
}

function cellsOf(row: readonly TextPiece[]): TextLine {
  const cells: (Omit<TextCell, 'text'> & { parts: { text: string }[]; length: number })[] = [];
  for (const { page, x, y, width, text, ...piece } of row) {
    const height = heightOf(piece);
    const last = cells.at(-1);
    const gap = last ? x - last.right : Number.POSITIVE_INFINITY;
    if (last && gap < height * GAP_WITHIN_CELL) {
      if (last.length < CELL_MAX_CHARACTERS) last.parts.push(...(gap > height * 0.1 ? [SPACE] : []), { text });
      last.length += text.length;
      last.right = Math.max(last.right, x + width);
    } else {
      cells.push({ page, x, y, right: x + width, height, parts: [{ text }], length: text.length });
    }
  }
  return cells.map(({ parts, length: _, ...cell }) => ({ ...cell, text: readText(parts) }));
}

/** Pieces in reading order, which for Arabic and Hebrew is not left to right. */
function readText(pieces: readonly { text: string }[]): string {
  const seen = pieces.map(({ text }) => text).join('');
  const read = turnedAround(pieces, isMostlyBackward(seen));
  return read
    .map(({ text }) => text)
    .join('')
    .slice(0, CELL_MAX_CHARACTERS)
    .replaceAll(INVISIBLE, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const heightOf = ({ height }: { height: number }): number => (height > 0 ? height : DEFAULT_HEIGHT);

/** The text of all lines, for readers that need only words. */
export function textOf(pieces: readonly TextPiece[]): string {
  return linesOf(pieces)
    .map((line) => line.map(({ text }) => text).join('  '))
    .join('\n');
}

/** The width of a letter of plain text. */
const LETTER = 6;
const LINE_HEIGHT = 12;
const CSV_COLUMN = 200;
const CELLS = /[^\s|]+(?: [^\s|]+)*/g;
const [LINES_MAX, LINE_MAX_CHARACTERS] = [5_000, 2_000];

/** Lines of plain text: cells are separated by tabs, bars or wide gaps, in tables of values by commas. */
export function linesOfText(text: string, isCsv: boolean): TextLine[] {
  const lines = text.split(/\r?\n/, LINES_MAX).map((line) => line.slice(0, LINE_MAX_CHARACTERS));
  return lines.map((line, number) => (isCsv ? csvCells(line, number) : plainCells(line, number)));
}

function plainCells(line: string, number: number): TextLine {
  return [...line.matchAll(CELLS)].map(({ 0: text, index }) => cellAt(number, index * LETTER, text));
}

function csvCells(line: string, number: number): TextLine {
  const values = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? [];
  return values.flatMap((value, column) => {
    const text = value.replace(/,$/, '').trim().replace(/^"|"$/g, '').replaceAll('""', '"').trim();
    return text === '' ? [] : [cellAt(number, column * CSV_COLUMN, text)];
  });
}

function cellAt(number: number, x: number, text: string): TextCell {
  return { page: 1, x, y: -number * LINE_HEIGHT, right: x + text.length * LETTER, height: LINE_HEIGHT, text };
}
