// The rows of one statement, a page at a time: the server plans and sorts once and keeps the rest, so that memory holds
// only a page however many rows there are.
import type { EntityManager } from '@mikro-orm/postgresql';

/** Few enough that other work in the process can continue while they are written. */
const PAGE = 250;

/**
 * Makes all reads of a transaction see one snapshot, whatever is written in the meantime. Call it before the first
 * statement.
 */
export async function readOneMoment(em: EntityManager): Promise<void> {
  await em.execute('set transaction isolation level repeatable read read only');
}

/** Reads the rows of a statement with `?` parameters in pages; needs a transaction, which has one cursor at a time. */
export async function* pagesOf<Row extends object>(
  em: EntityManager,
  sql: string,
  values: readonly unknown[],
): AsyncGenerator<Row[]> {
  await em.execute(`declare pages no scroll cursor for ${sql}`, [...values]);
  for (let rows: Row[] | null = null; rows === null || rows.length === PAGE; ) {
    rows = await em.execute<Row[]>(`fetch ${PAGE} from pages`);
    if (rows.length > 0) yield rows;
  }
  await em.execute('close pages');
}
