// The scripts that our documents' typeface lacks: Arabic, Hebrew, Chinese, Japanese and Korean. The East Asian
// typefaces come in a hundred subsets each; a page embeds only the few that have its characters. decisions/0110.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { rangeOfCodes, rangesOf } from './unicode-ranges.ts';

/** A subset of a typeface, and the characters a page uses it for. */
export interface Face {
  /** The package name without its scope. */
  typeface: string;
  subset: string;
  range: string;
}

const KANA: readonly [number, number] = [0x3040, 0x30ff];
const HANGUL: readonly [number, number] = [0xac00, 0xd7a3];
const CHINESE = 'noto-sans-sc';
const JAPANESE = 'noto-sans-jp';
const KOREAN = 'noto-sans-kr';
/** A subset as its package's stylesheet describes it; its name is a number in brackets or a word. */
const PART = /\/\* noto-sans-[a-z]+-\[?([a-z0-9-]+?)\]?-400-normal \*\/[^}]*unicode-range:\s*([^;]+);/g;

/** Typeface → character → the subset that has it. */
const parts = new Map<string, Map<number, string>>();

/** Returns the subsets that have these characters. Characters that no typeface has are left out. */
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
  // Each subset is used only for the characters it was chosen for: several typefaces share characters.
  return [...wanted.values()].map((face) => ({ ...face, range: rangeOfCodes(face.codes) }));
}

/** Chinese, Japanese and Korean share characters but draw them differently: the page's other characters decide. */
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
