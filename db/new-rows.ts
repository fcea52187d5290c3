// The new rows of a transaction, written together before it commits: one prepared statement per table, with all of its
// rows as one document. A step that writes to eight tables while holding locks must not wait for each.
import type { EntityMetadata, RequiredEntityData } from '@mikro-orm/core';
import type { EntityClass, EntityManager } from '@mikro-orm/postgresql';
import { Event } from './entities/platform/event.ts';
import { insertRows } from './prepared-writes.ts';

type Row = Record<string, unknown>;

/** Rows that a transaction has made but not yet written, oldest first. */
const WAITING = new WeakMap<EntityManager, object[]>();

/** Makes a row that the transaction writes along with its other new rows before it commits (`database.transaction`). */
export function addRow<Entity extends object>(
  em: EntityManager,
  entity: EntityClass<Entity>,
  data: RequiredEntityData<Entity>,
): Entity {
  const row = unmanaged(em, entity, data);
  addRows(em, [row]);
  return row;
}

/** Adds rows made without `addRow` because they were incomplete then. */
export function addRows(em: EntityManager, rows: readonly object[]): void {
  for (const row of rows) complete(em, row as Row);
  WAITING.set(em, [...(WAITING.get(em) ?? []), ...rows]);
}

/** By entity: its prototype with plain fields in place of the mapper's accessors. */
const PROTOTYPES = new WeakMap<object, object>();

/** An instance that the mapper does not follow: the accessors by which it does cost more than the row. */
function unmanaged<Entity extends object>(em: EntityManager, entity: EntityClass<Entity>, data: object): Entity {
  const prototype = PROTOTYPES.get(entity) ?? plainPrototype(em, entity);
  return Object.assign(Object.create(prototype), data);
}

function plainPrototype(em: EntityManager, entity: EntityClass<object>): object {
  const fields = (em.getMetadata(entity) as unknown as EntityMetadata).props.map(
    ({ name }) => [name, { value: undefined, writable: true }] as const,
  );
  const prototype = Object.create(entity.prototype, Object.fromEntries(fields));
  PROTOTYPES.set(entity, prototype);
  return prototype;
}

/** Returns a table's rows that are not yet written. */
export function waitingRows<Entity extends object>(em: EntityManager, entity: new () => Entity): Entity[] {
  return (WAITING.get(em) ?? []).filter((row): row is Entity => row instanceof entity);
}

/** Numbering an event locks a counter that every step of the organization waits for. */
const isNumbered = (row: object): boolean => row instanceof Event;

/**
 * Writes the new rows now, for a step that reads them back or continues to another step. Events wait until the end: no
 * lock is taken after theirs, so no two transactions deadlock on them.
 */
export async function writeNewRows(em: EntityManager): Promise<void> {
  const rows = WAITING.get(em) ?? [];
  WAITING.set(em, rows.filter(isNumbered));
  await write(
    em,
    rows.filter((row) => !isNumbered(row)),
  );
}

/** Writes all new rows just before the transaction commits. */
export async function writeLastRows(em: EntityManager): Promise<void> {
  const rows = WAITING.get(em) ?? [];
  WAITING.delete(em);
  await write(em, [...rows.filter((row) => !isNumbered(row)), ...rows.filter(isNumbered)]);
}

/** Foreign keys are checked at commit, so tables may be written in any order. */
async function write(em: EntityManager, rows: readonly object[]): Promise<void> {
  const ready = rows.map((row) => documentOf(metaOf(em, row), row as Row));
  const alike = Map.groupBy(ready, ({ meta, document }) => `${meta.tableName}: ${Object.keys(document)}`);
  await Promise.all(
    alike.values().flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const documents = [first, ...others].map(({ document }) => document);
      return [insertRows(em, first.meta, documents)];
    }),
  );
}

/** Sets the initial values of a row: id, organization, instants, defaults. */
function complete(em: EntityManager, row: Row): void {
  for (const { name, onCreate, default: initial } of metaOf(em, row).props) {
    if (row[name] !== undefined) continue;
    if (onCreate) row[name] = onCreate(row as never, em);
    else if (initial !== undefined && initial !== null) row[name] = initial;
  }
}

function metaOf(em: EntityManager, row: object): EntityMetadata {
  return em.getMetadata().get(row.constructor as never) as EntityMetadata;
}

/** A row by column; other columns get database defaults. */
function documentOf(meta: EntityMetadata, row: Row): { meta: EntityMetadata; document: Row } {
  const document: Row = {};
  for (const { name, fieldNames } of meta.props) {
    if (row[name] !== undefined) document[fieldNames[0] ?? ''] = row[name];
  }
  return { meta, document };
}
