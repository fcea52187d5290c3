// Slows down guessing: attempts are counted in the key-value store before a password is compared, whether or not the
// address has an account. Our choice; the specification leaves it open.
import { createHash } from 'node:crypto';
import { ensureWithin } from '../providers/guesses.ts';
import type { KvStore } from '../providers/ports.ts';
import { tooMany } from './http/rate-limit.ts';

const WINDOW_SECONDS = 900;
const DAY_SECONDS = 86_400;
/** Wrong passwords for one e-mail address in the window, from all clients. */
export const SIGN_IN_ATTEMPTS = 10;
/** Wrong passwords from one client in the window, for all addresses. */
export const FAILURES_OF_CLIENT = 100;
/** E-mails with a link to one address. */
export const LINKS_IN_WINDOW = 3;
const LINKS_A_DAY = 10;
/**
 * Links that one client may request: for one address, so that it cannot use up the address's daily limit, and in total.
 */
const LINKS_OF_CLIENT_A_DAY = 5;
const LINKS_OF_CLIENT_IN_WINDOW = 30;

export interface LockOut {
  /** Counts an attempt to sign in. @throws DomainError rate_limited, also for the right password */
  beforeSignIn(email: string, client: string): Promise<void>;
  /** Counts the result. */
  afterSignIn(email: string, client: string, succeeded: boolean): Promise<void>;
  /** Counts a request for an e-mailed link. A refused one is not counted. @throws DomainError rate_limited */
  beforeLink(email: string, client: string): Promise<void>;
  /** Clears the counts of someone who proved that the mailbox is theirs. */
  forgive(email: string): Promise<void>;
}

/** Builds the counters. */
export function createLockOut(kv: KvStore): LockOut {
  const signInKey = (email: string) => `sign-in:${hashOf(email)}`;
  const clientKey = (client: string) => `sign-in-client:${hashOf(client)}`;
  return {
    beforeSignIn: async (email, client) => {
      const failures = await kv.read<number>(clientKey(client));
      if ((failures ?? 0) >= FAILURES_OF_CLIENT) throw tooMany('Too many failed sign-ins.', WINDOW_SECONDS);
      await ensureWithin(kv, [{ key: signInKey(email), most: SIGN_IN_ATTEMPTS, windowSeconds: WINDOW_SECONDS }]);
    },
    afterSignIn: async (email, client, succeeded) => {
      if (succeeded) await kv.forget(signInKey(email));
      else await kv.countAttempt(clientKey(client), WINDOW_SECONDS);
    },
    beforeLink: async (email, client) => {
      const [address, requester] = [hashOf(email), hashOf(client)];
      await ensureWithin(kv, [
        { key: `link-client:${requester}`, most: LINKS_OF_CLIENT_IN_WINDOW, windowSeconds: WINDOW_SECONDS },
        { key: `link-day:${address}:${requester}`, most: LINKS_OF_CLIENT_A_DAY, windowSeconds: DAY_SECONDS },
        { key: `link:${address}`, most: LINKS_IN_WINDOW, windowSeconds: WINDOW_SECONDS },
        { key: `link-day:${address}`, most: LINKS_A_DAY, windowSeconds: DAY_SECONDS },
      ]);
    },
    forgive: (email) => kv.forget(signInKey(email)),
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
