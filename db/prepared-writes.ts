// Rows written by prepared statements, for whatever makes or changes them: a flush of the mapper
// (`prepared-driver.ts`), the new rows of a transaction (`new-rows.ts`) and plain rows (`plain-table.ts`).
import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { preparedRows, statementOf } from './prepared.ts';
import { organizationOf } from './scope.ts';

export type Values = Readonly<Record<string, unknown>>;

/** Inserts documents by column, all with the same columns, and returns in their order what else the database set. */
export function insertRows(
  em: EntityManager,
  meta: EntityMetadata,
  documents: readonly Values[],
  returning: readonly string[] = [],
): Promise<Values[]> {
  const [table, columns] = [tableOf(meta), Object.keys(documents[0] ?? {})];
  const statement = statementOf(`insert ${table}: ${columns} returning ${returning}`, () => {
    const names = quoted(columns);
    const text = `insert into ${table} (${names})
      select ${names} from jsonb_populate_recordset(null::${table}, $1::jsonb)`;
    return returning.length > 0 ? `${text} returning ${quoted(returning)}` : text;
  });
  return preparedRows(em, statement, [JSON.stringify(documents)]);
}

/** One row of the organization and what changes in it, by property, as the database takes it. */
export interface RowChange {
  key: Values;
  /** The row changes only while it has this version, and then has the next. */
  version?: unknown;
  changes: Values;
}

/** Changes a row and returns its new version, or its key if it has no version; undefined if there is no such row. */
export async function updateRow(
  em: EntityManager,
  meta: EntityMetadata,
  { key, version, changes }: RowChange,
): Promise<Values | undefined> {
  const columns = (values: Values) => Object.keys(values).map((name) => columnOf(meta.properties[name]));
  const counted = version === undefined ? [] : [columnOf(meta.properties[meta.versionProperty])];
  const [table, changed, given] = [tableOf(meta), columns(changes), [...columns(key), ...counted]];
  const statement = statementOf(`update ${table}: ${changed} where ${given}`, () => {
    const settings = changed.map((column, i) => `"${column}" = $${i + 2}`);
    const next = counted.map((column) => `"${column}" = "${column}" + 1`);
    const where = given.map((column, i) => ` and "${column}" = $${changed.length + i + 2}`);
    const returning = quoted(counted.length > 0 ? counted : given);
    return `update ${table} set ${[...settings, ...next].join(', ')}
      where org_id = $1${where.join('')} returning ${returning}`;
  });
  const values = [organizationOf(em), ...Object.values(changes), ...Object.values(key)];
  const [row] = await preparedRows<Values>(em, statement, counted.length > 0 ? [...values, version] : values);
  return row;
}

/** An entity's table, with its schema if it is not the usual one. */
export function tableOf({ schema, tableName }: EntityMetadata): string {
  return schema === undefined ? `"${tableName}"` : `"${schema}"."${tableName}"`;
}

/** A property's column. */
export function columnOf(property: EntityProperty | undefined): string {
  const [column] = property?.fieldNames ?? [];
  if (column === undefined) throw new TypeError('There is no such property');
  return column;
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}
