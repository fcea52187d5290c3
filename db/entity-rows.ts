// Entities by hand-written prepared statements, in a transaction and outside. The mapper follows and writes them as
// those it reads itself, whose statements are prepared in a transaction only and never travel together.
import type { EntityMetadata } from '@mikro-orm/core';
import { type EntityClass, type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { BY_ID, LOCKED_BY_ID, readColumns } from './plain-table.ts';
import { scopeOf } from './scope.ts';

interface Identified {
  id: string;
}

/** Finds an entity by its id, or returns null; one that the manager has already read is not read again. */
export async function findById<E extends Identified>(
  em: EntityManager,
  entity: EntityClass<E>,
  id: string,
): Promise<E | null> {
  const isKnown = em.getUnitOfWork().getById(entity, id as never) !== undefined;
  // Without an organization there is no barrier to name in a statement of ours.
  if (isKnown || scopeOf(em) === null) return em.findOne<E>(entity, { id } as never);
  return findOneWhere(em, entity, BY_ID, [id]);
}

/**
 * Reads an entity and locks its row until the transaction ends; null if there is none. Changes of the transaction that
 * are not yet written stay, unless it `refresh`es.
 * @throws TypeError outside a transaction
 */
export async function lockById<E extends Identified>(
  em: EntityManager,
  entity: EntityClass<E>,
  id: string,
  { refresh = false }: { refresh?: boolean } = {},
): Promise<E | null> {
  if (!em.isInTransaction()) throw new TypeError('A lock ends with its transaction, and there is none');
  if (scopeOf(em) === null) {
    return em.findOne<E>(entity, { id } as never, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh });
  }
  return findOneWhere(em, entity, LOCKED_BY_ID, [id], { refresh });
}

/** Reads the first entity that meets a condition, as `findWhere` does; null if none does. */
export async function findOneWhere<E extends object>(...of: Parameters<typeof findWhere<E>>): Promise<E | null> {
  const [found] = await findWhere<E>(...of);
  return found ?? null;
}

/** Reads the entities that meet a condition; its parameters are the organization as `$1`, then the given values. */
export async function findWhere<E extends object>(
  em: EntityManager,
  entity: EntityClass<E>,
  condition: `org_id = $1 and ${string}`,
  values: readonly unknown[],
  { refresh = false }: { refresh?: boolean } = {},
): Promise<E[]> {
  const meta = em.getMetadata(entity) as unknown as EntityMetadata<E>;
  // As before every read of the mapper: the statement must see new rows. Without any it is sent immediately.
  if (em.getUnitOfWork().shouldAutoFlush(meta)) await em.flush();
  const rows = await readColumns(em, entity, condition, values);
  return rows.map((row) => {
    const data = em.getDriver().mapResult(row as never, meta as never);
    return em.getEntityFactory().create(entity, data as never, { merge: true, refresh, convertCustomTypes: true }) as E;
  });
}
