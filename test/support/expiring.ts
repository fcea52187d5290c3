// Policies that expire soon: copies of one that was bound, written past the platform, so that their workflows are
// started from their rows.
import pg from 'pg';
import { cloneId, cloneIdOf, cloneRow } from '../../bench/clone-rows.ts';

/** Days that the first of the copies have left; they expire on ten days one after the other. */
const FIRST_EXPIRES_IN = 20;

export interface Expiring {
  ownerUrl: string;
  /** A policy that was bound; it stays as it is. */
  sourceId: string;
  today: string;
  count: number;
  /** SQL for columns that are to differ; `i` counts from 1. */
  columns?: Record<string, string>;
}

let series = 0;

/** Writes policies in force that expire within 20 to 29 days, and answers their ids in the order of writing. */
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
