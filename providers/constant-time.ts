// The one way to compare a secret, key, code or signature with what was sent: in constant time, which reveals nothing
// about either, not even the length.
import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns whether a text is the expected secret, or one of them. Spec 5.1.3. */
export function isSameSecret(given: string, ...expected: readonly string[]): boolean {
  const digestOfGiven = digest(given);
  // All are compared, so that the timing does not reveal which one matched.
  return expected.map((secret) => timingSafeEqual(digestOfGiven, digest(secret))).includes(true);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
