// Makes sample documents from phrases: some of the type's phrases, shuffled with phrases found on any document, with
// words left out and misread.
import type { Appearance, DocumentType } from '../../domain/document/classification.ts';
import { COMMON, PHRASES_BY_TYPE } from './phrases.ts';
import type { TypePhrases } from './type-phrases.ts';

export interface Sample {
  type: DocumentType;
  seen: Appearance;
}

/** Returns a number from 0 up to but excluding 1; the same seed gives the same sequence. */
export type Dice = () => number;

/** A small generator of our own, so that a model can be reproduced byte for byte. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Which phrases samples are made of. At least half of a held-out sample's phrases were not trained on, nor was its
 * name.
 */
export type Part = 'trained' | 'held out' | 'all';

const HELD_OUT_EVERY = 4;
const [LEFT_OUT, MISREAD] = [0.12, 0.03];
const [SHARE_LEAST, COMMON_MOST] = [0.25, 8];
const [NAMELESS, WORDLESS, WITH_FIELDS] = [0.5, 0.12, 0.4];

/** Makes `count` samples of each type. */
export function samplesOf(part: Part, count: number, dice: Dice): Sample[] {
  return PHRASES_BY_TYPE.flatMap(([type, phrases]) =>
    Array.from({ length: count }, () => ({ type, seen: appearance(phrases, part, dice) })),
  );
}

function appearance({ phrases, names, fields = [] }: TypePhrases, part: Part, dice: Dice): Appearance {
  const isWordless = dice() < WORDLESS;
  const own = some(phrasesOf(phrases, part, dice), SHARE_LEAST + dice() * (1 - SHARE_LEAST), dice);
  const shared = some(COMMON, (dice() * COMMON_MOST) / COMMON.length, dice);
  const text = isWordless
    ? ''
    : shuffled([...own, ...shared], dice)
        .map((phrase) => noisy(phrase, dice))
        .join('\n');
  const isNamed = isWordless || dice() > NAMELESS;
  const fileName = isNamed ? pick(kept(names, part), dice) : `${Math.floor(dice() * 1e6)}`;
  return {
    text,
    fileName: `${fileName}.pdf`,
    fields: dice() < WITH_FIELDS ? fields.flatMap((each) => each.split(' ')) : [],
  };
}

/** The phrases of a part; held-out ones get as many known ones added, as on a real document. */
function phrasesOf(all: readonly string[], part: Part, dice: Dice): readonly string[] {
  const own = kept(all, part);
  return part === 'held out' ? [...own, ...shuffled(kept(all, 'trained'), dice).slice(0, own.length)] : own;
}

function kept(all: readonly string[], part: Part): readonly string[] {
  if (part === 'all') return all;
  return all.filter((_, index) => (index % HELD_OUT_EVERY === HELD_OUT_EVERY - 1) === (part === 'held out'));
}

function some(all: readonly string[], share: number, dice: Dice): readonly string[] {
  return shuffled(all, dice).slice(0, Math.max(1, Math.ceil(all.length * share)));
}

function shuffled<T>(all: readonly T[], dice: Dice): T[] {
  return all
    .map((each) => ({ each, at: dice() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

function pick<T>(all: readonly T[], dice: Dice): T {
  return all[Math.floor(dice() * all.length)] as T;
}

/** Distorts a phrase the way a bad copy is read. */
function noisy(phrase: string, dice: Dice): string {
  return phrase
    .split(' ')
    .filter(() => dice() > LEFT_OUT)
    .map((word) => (dice() < MISREAD ? word.slice(1) : word))
    .join(' ');
}
