// Subscription secrets as keys, opened once for many deliveries. Bounded, and keyed by the stored text: a secret that
// was rotated or moved has another entry.
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { TemporalSettings } from '../temporal.ts';
import { openSecret } from './secrets.ts';

/** A few hundred bytes each. */
const MAX_KEPT = 1_000;

/** The keys made from one secret. */
export interface SigningKey {
  /** The 64 characters as text, not the bytes that they encode. */
  text: KeyObject;
  /** The key that a library gets if it decodes the characters as base64, which they happen to be. */
  decoded: KeyObject;
}

/** Makes the keys of a secret. */
export function signingKey(secret: string): SigningKey {
  return { text: createSecretKey(secret, 'utf8'), decoded: createSecretKey(secret, 'base64') };
}

const KEPT = new Map<string, SigningKey>();

/** @throws Error if the secret cannot be opened, as with `openSecret`; failures are not cached */
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
