// One-time codes of policyholders. The store keeps an HMAC of a code, counts every attempt before it is compared, and gives
// a code up to exactly one caller. Nothing here depends on whether the policy exists. Spec 5.7, Contract 2 "One-time code".
import { createHash, createHmac, randomInt } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import { ONE_TIME_CODE_ATTEMPTS, ONE_TIME_CODE_DIGITS, ONE_TIME_CODE_LIFETIME_SECONDS } from '../../domain/limits.ts';
import { isSameSecret } from '../../providers/constant-time.ts';
import type { KvStore } from '../../providers/ports.ts';

const QUARTER_HOUR_SECONDS = 900;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const REQUESTS_A_QUARTER_HOUR = 3;
const REQUESTS_A_DAY = 10;
const ATTEMPTS_A_DAY = 20;
const ATTEMPTS_OF_CLIENT_AN_HOUR = 30;

interface KeptCode {
  hash: string;
}

/** A policy number as it is written on policies, whatever the case it was typed in. */
export function normalizedNumber(typed: string): string {
  return typed.trim().toUpperCase();
}

/** Counts a request for a code. @throws DomainError rate_limited */
export async function countCodeRequest(kv: KvStore, number: string): Promise<void> {
  const name = nameOf(number);
  await ensureBelow(kv, `code-requests:${name}`, REQUESTS_A_QUARTER_HOUR, QUARTER_HOUR_SECONDS);
  await ensureBelow(kv, `code-requests-day:${name}`, REQUESTS_A_DAY, DAY_SECONDS);
}

/** Makes a code in the place of an earlier one. */
export async function issueCode(kv: KvStore, number: string, serverKey: string): Promise<string> {
  const code = String(randomInt(10 ** ONE_TIME_CODE_DIGITS)).padStart(ONE_TIME_CODE_DIGITS, '0');
  const kept: KeptCode = { hash: hashOf(number, code, serverKey) };
  await kv.put(keyOf(number), kept, ONE_TIME_CODE_LIFETIME_SECONDS);
  return code;
}

/**
 * Uses a code up. The attempt counts before the code is compared; the fifth wrong one burns it.
 * @returns whether the code was right, had not expired and was not used before
 * @throws DomainError rate_limited
 */
export async function redeemCode(
  kv: KvStore,
  { number, code, client, serverKeys }: { number: string; code: string; client: string; serverKeys: readonly string[] },
): Promise<boolean> {
  await ensureBelow(kv, `code-attempts:${nameOf(number)}`, ATTEMPTS_A_DAY, DAY_SECONDS);
  await ensureBelow(kv, `code-attempts-client:${nameOf(client)}`, ATTEMPTS_OF_CLIENT_AN_HOUR, HOUR_SECONDS);
  const kept = await kv.countReading<KeptCode>(keyOf(number));
  const hashes = serverKeys.map((key) => hashOf(number, code, key));
  const isRight = isSameSecret(kept?.hash ?? '', ...hashes);
  if (kept === null) return false;
  const isSpent = kept.attempts > ONE_TIME_CODE_ATTEMPTS;
  if (isRight && !isSpent) return (await kv.takeWithHash(keyOf(number), kept.hash)) !== null;
  if (kept.attempts >= ONE_TIME_CODE_ATTEMPTS) await kv.takeWithHash(keyOf(number), kept.hash);
  return false;
}

async function ensureBelow(kv: KvStore, key: string, most: number, windowSeconds: number): Promise<void> {
  const { count, secondsLeft } = await kv.countAttempt(key, windowSeconds);
  if (count <= most) return;
  throw new DomainError('rate_limited', 'This was tried too often.', { retryAfterSeconds: secondsLeft });
}

function hashOf(number: string, code: string, serverKey: string): string {
  return createHmac('sha256', serverKey).update(`one-time-code:${number}:${code}`).digest('hex');
}

function keyOf(number: string): string {
  return `code:${nameOf(number)}`;
}

/** Numbers and addresses are told apart by their hashes, so that the store names nobody. */
function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
