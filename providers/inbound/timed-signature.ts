// Signatures that carry their own time: `t=<seconds>,v1=<hex>` over `<t>.<body>`, HMAC-SHA256 keyed with the secret
// as text. While a secret is rotated the sender signs with both. Pure.
import { createHmac } from 'node:crypto';
import { isSameSecret } from '../constant-time.ts';
import { badSignature, ensureFresh, isFresh } from './freshness.ts';

export interface SignedBody {
  /** The bytes exactly as received. */
  body: Buffer;
  /** The header's value; undefined if there is none. */
  signature: string | undefined;
  /** Any of these may have signed it. If empty, nothing is accepted. */
  secrets: readonly string[];
  /** Milliseconds since 1970. */
  nowMs: number;
  /** The header's name, for the refusal. */
  field: string;
}

/** A time and the signatures over it. */
interface SignatureSet {
  sentAt: string;
  signatures: readonly string[];
}

const SETS_AT_MOST = 4;
const ONE_SET = /^t=(0|[1-9]\d{0,11}),v1=([0-9a-f]{64})$/;
const OLD_AND_NEW = /^t=(0|[1-9]\d{0,11}), ?s0=([0-9a-f]{64})(?:, ?s1=([0-9a-f]{64}))?$/;

/**
 * Verifies `t=…,v1=…`, or several such sets separated by spaces: the identity verifier's scheme. Spec 6.5.
 * @throws DomainError unauthenticated, validation_failed if no matching set is fresh
 */
export function verifySignatureSets(signed: SignedBody): void {
  const sets = (signed.signature ?? '').split(' ').map(setOf);
  if (sets.length > SETS_AT_MOST || sets.some((set) => set === null)) throw badSignature();
  verifySets(sets as SignatureSet[], signed);
}

function setOf(text: string): SignatureSet | null {
  const [, sentAt, signature] = ONE_SET.exec(text) ?? [];
  return sentAt === undefined || signature === undefined ? null : { sentAt, signatures: [signature] };
}

/**
 * Verifies `t=…, s0=…[, s1=…]`: one time, signed with the new secret and the old one.
 * @throws DomainError unauthenticated, validation_failed when it is stale
 */
export function verifyOldAndNew(signed: SignedBody): void {
  const [, sentAt, ...signatures] = OLD_AND_NEW.exec(signed.signature ?? '') ?? [];
  if (sentAt === undefined) throw badSignature();
  verifySets([{ sentAt, signatures: signatures.filter((each) => each !== undefined) }], signed);
}

function verifySets(sets: readonly SignatureSet[], { body, secrets, nowMs, field }: SignedBody): void {
  const proven = sets.filter((set) => isProven(set, body, secrets)).map(({ sentAt }) => Number(sentAt));
  const [first] = proven;
  if (first === undefined) throw badSignature();
  ensureFresh(proven.find((sentAt) => isFresh(sentAt, nowMs)) ?? first, nowMs, field);
}

function isProven({ sentAt, signatures }: SignatureSet, body: Buffer, secrets: readonly string[]): boolean {
  const expected = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${sentAt}.`).update(body).digest('hex'),
  );
  // All are compared, so that the timing does not reveal which one matched.
  return signatures.map((signature) => isSameSecret(signature, ...expected)).includes(true);
}
