// Rows by prepared statements, for commands that callers wait for: read, lock and change without entities. The same two
// barriers apply: row-level security on the connection, and the organization in every statement.
import { type EntityMetadata, OptimisticLockError } from '@mikro-orm/core';
import type { EntityClass, EntityManager } from '@mikro-orm/postgresql';
import { plainRow } from './plain-row.ts';
import { preparedRows, statementOf } from './prepared.ts';
import { columnOf, tableOf, updateRow, type Values } from './prepared-writes.ts';
import { organizationOf } from './scope.ts';

interface Versioned {
  id: string;
  version: number;
}

/**
 * Reads the rows that meet a condition; its parameters are the organization as `$1`, then the given values. Changing
 * the rows writes nothing. `instead` says what to read in place of columns.
 */
export async function readRows<E extends object>(
  em: EntityManager,
  entity: EntityClass<E>,
  condition: `org_id = $1 and ${string}`,
  values: readonly unknown[],
  instead: Readonly<Record<string, string>> = {},
): Promise<Readonly<E>[]> {
  const rows = await readColumns(em, entity, condition, values, instead);
  return rows.map((row) => plainRow(em, entity, row));
}

/** Like `readRows`, but returns the rows as the database gave them. */
export async function readColumns<E extends object>(
  em: EntityManager,
  entity: EntityClass<E>,
  condition: `org_id = $1 and ${string}`,
  values: readonly unknown[],
  instead: Readonly<Record<string, string>> = {},
): Promise<object[]> {
  const meta = em.getMetadata(entity) as unknown as EntityMetadata;
  const key = [`${meta.tableName} where ${condition}`, ...Object.values(instead)].join(' with ');
  const statement = statementOf(key, () => {
    // With `*`, the statement would break when a migration adds a column.
    const names = meta.props.map(columnOf);
    const columns = names.map((name) => `${instead[name] ?? `"${name}"`} as "${name}"`).join(', ');
    return `select ${columns} from ${tableOf(meta)} where ${condition}`;
  });
  return preparedRows(em, statement, [organizationOf(em), ...values]);
}

export const BY_ID = 'org_id = $1 and id = $2';
export const LOCKED_BY_ID = 'org_id = $1 and id = $2 for update';

/** Reads a row, or null. */
export async function readRow<E extends object>(em: EntityManager, entity: EntityClass<E>, id: string) {
  const [row] = await readRows(em, entity, BY_ID, [id]);
  return row ?? null;
}

/** Reads a row and locks it until the transaction ends; null when there is none. */
export async function lockRow<E extends object>(em: EntityManager, entity: EntityClass<E>, id: string) {
  const [row] = await readRows(em, entity, LOCKED_BY_ID, [id]);
  return row ?? null;
}

/**
 * Writes changes to a row immediately and returns the updated row.
 * @throws OptimisticLockError if it is no longer the version that was read
 */
export async function changeRow<E extends Versioned>(
  em: EntityManager,
  entity: EntityClass<E>,
  row: Readonly<E>,
  changes: Partial<E>,
): Promise<Readonly<E>> {
  const changed = { updatedAt: new Date(), ...changes };
  const stored = await update(em, entity, row.id, { version: row.version, changes: changed });
  if (stored === undefined) throw OptimisticLockError.lockFailed(entity.name);
  return { ...row, ...changes, version: Number(stored.version) };
}

/**
 * Writes columns of a row without versions immediately and returns the updated row. The transaction must already hold
 * its lock.
 */
export async function writeColumns<E extends { id: string }>(
  em: EntityManager,
  entity: EntityClass<E>,
  row: Readonly<E>,
  changes: Partial<E>,
): Promise<Readonly<E>> {
  await update(em, entity, row.id, { changes });
  return { ...row, ...changes };
}

function update<E extends object>(
  em: EntityManager,
  entity: EntityClass<E>,
  id: string,
  { version, changes }: { version?: number; changes: object },
): Promise<Values | undefined> {
  const meta = em.getMetadata(entity) as unknown as EntityMetadata;
  const values = Object.entries(changes).map(([name, value]) => {
    const { customType } = meta.properties[name] ?? {};
    return [name, customType ? customType.convertToDatabaseValue(value, em.getPlatform()) : value];
  });
  return updateRow(em, meta, { key: { id }, version, changes: Object.fromEntries(values) });
}
