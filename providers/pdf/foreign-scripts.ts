// The scripts that the typeface of our documents does not have: Arabic, Hebrew, Chinese, Japanese and Korean. Those of
// East Asia come in a hundred parts each, of which a page takes the few that have its characters. decisions/0110.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { rangeOfCodes, rangesOf } from './unicode-ranges.ts';

/** A part of a typeface, and the characters for which a page uses it. */
export interface Face {
  /** The package without its scope. */
  typeface: string;
  subset: string;
  range: string;
}

const KANA: readonly [number, number] = [0x3040, 0x30ff];
const HANGUL: readonly [number, number] = [0xac00, 0xd7a3];
const CHINESE = 'noto-sans-sc';
const JAPANESE = 'noto-sans-jp';
const KOREAN = 'noto-sans-kr';
/** A part as the stylesheet of its package describes it; its name is a number in brackets or a word. */
const PART = /\/\* noto-sans-[a-z]+-\[?([a-z0-9-]+?)\]?-400-normal \*\/[^}]*unicode-range:\s*([^;]+);/g;

/** Typeface → character → the part that has it. */
const parts = new Map<string, Map<number, string>>();

/** Returns the parts of typefaces that have these characters. What none of them has stays without. */
export function foreignFaces(codes: readonly number[]): Face[] {
  const wanted = new Map<string, { typeface: string; subset: string; codes: number[] }>();
  const typefaces = codes.length === 0 ? [] : typefacesFor(codes);
  for (const code of codes) {
    const typeface = typefaces.find((each) => partsOf(each).has(code));
    const subset = typeface && partsOf(typeface).get(code);
    if (!typeface || !subset) continue;
    const face = wanted.get(`${typeface} ${subset}`) ?? { typeface, subset, codes: [] };
    wanted.set(`${typeface} ${subset}`, face);
    face.codes.push(code);
  }
  // Each part is used for no more than what it was chosen for: parts of several typefaces have the same characters.
  return [...wanted.values()].map((face) => ({ ...face, range: rangeOfCodes(face.codes) }));
}

/** Chinese, Japanese and Korean share characters and draw them differently: the others of the page decide. */
function typefacesFor(codes: readonly number[]): string[] {
  const hasAny = ([first, last]: readonly [number, number]) => codes.some((code) => code >= first && code <= last);
  const first = hasAny(KANA) ? JAPANESE : hasAny(HANGUL) ? KOREAN : CHINESE;
  return ['noto-sans-arabic', 'noto-sans-hebrew', ...new Set([first, CHINESE, JAPANESE, KOREAN])];
}

function partsOf(typeface: string): Map<number, string> {
  const known = parts.get(typeface);
  if (known) return known;
  const css = readFileSync(createRequire(import.meta.url).resolve(`@fontsource/${typeface}/400.css`), 'utf8');
  const found = new Map<number, string>();
  for (const [, subset = '', range = ''] of css.matchAll(PART)) {
    for (const [first, last] of rangesOf(range)) for (let code = first; code <= last; code++) found.set(code, subset);
  }
  parts.set(typeface, found);
  return found;
}
