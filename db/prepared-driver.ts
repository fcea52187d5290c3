// The driver of the mapper, which in a transaction sends prepared statements: it finds rows (`prepared-find.ts`) and
// writes what an organization's transaction has changed, the new rows of a table in one statement, each changed row by
// its key, organization and version. The mapper would build every statement with the values in its text, and PostgreSQL
// would plan it. What is not said so simply the mapper does itself.
import {
  type EntityData,
  type EntityDictionary,
  type EntityMetadata,
  type EntityName,
  type FilterQuery,
  type FindOptions,
  isRaw,
  JsonType,
  type NativeInsertUpdateManyOptions,
  type NativeInsertUpdateOptions,
  type ObjectQuery,
  type QueryResult,
} from '@mikro-orm/core';
import { type EntityManager, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { managerOf, preparedRows } from './prepared.ts';
import { preparedFind } from './prepared-find.ts';
import { columnOf, insertRows, updateRow, type Values } from './prepared-writes.ts';
import { ANY_SCOPE, scopeOf } from './scope.ts';

export class PreparedDriver extends PostgreSqlDriver {
  override async find<T extends object, P extends string = never, F extends string = never, E extends string = never>(
    entity: EntityName<T>,
    where: ObjectQuery<T>,
    options: FindOptions<T, P, F, E> = {},
  ): Promise<EntityData<T>[]> {
    const meta: EntityMetadata = this.metadata.get(entity);
    const em = managerOf(options.ctx);
    const found = em ? preparedFind(meta, where, options) : null;
    if (!em || !found) return super.find(entity, where, options);
    const rows = await this.rethrow(preparedRows(em, found.statement, found.values));
    return rows.map((row) => this.mapResult(row as never, meta as never) as EntityData<T>);
  }

  override async nativeInsertMany<T extends object>(
    entity: EntityName<T>,
    rows: EntityDictionary<T>[],
    options: NativeInsertUpdateManyOptions<T> = {},
    transform?: (sql: string) => string,
  ): Promise<QueryResult<T>> {
    const meta: EntityMetadata = this.metadata.get(entity);
    const em = flushing(meta, rows, options);
    const given = Object.keys(rows[0] ?? {});
    if (!em || rows.some((row) => !haveSameKeys(row, given))) {
      return super.nativeInsertMany(entity, rows, options, transform);
    }
    const left = meta.props.filter(({ name, defaultRaw }) => defaultRaw && !given.includes(name)).map(columnOf);
    const documents = rows.map((row) => documentOf(meta, row));
    const stored = await this.rethrow(insertRows(em, meta, documents, left));
    return resultOf(rows.length, stored);
  }

  override async nativeUpdate<T extends object>(
    entity: EntityName<T>,
    where: FilterQuery<T>,
    changes: EntityDictionary<T>,
    options: NativeInsertUpdateOptions<T> = {},
  ): Promise<QueryResult<T>> {
    const meta: EntityMetadata = this.metadata.get(entity);
    const em = flushing(meta, [changes], options);
    if (!em) return super.nativeUpdate(entity, where, changes, options);
    const { [meta.versionProperty]: version, ...key } = where as Values;
    const row = await this.rethrow(updateRow(em, meta, { key, version, changes }));
    return resultOf(row ? 1 : 0, row ? [row] : []);
  }
}

/**
 * The manager whose flush is written here: in a transaction of one organization, to a table with an organization. Only
 * a flush has converted the values already.
 */
function flushing(
  meta: EntityMetadata,
  rows: readonly Values[],
  { convertCustomTypes, ctx }: Pick<NativeInsertUpdateOptions<object>, 'convertCustomTypes' | 'ctx'>,
): EntityManager | null {
  const em = convertCustomTypes === false ? managerOf(ctx) : undefined;
  if (!em || !('orgId' in meta.properties) || [null, ANY_SCOPE].includes(scopeOf(em))) return null;
  return rows.some((row) => Object.values(row).some((value) => isRaw(value))) ? null : em;
}

function haveSameKeys(row: Values, keys: readonly string[]): boolean {
  return Object.keys(row).length === keys.length && keys.every((key) => key in row);
}

/** A row by column. The mapper gives JSON as text; in a document it is a part like any other. */
function documentOf(meta: EntityMetadata, row: Values): Values {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const property = meta.properties[name];
      const isText = property?.customType instanceof JsonType && typeof value === 'string';
      return [columnOf(property), isText ? JSON.parse(value) : value];
    }),
  );
}

/** What the mapper reads of an answer: how many rows there were, and columns that it does not know yet. */
function resultOf<T>(affectedRows: number, rows: readonly Values[]): QueryResult<T> {
  return { affectedRows, insertId: undefined as never, row: rows[0] ?? {}, rows: [...rows] };
}
