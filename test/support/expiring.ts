// Policies that expire soon: copies of a bound policy, inserted directly into the database, so that their workflows
// start from their rows.
import pg from 'pg';
import { cloneId, cloneIdOf, cloneRow } from '../../bench/clone-rows.ts';

/** Days left on the first of the copies; they expire on ten successive days. */
const FIRST_EXPIRES_IN = 20;

export interface Expiring {
  ownerUrl: string;
  /** A bound policy; it stays unchanged. */
  sourceId: string;
  today: string;
  count: number;
  /** SQL for the columns that should differ; `i` counts from 1. */
  columns?: Record<string, string>;
}

let series = 0;

/** Inserts policies in force that expire in 20 to 29 days, and returns their ids in insertion order. */
export async function copyExpiring({ ownerUrl, sourceId, today, count, columns = {} }: Expiring): Promise<string[]> {
  series += 1;
  const mine = series;
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const expires = `'${today}'::date + ${FIRST_EXPIRES_IN} + (i - 1) % 10`;
    await cloneRow(owner, {
      table: 'policies',
      sourceId,
      count,
      columns: {
        ...{ id: cloneId('pol', mine), policy_number: `'COPY-${mine}-' || i`, status: "'active'" },
        ...{ submission_id: 'null', quote_id: 'null' },
        ...{ expiration_date: expires, effective_date: `(${expires} - interval '1 year')::date` },
        ...columns,
      },
    });
  } finally {
    await owner.end();
  }
  return Array.from({ length: count }, (_, i) => cloneIdOf('pol', mine, i + 1));
}
