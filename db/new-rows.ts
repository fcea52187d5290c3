// The new rows of a transaction, written in one round trip. MikroORM sends one statement for each table and waits for
// each; a step that writes rows of eight tables while it holds locks should not.
import type { EntityMetadata, EntityName, RequiredEntityData } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Event } from './entities/platform/event.ts';

type Row = Record<string, unknown>;

/** Rows that a transaction has made and not written yet, oldest first. */
const WAITING = new WeakMap<EntityManager, object[]>();

/** Makes a row that the transaction writes with its other new rows before it commits (`database.transaction`). */
export function addRow<Entity extends object>(
  em: EntityManager,
  entity: EntityName<Entity>,
  data: RequiredEntityData<Entity>,
): Entity {
  const row = em.create(entity, data, { persist: false });
  addRows(em, [row]);
  return row;
}

/** Adds rows that have been made without `addRow`, because they were not complete then. */
export function addRows(em: EntityManager, rows: readonly object[]): void {
  for (const row of rows) complete(em, row as Row);
  WAITING.set(em, [...(WAITING.get(em) ?? []), ...rows]);
}

/** Gives a table's rows that are not yet written. */
export function waitingRows<Entity extends object>(em: EntityManager, entity: new () => Entity): Entity[] {
  return (WAITING.get(em) ?? []).filter((row): row is Entity => row instanceof entity);
}

/** Numbering an event locks a counter that every step of the organization waits for. */
const isNumbered = (row: object): boolean => row instanceof Event;

/**
 * Writes the new rows now, for a step that reads them back or goes on to another one. Events wait for the end: no lock
 * is taken after theirs, so no two transactions wait for each other's.
 */
export async function writeNewRows(em: EntityManager): Promise<void> {
  const rows = WAITING.get(em) ?? [];
  WAITING.set(em, rows.filter(isNumbered));
  await write(
    em,
    rows.filter((row) => !isNumbered(row)),
  );
}

/** Writes all new rows, when the transaction is about to commit. */
export async function writeLastRows(em: EntityManager): Promise<void> {
  const rows = WAITING.get(em) ?? [];
  WAITING.delete(em);
  await write(em, [...rows.filter((row) => !isNumbered(row)), ...rows.filter(isNumbered)]);
}

/** Foreign keys are checked at the commit, so the order of the tables is free. */
async function write(em: EntityManager, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const comparator = em.getComparator();
  const statements = [...Map.groupBy(rows, (row) => metaOf(em, row))].map(([meta, ofTable]) => {
    const stored = ofTable.map((row) => comparator.prepareEntity(row as never) as Row);
    return statement(em, meta, stored);
  });
  await em.execute(statements.join(';\n'));
}

/** Gives a row its initial values: id, organization, instants. */
function complete(em: EntityManager, row: Row): void {
  for (const { name, onCreate } of metaOf(em, row).props) {
    if (onCreate && row[name] === undefined) row[name] = onCreate(row as never, em);
  }
}

function metaOf(em: EntityManager, row: object): EntityMetadata {
  return em.getMetadata().get(row.constructor as never) as EntityMetadata;
}

/** One insert with the columns that any of the rows has; the others take what the database gives. */
function statement(em: EntityManager, meta: EntityMetadata, rows: readonly Row[]): string {
  const platform = em.getPlatform();
  const props = meta.props.filter(({ name }) => rows.some((row) => row[name] !== undefined));
  const columns = props.map(({ fieldNames }) => platform.quoteIdentifier(fieldNames[0] ?? ''));
  const values: unknown[] = [];
  const place = (value: unknown): string => {
    if (value === undefined) return 'default';
    values.push(value);
    return '?';
  };
  const places = rows.map((row) => `(${props.map(({ name }) => place(row[name])).join(', ')})`);
  const table = platform.quoteIdentifier(meta.tableName);
  return platform.formatQuery(`insert into ${table} (${columns.join(', ')}) values ${places.join(', ')}`, values);
}
