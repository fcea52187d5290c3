// Guesses at a thing that one person knows and anybody may try: a code, a password. They are counted before they are
// compared, so that few are ever read, and so that one client cannot use up what the person needs.
import { DomainError } from '../domain/errors.ts';
import type { AttemptCount, KvStore, Limit } from './ports.ts';

export interface GuessLimits {
  /** Guesses that are read in the window, from wherever they come. */
  most: number;
  /** Beyond `most`, guesses are read only of clients that have made at most this many ... */
  fewOfClient: number;
  /** ... and no more than this many of everybody together. */
  mostOfAll: number;
  windowSeconds: number;
}

/** A guess that may be compared. */
export interface CountedGuess extends AttemptCount {
  /** It is beyond `most`: the right one is good all the same, a wrong one is answered as tried too often. */
  isBeyond: boolean;
}

/** What is guessed at, and who guesses: names of the store, in which nobody is named. */
export interface Guess {
  name: string;
  client: string;
}

/**
 * Counts a guess. One that is refused here is not read and counts for nobody but its client.
 * @throws DomainError rate_limited
 */
export async function countGuess(
  kv: KvStore,
  { name, client }: Guess,
  { most, fewOfClient, mostOfAll, windowSeconds }: GuessLimits,
): Promise<CountedGuess> {
  const own = await kv.countAttempt(ownKey({ name, client }), windowSeconds);
  const mostNow = own.count <= fewOfClient ? mostOfAll : most;
  const [guess] = await ensureWithin(kv, [{ key: name, most: mostNow, windowSeconds }]);
  return { ...guess, isBeyond: guess.count > most };
}

/** Makes a client that guessed right new to the thing again, so that those who know it are not counted as guessers. */
export function forgetGuesses(kv: KvStore, guess: Guess): Promise<void> {
  return kv.forget(ownKey(guess));
}

/**
 * Counts an attempt for every limit, or, when one of them is reached, for none.
 * @throws DomainError rate_limited
 */
export async function ensureWithin<const Limits extends readonly Limit[]>(
  kv: KvStore,
  limits: Limits,
): Promise<{ [Index in keyof Limits]: AttemptCount }> {
  const counted = await kv.countWithin(limits);
  if (counted.isWithin) return counted.counts as { [Index in keyof Limits]: AttemptCount };
  throw triedTooOften(counted.secondsLeft);
}

/** Builds the refusal of what was tried too often. Spec 7. */
export function triedTooOften(secondsLeft: number): DomainError {
  return new DomainError('rate_limited', 'This was tried too often.', { retryAfterSeconds: secondsLeft });
}

function ownKey({ name, client }: Guess): string {
  return `${name}:${client}`;
}
