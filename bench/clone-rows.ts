// Copies one row that the platform wrote many times inside the database: a table of a million rows in seconds.
import type pg from 'pg';

/** Large enough to be efficient, small enough that the write-ahead log stays within its bound. */
const BATCH = 100_000;

export interface Clones {
  table: string;
  /** Id of the row to copy. */
  sourceId: string;
  /** The column of that id, if not `id`. */
  key?: string;
  count: number;
  /** SQL for the columns that differ; `i` counts from 1. */
  columns: Record<string, string>;
}

/** SQL for the `i`th id with this prefix: well-formed, and sorted by `i` within a `series` from 0 to 99. */
export function cloneId(prefix: string, series: number): string {
  return `'${beginning(prefix, series)}' || lpad(i::text, 23, '0')`;
}

/** The same id as `cloneId` gives, for one number. */
export function cloneIdOf(prefix: string, series: number, i: number): string {
  return `${beginning(prefix, series)}${String(i).padStart(23, '0')}`;
}

function beginning(prefix: string, series: number): string {
  return `${prefix}_0${String(series).padStart(2, '0')}`;
}

/** Copies the row `count` times. The connection must be the owner's, since the rows may belong to any organization. */
export async function cloneRow(
  owner: pg.Client,
  { table, sourceId, key = 'id', count, columns }: Clones,
): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const names = rows.map(({ name }) => `"${name}"`);
  const values = rows.map(({ name }) => columns[name] ?? `source."${name}"`);
  const statement = `insert into ${table} (${names.join(', ')})
    select ${values.join(', ')} from ${table} source cross join generate_series($2::int, $3::int) as i
    where source.${key} = $1`;
  for (let from = 1; from <= count; from += BATCH) {
    await owner.query(statement, [sourceId, from, Math.min(count, from + BATCH - 1)]);
  }
}
