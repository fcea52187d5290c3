// Listens to a database channel over its own connection, and resumes when the server is back. Announcements made in the
// meantime are lost, so listeners must also poll from time to time.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const CONNECT_WITHIN_MS = 8_000;
const AGAIN_AFTER_MS = 500;

export interface Listener {
  close(): Promise<void>;
}

/** Starts listening; `hear` is called with the payload of each notification. */
export function listenTo(databaseUrl: string, channel: string, hear: (payload: string) => void): Listener {
  const closing = new AbortController();
  const listen = async () => {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: `bindery-${channel}`,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      keepAlive: true,
    });
    client.on('error', () => {});
    client.on('notification', ({ payload }) => hear(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      await once(client, 'end', { signal: closing.signal });
    } finally {
      await client.end();
    }
  };
  const goOn = async () => {
    while (!closing.signal.aborted) {
      await listen().catch(() => {});
      await delay(AGAIN_AFTER_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  };
  const ended = goOn();
  return {
    close: () => {
      closing.abort();
      return ended;
    },
  };
}
