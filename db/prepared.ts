// Statements that each connection plans once: to plan one of the most frequent reads costs several times as much as to
// run it. They go past the mapper, to the same pool and under the same organization.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { StatementObserver } from './statements.ts';

/** A read with `$1`, `$2`, …; its name is one of its own in the installation. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/** A manager's pool, and who sees its statements. */
export interface StatementPool {
  pool: () => Promise<Pool>;
  observe?: StatementObserver | undefined;
}

const POOLS = new WeakMap<object, StatementPool>();

/** Lets the managers of a connection run prepared statements. */
export function prepareOn(em: EntityManager, pool: StatementPool): void {
  POOLS.set(em.getConnection(), pool);
}

/**
 * Reads rows by a prepared statement in the manager's scope.
 * @throws TypeError in a transaction, whose connection only the mapper has
 */
export async function preparedRows<Row extends object>(
  em: EntityManager,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  if (em.isInTransaction()) throw new TypeError('A prepared statement does not see the transaction');
  const known = POOLS.get(em.getConnection());
  if (known === undefined) throw new TypeError('This connection prepares no statements');
  const running = run<Row>(known, statement, values);
  return known.observe ? observed(known.observe, statement, running) : running;
}

async function run<Row extends object>(
  { pool }: StatementPool,
  { name, text }: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = await (await pool()).connect();
  try {
    const { rows } = await client.query<Row>({ name, text, values: [...values] });
    return rows;
  } finally {
    client.release();
  }
}

async function observed<T>(observe: StatementObserver, { text }: PreparedStatement, running: Promise<T>): Promise<T> {
  const startedMs = performance.now();
  let isFailed = true;
  try {
    const result = await running;
    isFailed = false;
    return result;
  } finally {
    observe({ text, tookMs: performance.now() - startedMs, isFailed });
  }
}
