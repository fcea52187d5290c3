// Sets a form field's value in our own typefaces: broken into lines, as large as will fit, and drawn where the field
// was. decisions/0180.
import { type PDFDocument, PDFName, type PDFPage, type PDFTextField, rgb, TextAlignment } from 'pdf-lib';
import { type Letters, type Run, type Setter, widthOf } from './letters.ts';

type Widget = ReturnType<PDFTextField['acroField']['getWidgets']>[number];

/** How a field lays out its text. */
export interface FieldLook {
  isMultiline: boolean;
  /** Zero: as large as will fit. */
  points: number;
  smallestPoints: number;
  lineHeight: number;
  margin: number;
}

/** Draws a value, after the fields were flattened into the page. */
export type Drawing = () => void;

const [LARGEST_POINTS, STEP, DESCENT] = [12, 0.5, 0.3];
/** More than a page, which no field holds. */
const MOST_CHARACTERS = 10_000;
const GAPS = /[^\S\r\n]/g;
const BREAKS = /\r\n|\r|\n/;
const SPACELESS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
/** Words, and single letters in scripts without spaces. */
const PIECES = new RegExp(String.raw`[${SPACELESS}]|[^\s${SPACELESS}]+\s*|\s+`, 'gu');

/**
 * Prepares to draw a value in each widget of the field.
 * @returns a function that draws it, or the reason why it cannot be shown in full
 */
export async function setText(
  field: PDFTextField,
  value: string,
  { document, letters, look }: { document: PDFDocument; letters: Letters; look: FieldLook },
): Promise<Drawing | 'unknown_letters' | 'does_not_fit'> {
  if (value.length > MOST_CHARACTERS) return 'does_not_fit';
  const text = value.replaceAll(GAPS, ' ');
  const set = await letters.setterOf(text);
  if (set === null) return 'unknown_letters';
  const drawings: Drawing[] = [];
  const alignment = field.getAlignment();
  for (const widget of field.acroField.getWidgets()) {
    const page = pageOf(document, widget);
    const place = widget.getRectangle();
    const found = fitted(text, set, { ...look, ...place });
    if (page === null || found === null) return 'does_not_fit';
    drawings.push(() => draw(page, found, { ...look, ...place, alignment }));
  }
  return () => {
    for (const drawing of drawings) drawing();
  };
}

interface Fitted {
  lines: Run[][];
  points: number;
}

interface Place extends FieldLook {
  width: number;
  height: number;
}

/** Lays the text out in the largest size that fits; null if even the smallest is too large. */
function fitted(text: string, set: Setter, place: Place): Fitted | null {
  const room = place.width - place.margin;
  const paragraphs = text.split(BREAKS).map((each) => (place.isMultiline ? piecesOf(each, set) : [whole(each, set)]));
  const largest = place.points > 0 ? place.points : LARGEST_POINTS;
  for (let points = largest; points >= place.smallestPoints; points -= STEP) {
    const broken = paragraphs.flatMap((pieces) => linesOf(pieces, room / points));
    if (broken.length > 1 && broken.length * points * place.lineHeight > place.height) continue;
    const lines = broken.map((line) => set(line));
    if (lines.every((line) => widthOf(line, points) <= room)) return { lines, points };
  }
  return null;
}

/** Text that must stay on one line, and its width at one point. */
interface Piece {
  text: string;
  width: number;
}

const whole = (text: string, set: Setter): Piece => ({ text, width: widthOf(set(text), 1) });

function piecesOf(paragraph: string, set: Setter): Piece[] {
  const known = new Map<string, Piece>();
  return (paragraph.match(PIECES) ?? []).map((text) => {
    const piece = known.get(text) ?? whole(text, set);
    known.set(text, piece);
    return piece;
  });
}

function linesOf(pieces: readonly Piece[], room: number): string[] {
  const lines: string[] = [];
  let [line, width] = ['', 0];
  for (const piece of pieces) {
    if (line !== '' && width + piece.width > room) {
      lines.push(line.trimEnd());
      [line, width] = ['', 0];
    }
    line += piece.text;
    width += piece.width;
  }
  return [...lines, line.trimEnd()];
}

interface Spot extends Place {
  x: number;
  y: number;
  alignment: TextAlignment;
}

function draw(page: PDFPage, { lines, points }: Fitted, look: Spot): void {
  const { x, y, width, height, alignment } = look;
  const step = points * look.lineHeight;
  const top = look.isMultiline ? y + height - look.margin / 2 : y + height / 2 + step / 2;
  lines.forEach((line, number) => {
    const free = width - look.margin - widthOf(line, points);
    let at = x + look.margin / 2 + free * shareBefore(alignment);
    const base = top - (number + 1) * step + points * DESCENT;
    for (const { text, font } of line) {
      page.drawText(text, { x: at, y: base, size: points, font, color: rgb(0, 0, 0) });
      at += font.widthOfTextAtSize(text, points);
    }
  });
}

function shareBefore(alignment: TextAlignment): number {
  if (alignment === TextAlignment.Center) return 0.5;
  return alignment === TextAlignment.Right ? 1 : 0;
}

/** The page that a widget refers to, or the page that lists it. */
function pageOf(document: PDFDocument, widget: Widget): PDFPage | null {
  const pages = document.getPages();
  const named = pages.find(({ ref }) => ref === widget.P());
  if (named) return named;
  const own = document.context.getObjectRef(widget.dict);
  const lists = ({ node }: PDFPage) => own !== undefined && node.Annots()?.indexOf(own) !== undefined;
  return pages.find((page) => page.node.has(PDFName.of('Annots')) && lists(page)) ?? null;
}
