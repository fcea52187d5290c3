// Writes every new row of a unit of work in one round trip. MikroORM sends one statement for each table and waits for each;
// a step that writes rows of eight tables while it holds locks should not.
import type { EntityMetadata } from '@mikro-orm/core';
import { type EntityManager, helper } from '@mikro-orm/core';
import type { EntityManager as SqlEntityManager } from '@mikro-orm/postgresql';

type Row = Record<string, unknown>;

/**
 * Inserts what was created and persisted since the last flush, and forgets it: the unit of work neither writes nor watches these
 * rows any more. Changed rows are left to the flush. Foreign keys are checked at the commit, so the order of the tables is free.
 */
export async function insertNew(em: SqlEntityManager): Promise<void> {
  const unitOfWork = em.getUnitOfWork();
  const tables = new Map<EntityMetadata, Row[]>();
  for (const entity of [...unitOfWork.getPersistStack()]) {
    const { __meta: meta, __originalEntityData: written } = helper(entity);
    if (written) continue;
    const rows = tables.get(meta) ?? [];
    tables.set(meta, rows);
    rows.push(rowOf(em, meta, entity as Row));
    unitOfWork.unsetIdentity(entity);
  }
  const statements = [...tables].map(([meta, rows]) => statement(em, meta, rows));
  if (statements.length > 0) await em.execute(statements.join(';\n'));
}

function rowOf(em: SqlEntityManager, meta: EntityMetadata, entity: Row): Row {
  for (const prop of meta.props) {
    if (prop.onCreate && entity[prop.name] === undefined) {
      entity[prop.name] = prop.onCreate(entity as never, em as EntityManager);
    }
  }
  return em.getComparator().prepareEntity(entity as never) as Row;
}

/** One insert with the columns that any of the rows has; the others take what the database gives. */
function statement(em: SqlEntityManager, meta: EntityMetadata, rows: readonly Row[]): string {
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
