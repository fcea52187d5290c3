// Slows down who guesses: attempts are counted in the key-value store before a password is compared, for addresses that
// have an account and those that have none alike. Our choice, the specification leaves it open.
import { createHash } from 'node:crypto';
import type { KvStore } from '../providers/ports.ts';
import { tooMany } from './http/rate-limit.ts';

const WINDOW_SECONDS = 900;
const DAY_SECONDS = 86_400;
/** Wrong passwords for one e-mail address in the window, from wherever they come. */
export const SIGN_IN_ATTEMPTS = 10;
/** Wrong passwords from one client in the window, for whatever addresses. */
export const FAILURES_OF_CLIENT = 100;
/** Mails with a link to one address. */
export const LINKS_IN_WINDOW = 3;
export const LINKS_A_DAY = 10;

export interface LockOut {
  /** Counts an attempt to sign in. @throws DomainError rate_limited, also for the right password */
  beforeSignIn(email: string, client: string): Promise<void>;
  /** Counts what came of it. */
  afterSignIn(email: string, client: string, succeeded: boolean): Promise<void>;
  /** Counts a request for a link by mail. @throws DomainError rate_limited */
  beforeLink(email: string): Promise<void>;
  /** Opens the way again for somebody who proved that the mailbox is his. */
  forgive(email: string): Promise<void>;
}

/** Builds the counters. */
export function createLockOut(kv: KvStore): LockOut {
  const signInKey = (email: string) => `sign-in:${hashOf(email)}`;
  const clientKey = (client: string) => `sign-in-client:${hashOf(client)}`;
  const ensureBelow = async (key: string, most: number, seconds: number, message: string) => {
    const { count, secondsLeft } = await kv.countAttempt(key, seconds);
    if (count > most) throw tooMany(message, secondsLeft);
  };
  return {
    beforeSignIn: async (email, client) => {
      const failures = await kv.read<number>(clientKey(client));
      if ((failures ?? 0) >= FAILURES_OF_CLIENT) throw tooMany('Too many failed sign-ins.', WINDOW_SECONDS);
      await ensureBelow(signInKey(email), SIGN_IN_ATTEMPTS, WINDOW_SECONDS, 'Too many failed sign-ins.');
    },
    afterSignIn: async (email, client, succeeded) => {
      if (succeeded) await kv.forget(signInKey(email));
      else await kv.countAttempt(clientKey(client), WINDOW_SECONDS);
    },
    beforeLink: async (email) => {
      const hash = hashOf(email);
      await ensureBelow(`link:${hash}`, LINKS_IN_WINDOW, WINDOW_SECONDS, 'Too many mails were asked for.');
      await ensureBelow(`link-day:${hash}`, LINKS_A_DAY, DAY_SECONDS, 'Too many mails were asked for.');
    },
    forgive: (email) => kv.forget(signInKey(email)),
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
