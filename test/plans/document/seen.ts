// What a page's picture shows, compared with the positions of its text: ink where text is, nothing beyond the margins,
// no line through a word, and nothing except text and straight lines.
import type { Picture } from '../../support/printing/pictures.ts';
import type { PrintedRun } from './printed-text.ts';

/** Lighter than the lightest line of a table. */
const LIGHTEST_INK = 240;
/** Lines between rows are lighter, those under a head or above a total darker. */
const DARK = 128;
/** In points: how far letters and lines extend beyond their positions. */
const REACH = 1.5;
/** In type sizes: how far letters extend above and below their baseline, accents included. */
const ABOVE = 1.1;
const BELOW = 0.35;
/** In type sizes: no letter extends this far above its baseline and this far below it. */
const WHOLE = { above: 1, below: 0.32 };
/** In points. Dots and the ends of letters are shorter, lines of tables and boxes longer. */
const SHORTEST_LINE = 8;

/** A part of a page, in points from its upper left corner. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Text that leaves no ink along its whole length: it is hidden, cut off or elsewhere. */
export function unseen(picture: Picture, runs: readonly PrintedRun[]): string[] {
  return runs.filter((run) => !isSeen(picture, run)).map(({ text }) => text);
}

/** Text with a line through it, across or down. */
export function struck(picture: Picture, runs: readonly PrintedRun[]): string[] {
  return runs.filter((run) => isCrossed(picture, run) || isCut(picture, run)).map(({ text }) => text);
}

/** Places of ink outside an area, as `x y` in points; at most ten. */
export function inkOutside(
  picture: Picture,
  { left, right, top, bottom }: Area,
  runs: readonly PrintedRun[],
): string[] {
  const isInside = (x: number, y: number) => x >= left && x <= right && y >= top && y <= bottom;
  return strayInk(picture, runs, isInside);
}

/** Places of ink that is neither text in its position nor part of a straight line nor within `other`; at most ten. */
export function unexplained(picture: Picture, runs: readonly PrintedRun[], other: readonly Area[]): string[] {
  const lines = straightLines(picture);
  const isExplained = (x: number, y: number) =>
    lines[pixelAt(picture, x, y)] === 1 ||
    other.some(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
  return strayInk(picture, runs, isExplained);
}

/** Whether a dark line crosses a narrow area. */
export function hasDarkLine(picture: Picture, area: Area): boolean {
  return hasInk(picture, area, DARK);
}

function isSeen(picture: Picture, { left, right, baseline, size }: PrintedRun): boolean {
  const edge = Math.min(size, (right - left) / 2);
  const area = { top: baseline - size, bottom: baseline + BELOW * size };
  return (
    hasInk(picture, { ...area, left: left - REACH, right: left + edge }) &&
    hasInk(picture, { ...area, left: right - edge, right: right + REACH })
  );
}

/** A horizontal line has no gaps like those between letters. */
function isCrossed(picture: Picture, { left, right, baseline, size, text }: PrintedRun): boolean {
  if (text.length < 3) return false;
  const { scale } = picture;
  const [from, to] = [Math.ceil((left + 1) * scale), Math.floor((right - 1) * scale)];
  for (let y = Math.floor((baseline - size) * scale); y < (baseline + BELOW * size) * scale; y++) {
    let x = from;
    while (x < to && isInk(picture, x, y)) x++;
    if (x >= to) return true;
  }
  return false;
}

/** A vertical line is longer than any letter. */
function isCut(picture: Picture, { left, right, baseline, size }: PrintedRun): boolean {
  const { scale } = picture;
  const [top, bottom] = [baseline - WHOLE.above * size, baseline + WHOLE.below * size];
  for (let x = Math.ceil(left * scale); x < right * scale; x++) {
    let isLine = true;
    for (let y = Math.floor(top * scale); y < bottom * scale && isLine; y++) isLine = isInk(picture, x, y);
    if (isLine) return true;
  }
  return false;
}

function strayInk(picture: Picture, runs: readonly PrintedRun[], isAllowed: (x: number, y: number) => boolean) {
  const { width, height, scale } = picture;
  const text = textPlaces(picture, runs);
  const found: string[] = [];
  for (let place = 0; place < width * height && found.length < 10; place++) {
    const [x, y] = [place % width, Math.floor(place / width)];
    if (!isInk(picture, x, y) || text[place] === 1 || isAllowed(x / scale, y / scale)) continue;
    found.push(`${(x / scale).toFixed(1)} ${(y / scale).toFixed(1)}`);
  }
  return found;
}

/** Marks the pixels where letters may be. */
function textPlaces({ width, height, scale }: Picture, runs: readonly PrintedRun[]): Uint8Array {
  const marks = new Uint8Array(width * height);
  for (const { left, right, baseline, size } of runs) {
    const [from, to] = [Math.floor((left - REACH) * scale), Math.ceil((right + REACH) * scale)];
    const last = Math.ceil((baseline + BELOW * size) * scale);
    for (let y = Math.floor((baseline - ABOVE * size) * scale); y <= last; y++) {
      marks.fill(1, y * width + Math.max(0, from), y * width + Math.min(width, to));
    }
  }
  return marks;
}

/** Marks the pixels of horizontal and vertical lines. */
function straightLines(picture: Picture): Uint8Array {
  const { width, height } = picture;
  const marks = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) markLines(picture, marks, { start: y * width, step: 1, count: width });
  for (let x = 0; x < width; x++) markLines(picture, marks, { start: x, step: width, count: height });
  return marks;
}

/** Marks the lines among the pixels of one row or one column. */
function markLines(
  { pixels, scale }: Picture,
  marks: Uint8Array,
  { start, step, count }: { start: number; step: number; count: number },
): void {
  let begun = 0;
  for (let end = 0; end <= count; end++) {
    if (end < count && isDark(pixels[start + end * step])) continue;
    if (end - begun >= SHORTEST_LINE * scale) {
      for (let each = begun; each < end; each++) marks[start + each * step] = 1;
    }
    begun = end + 1;
  }
}

function hasInk(picture: Picture, { left, right, top, bottom }: Area, lightest = LIGHTEST_INK): boolean {
  const { scale } = picture;
  for (let y = Math.floor(top * scale); y < bottom * scale; y++) {
    for (let x = Math.floor(left * scale); x < right * scale; x++) if (isInk(picture, x, y, lightest)) return true;
  }
  return false;
}

function isInk({ pixels, width }: Picture, x: number, y: number, lightest = LIGHTEST_INK): boolean {
  return isDark(pixels[y * width + x], lightest);
}

function isDark(light = 255, lightest = LIGHTEST_INK): boolean {
  return light < lightest;
}

function pixelAt({ width, scale }: Picture, x: number, y: number): number {
  return Math.round(y * scale) * width + Math.round(x * scale);
}
