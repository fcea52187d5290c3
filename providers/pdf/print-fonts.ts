// The typeface of every document, inside the page itself: a bare machine prints what any other prints.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const FAMILY = 'Noto Sans';
const WEIGHTS = [400, 700] as const;
/** Parts of the typeface by the characters that they have, the plainest first. */
const SUBSETS: readonly [name: string, range: string][] = [
  ['latin', 'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122'],
  ['latin-ext', 'U+0100-0130, U+0132-0151, U+0154-02BA, U+02BD-02C5, U+1E00-1E9F, U+1EF2-1EFF, U+20A0-20AB'],
  ['vietnamese', 'U+1EA0-1EF1'],
  ['greek', 'U+0370-03FF'],
  ['greek-ext', 'U+1F00-1FFF'],
  ['cyrillic', 'U+0400-045F, U+0490-0491, U+04B0-04B1, U+2116'],
  ['cyrillic-ext', 'U+0460-048F, U+0492-04AF, U+04B2-052F, U+1C80-1C88, U+2DE0-2DFF, U+A640-A69F'],
  ['devanagari', 'U+0900-097F, U+1CD0-1CF9, U+A830-A839, U+A8E0-A8FF'],
];
const BEYOND_LATIN = /[\u0100-\u1fff\u2070-\u20ab\u20ad-\u2121\u2123-\uffff]/;

const faces = new Map<string, string>();

/** Puts the typeface into a page. What the page asks for by another name, it has to bring itself. */
export function withFonts(html: string): string {
  const needed = BEYOND_LATIN.test(html) ? SUBSETS : SUBSETS.slice(0, 1);
  const style = `<style>${needed.map(([name, range]) => faceOf(name, range)).join('')}html{font-family:"${FAMILY}",sans-serif}</style>`;
  const head = /<head[^>]*>/i.exec(html) ?? /<html[^>]*>/i.exec(html);
  if (head === null) {
    return `<!doctype html><html><head><meta charset="utf-8">${style}</head><body>${html}</body></html>`;
  }
  const end = head.index + head[0].length;
  return `${html.slice(0, end)}${style}${html.slice(end)}`;
}

function faceOf(name: string, range: string): string {
  const known = faces.get(name);
  if (known !== undefined) return known;
  const folder = join(dirname(createRequire(import.meta.url).resolve('@fontsource/noto-sans/package.json')), 'files');
  const css = WEIGHTS.map((weight) => {
    const bytes = readFileSync(join(folder, `noto-sans-${name}-${weight}-normal.woff2`)).toString('base64');
    const source = `url(data:font/woff2;base64,${bytes}) format("woff2")`;
    return `@font-face{font-family:"${FAMILY}";font-weight:${weight};src:${source};unicode-range:${range}}`;
  }).join('');
  faces.set(name, css);
  return css;
}
