// Shows other processes that this one is alive: a lock that the server keeps while our connection lasts. When the
// process dies, its connection ends, and so does the lock.

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** First half of the locks' names; any number, the same in every version. */
export const PRESENCE_LOCKS = 4_127_310;

const ID_BELOW = 2 ** 31;
const CONNECT_WITHIN_MS = 8_000;
const AGAIN_AFTER_MS = 1_000;

export interface Presence {
  /** The lock that this process holds; null if it holds none: then others cannot see whether the process is alive. */
  id(): number | null;
  close(): Promise<void>;
}

/** Starts showing presence, and resumes whenever the server comes back, until closed. */
export function showPresence(databaseUrl: string): Presence {
  const id = randomInt(1, ID_BELOW);
  const closing = new AbortController();
  let isHeld = false;
  const hold = async () => {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'bindery-presence',
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      keepAlive: true,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select pg_advisory_lock($1, $2)', [PRESENCE_LOCKS, id]);
      isHeld = true;
      await once(client, 'end', { signal: closing.signal });
    } finally {
      isHeld = false;
      await client.end();
    }
  };
  const goOn = async () => {
    while (!closing.signal.aborted) {
      await hold().catch(() => {});
      await delay(AGAIN_AFTER_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  };
  const ended = goOn();
  return {
    id: () => (isHeld ? id : null),
    close: () => {
      closing.abort();
      return ended;
    },
  };
}
