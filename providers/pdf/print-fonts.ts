// Embeds the typeface in every document's page: a bare machine prints the same as any other. A page gets only the
// subsets that its text needs.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Face, foreignFaces } from './foreign-scripts.ts';
import { type CodeRange, isWithin, rangesOf } from './unicode-ranges.ts';

const FAMILY = 'Noto Sans';
const WEIGHTS = [400, 700] as const;
/** The typeface's subsets, by the characters they have. */
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

/** Embeds the typeface in a page. A page that uses any other typeface must embed it itself. */
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

/** The subsets that have these characters, always including the basic one. */
export function facesOf(characters: readonly number[]): Face[] {
  const isOurs = (code: number) => SUBSETS.some(({ ranges }) => isWithin(ranges, code));
  const own = SUBSETS.filter(({ ranges }, place) => place === 0 || characters.some((code) => isWithin(ranges, code)));
  return [
    ...own.map(({ name, range }) => ({ typeface: 'noto-sans', subset: name, range })),
    ...foreignFaces(characters.filter((code) => !isOurs(code))),
  ];
}

/** The file of a subset. Pages use the smaller format; forms use the other (decisions/0180). */
export function faceFile({ typeface, subset: name }: Face, weight: number, format: 'woff' | 'woff2'): Buffer {
  const folder = dirname(createRequire(import.meta.url).resolve(`@fontsource/${typeface}/package.json`));
  return readFileSync(join(folder, 'files', `${typeface}-${name}-${weight}-normal.${format}`));
}

/** The distinct characters of a page outside the basic subset, including those written as numeric references. */
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
