// Guesses at a secret that one person knows and anyone may try: a code, a password. They are counted before they are
// compared, so that few are ever compared and one client cannot use up the attempts the person needs.
import { DomainError } from '../domain/errors.ts';
import type { AttemptCount, Limit } from '../domain/platform/kv.ts';
import type { KvStore } from './ports.ts';

export interface GuessLimits {
  /** Guesses compared in the window, from any client. */
  most: number;
  /** Beyond `most`, guesses are compared only for clients that have made at most this many ... */
  fewOfClient: number;
  /** ... and no more than this many from everyone together. */
  mostOfAll: number;
  windowSeconds: number;
}

/** A guess that may be compared. */
export interface CountedGuess extends AttemptCount {
  /** Beyond `most`: the right guess still counts, a wrong one is refused as tried too often. */
  isBeyond: boolean;
}

/** What is guessed, and by which client: store keys, which identify no one. */
export interface Guess {
  name: string;
  client: string;
}

/**
 * Counts a guess. A guess refused here is not compared and counts only for its client.
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

/** Forgets the guesses of a client that guessed right, so that people who know the secret do not count as guessers. */
export function forgetGuesses(kv: KvStore, guess: Guess): Promise<void> {
  return kv.forget(ownKey(guess));
}

/**
 * Counts an attempt for every limit, or for none if one of them is reached.
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

/** Builds the refusal for too many attempts. Spec 7. */
export function triedTooOften(secondsLeft: number): DomainError {
  return new DomainError('rate_limited', 'Too many attempts.', { retryAfterSeconds: secondsLeft });
}

function ownKey({ name, client }: Guess): string {
  return `${name}:${client}`;
}
