// A row or table that a test locks, so that a command past the API has to wait for it, and what changes in the
// meantime.
import pg from 'pg';
import type { TestResponse } from './client.ts';
import { eventually } from './eventually.ts';

export interface HeldRow {
  /**
   * Waits until a transaction waits for the row; given a number, until that many wait, directly or behind one another.
   */
  isWaitedFor: (waiting?: number) => Promise<void>;
  /** Changes rows in the transaction that `release` commits. */
  change: (sql: string, values: unknown[]) => Promise<void>;
  /** Commits the changes and releases the row. */
  release: () => Promise<void>;
}

/** Locks, as the database owner, the rows of a table that match a condition on `$1`. */
export async function holdRow(ownerUrl: string, table: string, condition: string, value: string): Promise<HeldRow> {
  const client = await begin(ownerUrl);
  const locked = await client.query(`select 1 from ${table} where ${condition} for update`, [value]);
  if (locked.rowCount === 0) throw new Error(`There is nothing to hold in ${table}`);
  return held(client, table);
}

/** Blocks writes to a table, or reads too, as the database owner. */
export async function holdTable(
  ownerUrl: string,
  table: string,
  mode: 'share' | 'access exclusive' = 'share',
): Promise<HeldRow> {
  const client = await begin(ownerUrl);
  await client.query(`lock table ${table} in ${mode} mode`);
  return held(client, table);
}

/** Blocks even reads of a table, as the database owner. */
export async function hideTable(ownerUrl: string, table: string): Promise<HeldRow> {
  const client = await begin(ownerUrl);
  await client.query(`lock table ${table} in access exclusive mode`);
  return held(client, table);
}

async function begin(ownerUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('begin');
  return client;
}

/** Reads the locks: a transaction does not see connections made after its first look at who is connected. */
const WAITING = `with recursive blocked as materialized (
    select pid, pg_blocking_pids(pid) as by from pg_locks where not granted),
  waiting (pid) as (
    select pid from blocked where pg_backend_pid() = any (by)
    union select b.pid from blocked b join waiting w on w.pid = any (b.by))
  select pid from waiting`;

function held(client: pg.Client, table: string): HeldRow {
  return {
    isWaitedFor: async (waiting = 1) => {
      await eventually(async () => (await client.query(WAITING)).rows.length >= waiting, {
        what: `${waiting} to wait for ${table}`,
      });
    },
    change: async (sql, values) => {
      await client.query(sql, values);
    },
    release: async () => {
      await client.query('commit');
      await client.end();
    },
  };
}

/** Sends a command, changes something once it waits for the row, lets it continue, and returns its answer. */
export async function overtaken(
  held: HeldRow,
  send: () => Promise<TestResponse>,
  change: (held: HeldRow) => Promise<unknown>,
): Promise<TestResponse> {
  const answer = send();
  try {
    await held.isWaitedFor();
    await change(held);
  } finally {
    // Otherwise whatever waits for the row would wait forever.
    await held.release();
  }
  return answer;
}
