// The secrets of subscriptions as keys, opened once for many deliveries. Bounded, and known by what is stored: a secret
// that was rotated or moved is another one.
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { TemporalSettings } from '../temporal.ts';
import { openSecret } from './secrets.ts';

/** Of a few hundred bytes each. */
const MAX_KEPT = 1_000;

/** What one secret signs with. */
export interface SigningKey {
  /** The 64 characters as text, not the bytes that they spell. */
  text: KeyObject;
  /** What a library makes of the characters when it takes them for base64, which they happen to be. */
  decoded: KeyObject;
}

/** Makes the keys of a secret. */
export function signingKey(secret: string): SigningKey {
  return { text: createSecretKey(secret, 'utf8'), decoded: createSecretKey(secret, 'base64') };
}

const KEPT = new Map<string, SigningKey>();

/** @throws Error when the secret does not open, as `openSecret` does; that is not remembered */
export function openedKey(sealed: string, webhookId: string, keys: TemporalSettings['payloadKeys']): SigningKey {
  const name = `${webhookId} ${sealed}`;
  const known = KEPT.get(name);
  if (known) return known;
  const made = signingKey(openSecret(sealed, webhookId, keys));
  const [oldest] = KEPT.keys();
  if (oldest !== undefined && KEPT.size >= MAX_KEPT) KEPT.delete(oldest);
  KEPT.set(name, made);
  return made;
}
