// Screens a name against a list of sanctioned parties. A match is a reason to look, not a verdict: it blocks the bind
// until a person has cleared it. 31 C.F.R. chapter V; Contract 3.1 SANCTIONS_REVIEW.
import { normalizeName } from './clearance.ts';
import { inLatinLetters } from './look-alikes.ts';

/** A listed party. `program` names the list it is on. */
export interface SanctionsEntry {
  id: string;
  name: string;
  program: string;
}

/** A listed party whose name is the same (score 100) or close. */
export interface SanctionsMatch {
  entryId: string;
  name: string;
  program: string;
  /** Likeness in percent, a whole number. */
  score: number;
}

const CLOSE_PERCENT = 88;
/** The very letters of a party with other spaces between them: not 100, which is kept for the very same words. */
const OTHER_SPACES_PERCENT = 99;
/** A shorter one may stand by chance across two words. */
const SHORTEST_ACROSS_WORDS = 10;

/**
 * Prepares a list, once for all names, and returns what screens a name against it: parties with the same words in any
 * order score 100, others by the letter pairs they share; from 88 percent on they match. A longer name matches too if
 * it contains a party, as a payee beside others, "in care of" or a trading name does: its words stand together there,
 * all but one of them as listed, or all its letters with other spaces between them. A party of one word matches whole
 * names alone, for it may be any word. Best match first. The name is normalised as for clearance, and letters of other
 * alphabets count as those that they look like; '' matches nothing.
 */
export function screener(entries: readonly SanctionsEntry[]): (name: string) => SanctionsMatch[] {
  const parties = entries.map(listed);
  return (name) => {
    const words = wordsOf(name);
    if (words.length === 0) return [];
    const likenessTo = screening(words);
    return parties
      .map((party) => ({ ...party.entry, score: likenessTo(party) }))
      .filter(({ score }) => score >= CLOSE_PERCENT)
      .map(({ id, ...match }) => ({ entryId: id, ...match }))
      .sort((a, b) => b.score - a.score || (a.entryId < b.entryId ? -1 : 1));
  };
}

/** A listed party, as names are compared with it. */
interface Listed {
  entry: SanctionsEntry;
  words: readonly string[];
  /** Its words in the order of the alphabet. */
  text: string;
  /** Without spaces, as listed. */
  letters: string;
}

function listed({ id, name, program }: SanctionsEntry): Listed {
  const words = wordsOf(name);
  return { entry: { id, name, program }, words, text: sorted(words), letters: words.join('') };
}

/** Compares the words of a name with listed parties; what it needs of them is prepared once. */
function screening(words: readonly string[]): (party: Listed) => number {
  const whole = prepared(words);
  const own = new Set(words);
  const tails = words.map((_, at) => words.slice(at).join(''));
  return ({ words: others, text, letters }) => {
    const isAcrossWords = others.length > 1 && letters.length >= SHORTEST_ACROSS_WORDS;
    const isSpacedOtherwise = isAcrossWords && tails.some((tail) => tail.startsWith(letters));
    const missing = others.filter((word) => !own.has(word)).length;
    const mayContain = others.length > 1 && others.length < words.length && missing <= 1;
    const parts = mayContain ? runsOf(words, others.length).map(prepared) : [];
    const best = Math.max(...[whole, ...parts].map((part) => likeness(part, text)));
    return isSpacedOtherwise ? Math.max(best, OTHER_SPACES_PERCENT) : best;
  };
}

interface Prepared {
  text: string;
  pairs: ReadonlyMap<string, number>;
}

function prepared(words: readonly string[]): Prepared {
  const text = sorted(words);
  return { text, pairs: letterPairs(text) };
}

function wordsOf(name: string): string[] {
  return inLatinLetters(normalizeName(name))
    .split(' ')
    .filter((word) => word !== '');
}

function sorted(words: readonly string[]): string {
  return words.toSorted().join(' ');
}

/** Every run of `length` neighbouring words. */
function runsOf(words: readonly string[], length: number): string[][] {
  return Array.from({ length: words.length - length + 1 }, (_, at) => words.slice(at, at + length));
}

/**
 * The Sørensen–Dice coefficient of the letter pairs, in whole percent; 100 is kept for the very same words, and 0
 * stands for texts whose lengths alone keep them apart.
 */
function likeness({ text, pairs }: Prepared, other: string): number {
  if (text === other) return 100;
  const [shorter, total] = [Math.min(text.length, other.length) - 1, text.length - 1 + (other.length - 1)];
  if (200 * shorter < CLOSE_PERCENT * total || total <= 0) return 0;
  const others = letterPairs(other);
  let shared = 0;
  for (const [pair, times] of pairs) shared += Math.min(times, others.get(pair) ?? 0);
  return Math.min(99, Math.floor((200 * shared) / total));
}

function letterPairs(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let i = 0; i + 2 <= text.length; i += 1) {
    const pair = text.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}
