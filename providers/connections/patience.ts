// How long a process waits for one address of a host before it tries the next.
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

/**
 * Node gives up on an address after 250 ms, but a busy process may need that long for the handshake. If no other
 * address answers, a healthy host counts as unreachable: for a webhook that is a lost event.
 */
export const ADDRESS_MS = 3_000;

/** Makes every connection of this process wait that long. Call it before the first one. */
export function connectPatiently(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_MS);
}
