// Finds the ticks in a flattened form: a box with more in it than its frame. They become text, so that a printed form
// is read the same way. Only the list of drawing operators is read; nothing is drawn.
import type { getDocumentProxy } from 'unpdf';
import type { TextPiece } from '../../domain/document/content.ts';
import { ofParser } from './unreadable.ts';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;
type Matrix = [number, number, number, number, number, number];

/** The operators that matter, by the library's numbers. */
export interface Steps {
  save: number;
  restore: number;
  transform: number;
  paintFormXObjectBegin: number;
  paintFormXObjectEnd: number;
  constructPath: number;
}

const MARK = '☒';
/** In points. */
const [BOX_LEAST, BOX_MOST] = [4, 24];
/** Text beside a box sits slightly above the box's lower edge. */
const BASELINE = 0.2;
/** A frame alone is one path. */
const PATHS_LEAST = 2;
const STEPS_MAX = 100_000;

/** Finds the ticked boxes of a page. */
export async function marksOf(page: Page, number: number, steps: Steps): Promise<TextPiece[]> {
  const { fnArray, argsArray } = await ofParser(page.getOperatorList());
  const marks: TextPiece[] = [];
  const saved: Matrix[] = [];
  let at: Matrix = [1, 0, 0, 1, 0, 0];
  let box: { piece: TextPiece; paths: number } | null = null;
  for (let index = 0; index < Math.min(fnArray.length, STEPS_MAX); index++) {
    const step = fnArray[index];
    const args: unknown[] = argsArray[index] ?? [];
    if (step === steps.save) saved.push(at);
    else if (step === steps.restore) at = saved.pop() ?? at;
    else if (step === steps.transform) at = times(at, args as unknown as Matrix);
    else if (step === steps.constructPath && box) box.paths++;
    else if (step === steps.paintFormXObjectBegin) {
      saved.push(at);
      box = boxAt(at, args, number);
    } else if (step === steps.paintFormXObjectEnd) {
      at = saved.pop() ?? at;
      if (box && box.paths >= PATHS_LEAST) marks.push(box.piece);
      box = null;
    }
  }
  return marks;
}

function boxAt(at: Matrix, [own, bounds]: unknown[], page: number): { piece: TextPiece; paths: number } | null {
  const [left, bottom, right, top] = Array.from((bounds ?? []) as ArrayLike<number>);
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return null;
  const placed = own ? times(at, Array.from(own as ArrayLike<number>) as Matrix) : at;
  const [width, height] = [Math.abs((right - left) * placed[0]), Math.abs((top - bottom) * placed[3])];
  if (Math.min(width, height) < BOX_LEAST || Math.max(width, height) > BOX_MOST) return null;
  const [x, y] = [placed[4] + left * placed[0], placed[5] + bottom * placed[3] + height * BASELINE];
  return { piece: { page, x, y, width, height, text: MARK }, paths: 0 };
}

function times([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
