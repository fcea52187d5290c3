// A row that a test holds, so that a command which has passed the api waits for it, and what changes while it waits.
import pg from 'pg';
import type { TestResponse } from './client.ts';
import { eventually } from './eventually.ts';

export interface HeldRow {
  /** Waits until a transaction waits for the row. */
  isWaitedFor: () => Promise<void>;
  /** Changes rows together with the release. */
  change: (sql: string, values: unknown[]) => Promise<void>;
  /** Lets the row go with what was changed. */
  release: () => Promise<void>;
}

/** Locks the rows of a table that a condition with `$1` names, as the owner of the database. */
export async function holdRow(ownerUrl: string, table: string, condition: string, value: string): Promise<HeldRow> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('begin');
  const locked = await client.query(`select 1 from ${table} where ${condition} for update`, [value]);
  if (locked.rowCount === 0) throw new Error(`There is nothing to hold in ${table}`);
  const waiting = 'select 1 from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))';
  return {
    isWaitedFor: async () => {
      await eventually(async () => (await client.query(waiting)).rows.length > 0, {
        what: `somebody to wait for ${table}`,
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
  await held.isWaitedFor();
  await change(held);
  await held.release();
  return answer;
}
