// Statements that each connection plans once: planning a short statement costs several times as much as running it.
// They bypass the mapper, using the same pool and organization and, in a transaction, its connection. Those sent
// without waiting for each other travel together and run in order.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool, PoolClient } from 'pg';
import { type StatementObserver, withoutLiterals } from './statements.ts';

/**
 * A statement with `$1`, `$2`, …; its name is unique in the installation. It names the organization. Without a name it
 * is planned each time.
 */
export interface PreparedStatement {
  name: string;
  text: string;
}

/** Bounds what connections keep: callers choose which columns a statement changes. */
const MOST_STATEMENTS = 1_000;

const STATEMENTS = new Map<string, PreparedStatement>();

/** The statement of a key, made once; beyond a thousand keys, each time and without a name. */
export function statementOf(key: string, text: () => string): PreparedStatement {
  const known = STATEMENTS.get(key);
  if (known) return known;
  if (STATEMENTS.size >= MOST_STATEMENTS) return { name: '', text: text() };
  const statement = { name: `made ${STATEMENTS.size + 1}`, text: text() };
  STATEMENTS.set(key, statement);
  return statement;
}

/** A manager's pool, and the observer of its statements. */
export interface StatementPool {
  pool: () => Promise<Pool>;
  observe?: StatementObserver | undefined;
}

const POOLS = new WeakMap<object, StatementPool>();

/** The connections of managers that currently have their own. */
const CONNECTIONS = new WeakMap<EntityManager, PoolClient>();

/**
 * The last connection handed out before a transaction begins is its own: the mapper tests the server on another one
 * before its first transaction.
 */
const beginning = new AsyncLocalStorage<{ connection: PoolClient | null; hasBegun: boolean }>();

/** Lets the managers of a connection run prepared statements. */
export function prepareOn(em: EntityManager, pool: StatementPool): void {
  POOLS.set(em.getConnection(), pool);
}

/** Notes a connection that the pool hands out. */
export function noteConnection(connection: PoolClient): void {
  const transaction = beginning.getStore();
  if (transaction && !transaction.hasBegun) transaction.connection = connection;
}

/** The managers of the mapper's transactions, by what it calls their context. */
const MANAGERS = new WeakMap<object, EntityManager>();

/** Returns the manager whose transaction this is, if it can send prepared statements. */
export function managerOf(transaction: object | undefined): EntityManager | undefined {
  const em = transaction && MANAGERS.get(transaction);
  return em && CONNECTIONS.has(em) ? em : undefined;
}

/** Callbacks waiting for a manager's transaction to commit. */
const AFTERWARDS = new WeakMap<EntityManager, (() => void)[]>();

/** Runs a mapper transaction that can also send prepared statements. */
export async function transactional<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  const transaction: { connection: PoolClient | null; hasBegun: boolean } = { connection: null, hasBegun: false };
  const afterwards: (() => void)[] = [];
  let own: EntityManager | undefined;
  const result = await beginning
    .run(transaction, () =>
      em.transactional((inner) => {
        own = inner;
        transaction.hasBegun = true;
        AFTERWARDS.set(inner, afterwards);
        if (transaction.connection?.getTransactionStatus() === 'T') CONNECTIONS.set(inner, transaction.connection);
        MANAGERS.set(inner.getTransactionContext() as object, inner);
        return work(inner);
      }),
    )
    // Not earlier: the mapper writes what is still unwritten before it commits.
    .finally(() => own && CONNECTIONS.delete(own));
  for (const each of afterwards) each();
  return result;
}

/** Runs work once the manager's transaction has committed; without one, now. */
export function afterCommit(em: EntityManager, work: () => void): void {
  const afterwards = AFTERWARDS.get(em);
  if (afterwards) afterwards.push(work);
  else work();
}

/**
 * Runs prepared reads on one connection, so that those that do not wait for each other travel together. Only prepared
 * ones: the mapper would take a second connection while the first is held.
 */
export async function onOneConnection<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  if (em.isInTransaction()) return work(em);
  const own = em.fork({ disableContextResolution: true });
  const client = await (await poolOf(em).pool()).connect();
  CONNECTIONS.set(own, client);
  try {
    return await work(own);
  } finally {
    client.release();
  }
}

/**
 * Runs a prepared statement in the manager's scope and returns its rows.
 * @throws TypeError in a transaction whose connection is not known
 */
export function preparedRows<Row extends object>(
  em: EntityManager,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { pool, observe } = poolOf(em);
  const own = CONNECTIONS.get(em);
  if (!own && em.isInTransaction()) throw new TypeError('A prepared statement would not see the transaction');
  const running = own ? send<Row>(own, statement, values) : take<Row>(pool, statement, values);
  return observe ? observed(observe, statement, running) : running;
}

function poolOf(em: EntityManager): StatementPool {
  const known = POOLS.get(em.getConnection());
  if (known === undefined) throw new TypeError('This connection prepares no statements');
  return known;
}

async function take<Row extends object>(
  pool: StatementPool['pool'],
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = await (await pool()).connect();
  try {
    return await send<Row>(client, statement, values);
  } finally {
    client.release();
  }
}

async function send<Row extends object>(
  client: PoolClient,
  { name, text }: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await client.query<Row>({ name, text, values: [...values] });
  return rows;
}

async function observed<T>(
  observe: StatementObserver,
  { name, text }: PreparedStatement,
  running: Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  let isFailed = true;
  try {
    const result = await running;
    isFailed = false;
    return result;
  } finally {
    const tookMs = performance.now() - startedMs;
    observe({ text: withoutLiterals(text), tookMs, isFailed, isPrepared: name !== '' });
  }
}
