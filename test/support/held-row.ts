// A row or a table that a test holds, so that a command which has passed the api waits for it, and what changes
// meanwhile.
import pg from 'pg';
import type { TestResponse } from './client.ts';
import { eventually } from './eventually.ts';

export interface HeldRow {
  /** Waits until a transaction waits for the row; with a number until as many wait, for it or for one that does. */
  isWaitedFor: (waiting?: number) => Promise<void>;
  /** Changes rows together with the release. */
  change: (sql: string, values: unknown[]) => Promise<void>;
  /** Lets the row go with what was changed. */
  release: () => Promise<void>;
}

/** Locks the rows of a table that a condition with `$1` names, as the owner of the database. */
export async function holdRow(ownerUrl: string, table: string, condition: string, value: string): Promise<HeldRow> {
  const client = await begin(ownerUrl);
  const locked = await client.query(`select 1 from ${table} where ${condition} for update`, [value]);
  if (locked.rowCount === 0) throw new Error(`There is nothing to hold in ${table}`);
  return held(client, table);
}

/** Keeps a table from being written, or from being read too, as the owner of the database. */
export async function holdTable(
  ownerUrl: string,
  table: string,
  mode: 'share' | 'access exclusive' = 'share',
): Promise<HeldRow> {
  const client = await begin(ownerUrl);
  await client.query(`lock table ${table} in ${mode} mode`);
  return held(client, table);
}

/** Keeps a table even from being read, as the owner of the database. */
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

/** Of the locks, since a transaction does not see who has connected after it first looked at who is there. */
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

/** Sends a command, changes something once it waits for the row, lets it go on, and gives its answer. */
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
    // Else what waits for the row afterwards would wait for good.
    await held.release();
  }
  return answer;
}
