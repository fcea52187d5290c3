// One-time codes of policyholders. The store keeps an HMAC of a code, counts every attempt before comparing it, and
// releases a code to exactly one caller. Nothing here depends on whether the policy exists: a number without a policy
// gets a code too, which no one receives. Spec 5.7, Contract 2 "One-time code".
import { createHash, createHmac, randomInt } from 'node:crypto';
import { ONE_TIME_CODE_ATTEMPTS, ONE_TIME_CODE_DIGITS, ONE_TIME_CODE_LIFETIME_SECONDS } from '../../domain/limits.ts';
import { isSameSecret } from '../../providers/constant-time.ts';
import { countGuess, ensureWithin, forgetGuesses, type GuessLimits, triedTooOften } from '../../providers/guesses.ts';
import type { KvStore } from '../../providers/ports.ts';

const QUARTER_HOUR_SECONDS = 900;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const REQUESTS_A_QUARTER_HOUR = 3;
const REQUESTS_A_DAY = 10;
/** Keeps one client from using up a number's daily limit or walking through everyone's numbers. */
const REQUESTS_OF_CLIENT_FOR_NUMBER_A_DAY = 5;
const REQUESTS_OF_CLIENT_AN_HOUR = 100;
const ATTEMPTS_OF_CLIENT_AN_HOUR = 30;
/** At most 50 of a million codes are compared for a number per day; someone else's 20 attempts lock no one out. */
const ATTEMPTS_AT_NUMBER: GuessLimits = { most: 20, fewOfClient: 5, mostOfAll: 50, windowSeconds: DAY_SECONDS };

interface KeptCode {
  hash: string;
  /** The hash of the address of the client that requested it. */
  client: string;
}

/** A request for a code, or an attempt at one. */
export interface CodeCall {
  /** As `normalizedNumber` gives it. */
  number: string;
  /** The client's address. */
  client: string;
}

/** A policy number as written on policies, in whatever case it was typed. */
export function normalizedNumber(typed: string): string {
  return typed.trim().toUpperCase();
}

/**
 * Makes a code that replaces any earlier one. A refused request counts for neither the client nor the number.
 * @throws DomainError rate_limited
 */
export async function issueCode(kv: KvStore, { number, client }: CodeCall, serverKey: string): Promise<string> {
  const [ofNumber, ofClient] = [nameOf(number), nameOf(client)];
  await ensureWithin(kv, [
    { key: `code-requests-client:${ofClient}`, most: REQUESTS_OF_CLIENT_AN_HOUR, windowSeconds: HOUR_SECONDS },
    {
      key: `code-requests-day:${ofNumber}:${ofClient}`,
      most: REQUESTS_OF_CLIENT_FOR_NUMBER_A_DAY,
      windowSeconds: DAY_SECONDS,
    },
    { key: `code-requests:${ofNumber}`, most: REQUESTS_A_QUARTER_HOUR, windowSeconds: QUARTER_HOUR_SECONDS },
    { key: `code-requests-day:${ofNumber}`, most: REQUESTS_A_DAY, windowSeconds: DAY_SECONDS },
  ]);
  const code = String(randomInt(10 ** ONE_TIME_CODE_DIGITS)).padStart(ONE_TIME_CODE_DIGITS, '0');
  const kept: KeptCode = { hash: hashOf(number, code, serverKey), client: ofClient };
  await kv.put(keyOf(number), kept, ONE_TIME_CODE_LIFETIME_SECONDS);
  return code;
}

/**
 * Redeems a code. The attempt counts before the code is compared: first for the client, then, while a code is
 * outstanding (requested within its ten minutes and not used), for the number and the code.
 * @returns whether the code was right, unexpired, and not already used or burnt
 * @throws DomainError rate_limited
 */
export async function redeemCode(
  kv: KvStore,
  { number, client, code, serverKeys }: CodeCall & { code: string; serverKeys: readonly string[] },
): Promise<boolean> {
  const [ofNumber, ofClient] = [nameOf(number), nameOf(client)];
  const key = `code-attempts-client:${ofClient}`;
  await ensureWithin(kv, [{ key, most: ATTEMPTS_OF_CLIENT_AN_HOUR, windowSeconds: HOUR_SECONDS }]);
  const kept = await kv.read<KeptCode>(keyOf(number));
  if (kept === null) return false;
  const guess = { name: `code-attempts:${ofNumber}`, client: ofClient };
  const { isBeyond, secondsLeft } = await countGuess(kv, guess, ATTEMPTS_AT_NUMBER);
  const isBurnt = await isBurntFor(kv, kept, ofClient);
  const isRight = isSameSecret(kept.hash, ...serverKeys.map((serverKey) => hashOf(number, code, serverKey)));
  if (isRight && !isBurnt && (await kv.takeWithHash(keyOf(number), kept.hash)) !== null) {
    await forgetGuesses(kv, guess);
    return true;
  }
  if (isBeyond) throw triedTooOften(secondsLeft);
  return false;
}

/**
 * Counts an attempt at a code and returns whether five were made before. The client that requested the code has five of
 * its own; all others share five. Guesses from elsewhere burn the code for everyone except the person waiting for it.
 */
async function isBurntFor(kv: KvStore, { hash, client }: KeptCode, ofClient: string): Promise<boolean> {
  const whose = client === ofClient ? 'own' : 'others';
  const { count } = await kv.countAttempt(`code-tries:${hash}:${whose}`, ONE_TIME_CODE_LIFETIME_SECONDS);
  return count > ONE_TIME_CODE_ATTEMPTS;
}

function hashOf(number: string, code: string, serverKey: string): string {
  return createHmac('sha256', serverKey).update(`one-time-code:${number}:${code}`).digest('hex');
}

function keyOf(number: string): string {
  return `code:${nameOf(number)}`;
}

/** The store holds numbers and addresses only as hashes, so that it identifies no one. */
function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
