// Letters missing from the typeface of an uploaded form: a name in Polish, Chinese or Arabic is set in the typefaces
// of our own pages, each part in the one that has its letters. decisions/0180.
import fontkit from '@pdf-lib/fontkit';
import type { PDFDocument, PDFFont } from 'pdf-lib';
import { beginsBackward, isNeutral, turnedAround } from '../../domain/document/reading-direction.ts';
import type { Face } from '../pdf/foreign-scripts.ts';
import { faceFile, facesOf } from '../pdf/print-fonts.ts';
import { isWithin, rangesOf } from '../pdf/unicode-ranges.ts';

/** Text in one typeface, running in one direction. */
export interface Run {
  text: string;
  font: PDFFont;
}

/** Splits text within one line into runs from left to right. */
export type Setter = (part: string) => Run[];

const [REGULAR, FORMAT] = [400, 'woff'] as const;

interface Taken {
  font: PDFFont;
  /** The characters it has glyphs for. */
  codes: ReadonlySet<number>;
}

/** Sets text for one document, embedding each typeface subset once. */
export class Letters {
  readonly #document: PDFDocument;
  readonly #taken = new Map<string, Taken>();

  constructor(document: PDFDocument) {
    this.#document = document;
    document.registerFontkit(fontkit);
  }

  /** Finds the typefaces for a text; null if one of its characters is in none of them. */
  async setterOf(text: string): Promise<Setter | null> {
    const fonts = new Map<string, PDFFont>();
    const characters = new Set(text.replaceAll(/[\r\n]/g, ' '));
    const codes = [...characters].map(codeOf);
    for (const face of facesOf(codes)) {
      const taken = await this.#take(face);
      if (taken === null) continue;
      const { font, codes: known } = taken;
      const ranges = rangesOf(face.range);
      // A subset's declared range may cover more than its file has.
      const has = (character: string) => isWithin(ranges, codeOf(character)) && known.has(codeOf(character));
      for (const character of characters) if (!fonts.has(character) && has(character)) fonts.set(character, font);
    }
    return fonts.size === characters.size ? (part) => runsOf(part, fonts) : null;
  }

  /** Null for a subset that the library cannot read. */
  async #take(face: Face): Promise<Taken | null> {
    const name = `${face.typeface} ${face.subset}`;
    const known = this.#taken.get(name);
    if (known) return known;
    const file = faceFile(face, REGULAR, FORMAT);
    const codes = codesIn(file);
    if (codes.size === 0) return null;
    const taken = { font: await this.#document.embedFont(file, { subset: true }), codes };
    this.#taken.set(name, taken);
    return taken;
  }
}

export const widthOf = (runs: readonly Run[], points: number): number =>
  runs.reduce((sum, { text, font }) => sum + font.widthOfTextAtSize(text, points), 0);

function runsOf(part: string, fonts: ReadonlyMap<string, PDFFont>): Run[] {
  const runs: Run[] = [];
  for (const character of part) {
    const font = fonts.get(character);
    if (!font) continue;
    const last = runs.at(-1);
    if (last?.font === font && isNeutral(last.text) === isNeutral(character)) last.text += character;
    else runs.push({ text: character, font });
  }
  // Within a right-to-left run the typeface reverses the letters itself.
  return turnedAround(runs, beginsBackward(runs.map(({ text }) => text)));
}

/** The characters a font file has glyphs for; empty if the library cannot read its character table. */
function codesIn(file: Uint8Array): ReadonlySet<number> {
  try {
    return new Set(fontkit.create(file).characterSet);
  } catch {
    return new Set();
  }
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
