// The one way to compare a secret, key, code or signature with what was sent: in a time that tells nothing about
// either, the length included.
import { createHash, timingSafeEqual } from 'node:crypto';

/** Tells whether a text is the secret that is expected, or one of those that are. Spec 5.1.3. */
export function isSameSecret(given: string, ...expected: readonly string[]): boolean {
  const digestOfGiven = digest(given);
  // All are compared: which one it is must not show either.
  return expected.map((secret) => timingSafeEqual(digestOfGiven, digest(secret))).includes(true);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
