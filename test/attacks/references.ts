// Where an operation's body names rows by id, according to its schema.
import type { JsonSchema } from '../support/bad-bodies.ts';
import { idPrefixOf, resolve } from '../support/operations.ts';

export interface Reference {
  /** Field names from the outside in; `0` is the first entry of a list. */
  field: readonly string[];
  prefix: string;
}

/** A schema for any JSON recurses forever. */
const DEEPEST = 6;

/** Every field of a body that takes an id. */
export function referencesIn(schema: JsonSchema, field: readonly string[] = []): Reference[] {
  if (field.length > DEEPEST) return [];
  return branchesOf(schema).flatMap((branch) => {
    const prefix = branch.type === 'string' && field.length > 0 ? idPrefixOf(branch) : null;
    const inside = Object.entries(branch.properties ?? {}).flatMap(([name, one]) =>
      referencesIn(one, [...field, name]),
    );
    const listed = branch.items ? referencesIn(branch.items, [...field, '0']) : [];
    return [...(prefix === null ? [] : [{ field, prefix }]), ...inside, ...listed];
  });
}

/** The body with another id at a reference. */
export function withReference(body: unknown, { field }: Reference, id: string): unknown {
  const [name, ...rest] = field;
  if (name === undefined) return id;
  const inner = withReference((body as Record<string, unknown> | undefined)?.[name], { field: rest, prefix: '' }, id);
  if (name === '0') return [inner];
  return { ...(body as object), [name]: inner };
}

function branchesOf(schema: JsonSchema): JsonSchema[] {
  const whole = resolve(schema);
  return (whole.anyOf ?? [whole]).map(resolve);
}
