// Rows by prepared statements, for commands that callers wait for: read, lock and change without entities. The same two
// barriers apply: row-level security on the connection, and the organization in every statement.
import { type EntityMetadata, OptimisticLockError } from '@mikro-orm/core';
import type { EntityClass, EntityManager } from '@mikro-orm/postgresql';
import { plainRow } from './plain-row.ts';
import { type PreparedStatement, preparedRows } from './prepared.ts';
import { organizationOf } from './scope.ts';

interface Versioned {
  id: string;
  version: number;
}

const STATEMENTS = new Map<string, PreparedStatement>();

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
  const statement = known(key, () => {
    // With `*`, the statement would break when a migration adds a column.
    const names = meta.props.map(({ name }) => columnOf(meta, name));
    const columns = names.map((name) => `${instead[name] ?? `"${name}"`} as "${name}"`).join(', ');
    return `select ${columns} from "${meta.tableName}" where ${condition}`;
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
  const { statement, document } = updateOf(em, entity, changes, { isVersioned: true });
  const values = [document, organizationOf(em), row.id, row.version];
  const [stored] = await preparedRows<{ version: number }>(em, statement, values);
  if (stored === undefined) throw OptimisticLockError.lockFailed(entity.name);
  return { ...row, ...changes, version: stored.version };
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
  const { statement, document } = updateOf(em, entity, changes, { isVersioned: false });
  await preparedRows(em, statement, [document, organizationOf(em), row.id]);
  return { ...row, ...changes };
}

/**
 * The update of a row, and its changes by column as one document: its `$1`, before the organization and the id. For a
 * table with `version` and `updated_at`, the version that was read comes last.
 */
function updateOf<E extends object>(
  em: EntityManager,
  entity: EntityClass<E>,
  changes: Partial<E>,
  { isVersioned }: { isVersioned: boolean },
): { statement: PreparedStatement; document: string } {
  const meta = em.getMetadata(entity) as unknown as EntityMetadata;
  const changed = Object.entries(changes).map(([name, value]) => [columnOf(meta, name), value] as const);
  const settings = changed.map(([column]) => `"${column}" = changed."${column}"`).join(', ');
  const [counting, counted] = isVersioned
    ? [', updated_at = now(), version = t.version + 1', ' and t.version = $4 returning t.version']
    : ['', ''];
  const statement = known(`${isVersioned ? 'change' : 'write'} ${meta.tableName}: ${settings}`, () =>
    [
      `update "${meta.tableName}" as t set ${settings}${counting}`,
      `from jsonb_populate_record(null::"${meta.tableName}", $1::jsonb) as changed`,
      `where t.org_id = $2 and t.id = $3${counted}`,
    ].join(' '),
  );
  return { statement, document: JSON.stringify(Object.fromEntries(changed)) };
}

function columnOf(meta: EntityMetadata, name: string): string {
  const [column] = meta.props.find((property) => property.name === name)?.fieldNames ?? [];
  if (column === undefined) throw new TypeError(`${meta.className} has no property ${name}`);
  return column;
}

/** The statement of a key, made once. */
function known(key: string, text: () => string): PreparedStatement {
  const statement = STATEMENTS.get(key) ?? { name: `plain ${STATEMENTS.size + 1}`, text: text() };
  STATEMENTS.set(key, statement);
  return statement;
}
