// Screens a name against a list of sanctioned parties. A match is a reason to look, not a verdict: it blocks the bind
// until a person has cleared it. 31 C.F.R. chapter V; Contract 3.1 SANCTIONS_REVIEW.
import { normalizeName } from './clearance.ts';

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

/**
 * Screens a name: parties with the same words in any order score 100, others by the letter pairs they share; from 88
 * percent on they match. Best match first. The name is normalised as for clearance; '' matches nothing.
 */
export function screenName(name: string, entries: readonly SanctionsEntry[]): SanctionsMatch[] {
  const words = sortedWords(name);
  if (words === '') return [];
  const pairs = letterPairs(words);
  return entries
    .map((entry) => ({
      entryId: entry.id,
      name: entry.name,
      program: entry.program,
      score: likeness(words, pairs, sortedWords(entry.name)),
    }))
    .filter((match) => match.score >= CLOSE_PERCENT)
    .sort((a, b) => b.score - a.score || (a.entryId < b.entryId ? -1 : 1));
}

function sortedWords(name: string): string {
  return normalizeName(name).split(' ').sort().join(' ');
}

/** The Sørensen–Dice coefficient of the letter pairs, in whole percent; 100 is kept for the very same words. */
function likeness(words: string, pairs: ReadonlyMap<string, number>, otherWords: string): number {
  if (words === otherWords) return 100;
  const others = letterPairs(otherWords);
  let shared = 0;
  for (const [pair, times] of pairs) shared += Math.min(times, others.get(pair) ?? 0);
  const total = words.length - 1 + (otherWords.length - 1);
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
