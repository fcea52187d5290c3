// Reads rows without entities: in hot, display-only reads, change tracking is most of the cost.
import type { EntityMetadata } from '@mikro-orm/core';
import type { EntityClass, EntityManager } from '@mikro-orm/postgresql';

type Convert = (value: unknown) => unknown;

const converters = new WeakMap<EntityMetadata, (readonly [name: string, convert: Convert])[]>();

/** Returns a result row of the entity's table with the entity's properties and types. Changing it writes nothing. */
export function plainRow<E extends object>(em: EntityManager, entity: EntityClass<E>, row: object): Readonly<E> {
  const meta = em.getMetadata(entity) as unknown as EntityMetadata;
  const found = em.getDriver().mapResult(row as never, meta as never) as unknown as Record<string, unknown>;
  for (const [name, convert] of convertersOf(em, meta)) found[name] = convert(found[name]);
  return found as Readonly<E>;
}

function convertersOf(em: EntityManager, meta: EntityMetadata) {
  const known = converters.get(meta);
  if (known) return known;
  const platform = em.getPlatform();
  const made = meta.props.flatMap(({ name, customType }) =>
    customType ? [[name, (value: unknown) => customType.convertToJSValue(value, platform)] as const] : [],
  );
  converters.set(meta, made);
  return made;
}
