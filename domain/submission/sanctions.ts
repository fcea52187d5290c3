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

/** A listed party with the same name (score 100) or a similar one. */
export interface SanctionsMatch {
  entryId: string;
  name: string;
  program: string;
  /** Similarity in whole percent. */
  score: number;
}

const CLOSE_PERCENT = 88;
/** The same letters with different spacing: not 100, which is reserved for the same words. */
const OTHER_SPACES_PERCENT = 99;
/** A shorter one may occur by chance across two words. */
const SHORTEST_ACROSS_WORDS = 10;

/**
 * Prepares a list once and returns a function that screens names against it: parties with the same words in any order
 * score 100, others score by shared letter pairs and match from 88 percent. A longer name also matches if it contains
 * a party (a joint payee, "in care of", a trade name): the party's words are adjacent, all but one as listed, perhaps
 * with one word between them (a middle name), or all its letters appear with different spacing. A one-word party
 * matches only whole names, since it may be any word. Best match first. The name is normalized as for clearance, and
 * letters of other alphabets count as their look-alikes; '' matches nothing.
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

/** A listed party in the form that names are compared with. */
interface Listed {
  entry: SanctionsEntry;
  words: readonly string[];
  /** Its words in alphabetical order. */
  text: string;
  /** Without spaces, as listed. */
  letters: string;
}

function listed({ id, name, program }: SanctionsEntry): Listed {
  const words = wordsOf(name);
  return { entry: { id, name, program }, words, text: sorted(words), letters: words.join('') };
}

/** Compares a name's words with listed parties, which are prepared once. */
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

/** Every run of `length` words: adjacent, or with one word between them. */
function runsOf(words: readonly string[], length: number): string[][] {
  return words.flatMap((_, at) => {
    const [run, longer] = [words.slice(at, at + length), words.slice(at, at + length + 1)];
    if (run.length < length) return [];
    if (longer.length === length) return [run];
    return [run, ...run.slice(1).map((_, between) => longer.filter((_, place) => place !== between + 1))];
  });
}

/**
 * The Sørensen–Dice coefficient of the letter pairs, in whole percent; 100 is reserved for the same words, and 0 means
 * that the lengths alone rule out a match.
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
