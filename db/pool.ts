// What a connection pool must do besides pooling: give each connection the organization of its user, hold no caller
// longer than they wait, and lose no slot to a connection that died, fell silent, or kept a transaction open.
import type { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import { atDeadline, deadlineOver, inTime, remainingMs, timedOut } from './deadline.ts';

export interface PoolGuard {
  /**
   * The organization that a connection must carry when handed out: '' for none, null for any; absent if there are no
   * organizations.
   */
  organization?: () => string | null;
  /** Sees each connection handed out. */
  note: (client: PoolClient) => void;
  /** How long a connection in use may be silent before its server is considered dead. */
  silenceTimeoutMs: number;
}

/** Replaces how the pool hands out connections. Callers must use the promise form. */
export function guardPool(pool: Pool, { organization, note, silenceTimeoutMs }: PoolGuard): void {
  const carried = new WeakMap<PoolClient, string>();
  const take = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const connect = async (callback?: unknown): Promise<PoolClient> => {
    if (callback) throw new TypeError('The pool hands out connections by promise only');
    const wanted = organization ? organization() : '';
    const client = await takeInTime(take);
    releaseOnceWhenItEnds(client, silenceTimeoutMs);
    if (client.getTransactionStatus() !== 'I') {
      client.release(new Error('A transaction was left open on the connection'));
      return connect();
    }
    note(client);
    if (wanted === null || (carried.get(client) ?? '') === wanted) return client;
    carried.delete(client);
    try {
      await client.query({ name: 'set-org', text: "select set_config('app.org_id', $1, false)", values: [wanted] });
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
    carried.set(client, wanted);
    return client;
  };
  pool.connect = connect as Pool['connect'];
}

/** Waiting for a connection, including connecting, ends at the deadline; one that arrives later is returned. */
async function takeInTime(take: () => Promise<PoolClient>): Promise<PoolClient> {
  if (remainingMs() <= 0) throw deadlineOver();
  const taken = take();
  try {
    return await inTime(taken);
  } catch (error) {
    taken.then((client) => client.release()).catch(() => {});
    throw error;
  }
}

/**
 * Returns a slot to the pool as soon as its connection ends, and ends the connection at its user's deadline. Otherwise
 * its transaction would keep the slot forever: the query builder releases a connection only after a successful commit
 * or rollback, and neither can succeed then.
 */
function releaseOnceWhenItEnds(client: PoolClient, silenceTimeoutMs: number): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const release = client.release.bind(client);
  let isReleased = false;
  const releaseOnce = (error?: Error | boolean) => {
    if (isReleased) return;
    isReleased = true;
    cancel();
    client.off('end', onEnd);
    stream.off('timeout', onSilence).setTimeout(0);
    release(error);
  };
  const onEnd = () => releaseOnce(new Error('The connection has ended'));
  const onSilence = () => stream.destroy(timedOut('The server is silent'));
  // The server ends the work of a connection that is gone.
  const cancel = atDeadline(() => stream.destroy(deadlineOver()));
  client.once('end', onEnd);
  stream.setTimeout(silenceTimeoutMs).once('timeout', onSilence);
  client.release = releaseOnce;
}
