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
 * Screens a name: parties with the same words in any order score 100, others by the letter pairs they share; from 88
 * percent on they match. A longer name matches too if it contains a party, as a payee beside others, "in care of" or a
 * trading name does: its words stand together there, all but one of them as listed, or all its letters with other
 * spaces between them. A party of one word matches whole names alone, for it may be any word. Best match first. The
 * name is normalised as for clearance, and letters of other alphabets count as those that they look like; '' matches
 * nothing.
 */
export function screenName(name: string, entries: readonly SanctionsEntry[]): SanctionsMatch[] {
  const words = wordsOf(name);
  if (words.length === 0) return [];
  const likenessTo = screening(words);
  return entries
    .map((entry) => ({
      entryId: entry.id,
      name: entry.name,
      program: entry.program,
      score: likenessTo(wordsOf(entry.name)),
    }))
    .filter((match) => match.score >= CLOSE_PERCENT)
    .sort((a, b) => b.score - a.score || (a.entryId < b.entryId ? -1 : 1));
}

/** Compares the words of a name with those of listed parties; its own are prepared once. */
function screening(words: readonly string[]): (listed: readonly string[]) => number {
  const whole = prepared(words);
  const own = new Set(words);
  const tails = words.map((_, at) => words.slice(at).join(''));
  return (listed) => {
    const letters = listed.join('');
    const isAcrossWords = listed.length > 1 && letters.length >= SHORTEST_ACROSS_WORDS;
    const isSpacedOtherwise = isAcrossWords && tails.some((tail) => tail.startsWith(letters));
    const text = sorted(listed);
    const missing = listed.filter((word) => !own.has(word)).length;
    const mayContain = listed.length > 1 && listed.length < words.length && missing <= 1;
    const parts = mayContain ? runsOf(words, listed.length).map(prepared) : [];
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

/** The Sørensen–Dice coefficient of the letter pairs, in whole percent; 100 is kept for the very same words. */
function likeness({ text, pairs }: Prepared, other: string): number {
  if (text === other) return 100;
  const others = letterPairs(other);
  let shared = 0;
  for (const [pair, times] of pairs) shared += Math.min(times, others.get(pair) ?? 0);
  const total = text.length - 1 + (other.length - 1);
  return total <= 0 ? 0 : Math.min(99, Math.floor((200 * shared) / total));
}

function letterPairs(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let i = 0; i + 2 <= text.length; i += 1) {
    const pair = text.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}
