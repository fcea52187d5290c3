// The database as its owner sees it, past row-level security, over connections that stay open: a trial looks into it
// thousands of times, and connecting costs more than most looks.
import pg from 'pg';
import type { Rows } from '../faults/bind.ts';
import type { Surroundings } from '../faults/dying-workers.ts';

const CONNECTIONS = 6;

export interface OwnerRows extends Pick<Rows, 'query'> {
  close(): Promise<void>;
}

/** A platform, and the rows behind it. */
export interface BooksSurroundings extends Surroundings {
  rows: OwnerRows;
}

export function openOwnerRows(ownerUrl: string): OwnerRows {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: CONNECTIONS });
  return {
    query: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    close: () => pool.end(),
  };
}
