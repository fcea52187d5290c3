// The typeface of every document, inside the page itself: a bare machine prints what any other prints. Of a typeface
// that comes in parts a page gets those that its text needs.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Face, foreignFaces } from './foreign-scripts.ts';
import { type CodeRange, isWithin, rangesOf } from './unicode-ranges.ts';

const FAMILY = 'Noto Sans';
const WEIGHTS = [400, 700] as const;
/** Parts of the typeface by the characters that they have. */
const SUBSETS: readonly Subset[] = [
  subset('latin', 'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122'),
  subset('latin-ext', 'U+0100-0130, U+0132-0151, U+0154-02BA, U+02BD-02C5, U+1E00-1E9F, U+1EF2-1EFF, U+20A0-20AB'),
  subset('vietnamese', 'U+1EA0-1EF1'),
  subset('greek', 'U+0370-03FF'),
  subset('greek-ext', 'U+1F00-1FFF'),
  subset('cyrillic', 'U+0400-045F, U+0490-0491, U+04B0-04B1, U+2116'),
  subset('cyrillic-ext', 'U+0460-048F, U+0492-04AF, U+04B2-052F, U+1C80-1C88, U+2DE0-2DFF, U+A640-A69F'),
  subset('devanagari', 'U+0900-097F, U+1CD0-1CF9, U+A830-A839, U+A8E0-A8FF'),
];
const BEYOND_LATIN = /[^\0-\xff]/gu;
const NUMBERED = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi;

interface Subset {
  name: string;
  range: string;
  ranges: CodeRange[];
}

const files = new Map<string, string>();

/** Puts the typeface into a page. What the page asks for by another name, it has to bring itself. */
export function withFonts(html: string): string {
  const faces = facesOf(charactersOf(html));
  const style = `<style>${faces.map(cssOf).join('')}html{font-family:"${FAMILY}",sans-serif}</style>`;
  const head = /<head[^>]*>/i.exec(html) ?? /<html[^>]*>/i.exec(html);
  if (head === null) {
    return `<!doctype html><html><head><meta charset="utf-8">${style}</head><body>${html}</body></html>`;
  }
  const end = head.index + head[0].length;
  return `${html.slice(0, end)}${style}${html.slice(end)}`;
}

/** The parts of typefaces that have these characters, the plainest one always. */
export function facesOf(characters: readonly number[]): Face[] {
  const isOurs = (code: number) => SUBSETS.some(({ ranges }) => isWithin(ranges, code));
  const own = SUBSETS.filter(({ ranges }, place) => place === 0 || characters.some((code) => isWithin(ranges, code)));
  return [
    ...own.map(({ name, range }) => ({ typeface: 'noto-sans', subset: name, range })),
    ...foreignFaces(characters.filter((code) => !isOurs(code))),
  ];
}

/** The file of a part of a typeface. Pages take the smaller format; the other one is for forms (decisions/0180). */
export function faceFile({ typeface, subset: name }: Face, weight: number, format: 'woff' | 'woff2'): Buffer {
  const folder = dirname(createRequire(import.meta.url).resolve(`@fontsource/${typeface}/package.json`));
  return readFileSync(join(folder, 'files', `${typeface}-${name}-${weight}-normal.${format}`));
}

/** The characters of a page that are not of the plainest part, each once, also those that it names by number. */
function charactersOf(html: string): number[] {
  const written = (html.match(BEYOND_LATIN) ?? []).map((character) => character.codePointAt(0) ?? 0);
  const numbered = [...html.matchAll(NUMBERED)].map(([, hex, decimal]) =>
    hex === undefined ? Number(decimal) : Number.parseInt(hex, 16),
  );
  return [...new Set([...written, ...numbered])].sort((a, b) => a - b);
}

function cssOf(face: Face): string {
  return WEIGHTS.map((weight) => {
    const source = `url(data:font/woff2;base64,${encodedFile(face, weight)}) format("woff2")`;
    return `@font-face{font-family:"${FAMILY}";font-weight:${weight};src:${source};unicode-range:${face.range}}`;
  }).join('');
}

function encodedFile(face: Face, weight: number): string {
  const name = `${face.typeface} ${face.subset} ${weight}`;
  const known = files.get(name);
  if (known !== undefined) return known;
  const encoded = faceFile(face, weight, 'woff2').toString('base64');
  files.set(name, encoded);
  return encoded;
}

function subset(name: string, range: string): Subset {
  return { name, range, ranges: rangesOf(range) };
}
