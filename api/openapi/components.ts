// Converts zod schemas to document schemas: named ones are lifted into its components.
import { z } from 'zod';
import { nameOfValues } from './enums.ts';

export type JsonSchema = Record<string, unknown>;

const SAFE_INTEGER = Number.MAX_SAFE_INTEGER;

/** Keys whose values are not schemas. */
const SHOWN: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

/** How zod names `z.json()`, the one schema here that contains itself. The document says: anything. */
const ANY_JSON = /^__schema\d+$/;

export class SchemaComponents {
  readonly #schemas = new Map<string, JsonSchema>();

  /**
   * Returns the schema of a request (`input`) or response (`output`).
   * @throws Error if two different schemas have the same name
   */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema, $defs, ...root } = z.toJSONSchema(schema, {
      io,
      override: ({ jsonSchema }) => simplify(jsonSchema),
    });
    const named = Object.entries($defs ?? {}).filter(([name]) => !ANY_JSON.test(name));
    for (const [name, definition] of named) this.#add(name, this.#liftInside(liftReferences(definition) as JsonSchema));
    return this.#lift(liftReferences(root)) as JsonSchema;
  }

  /** Every named schema, by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Replaces named value lists with references. */
  #lift(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((inner) => this.#lift(inner));
    if (typeof value !== 'object' || value === null) return value;
    const { type, enum: values, ...rest } = value as JsonSchema;
    const name = Array.isArray(values) ? nameOfValues(values) : null;
    if (name === null) return this.#liftInside(value as JsonSchema);
    if (!this.#schemas.has(name)) this.#schemas.set(name, { type, enum: values });
    return { ...rest, $ref: `#/components/schemas/${name}` };
  }

  #liftInside(schema: JsonSchema): JsonSchema {
    const fields = Object.entries(schema).map(([key, inner]) => [key, SHOWN.has(key) ? inner : this.#lift(inner)]);
    return Object.fromEntries(fields);
  }

  #add(name: string, schema: JsonSchema): void {
    const known = nameOfValues(schema.enum) === name ? null : this.#schemas.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(
        `Two different schemas are named ${name}: give what is sent and what is answered names of their own`,
      );
    }
    this.#schemas.set(name, schema);
  }
}

/** Drops what tells a reader nothing: the range of exact integers, and that names are any text. */
function simplify(schema: JsonSchema): void {
  if (schema.maximum === SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === -SAFE_INTEGER) delete schema.minimum;
  if (saysNothing(schema.propertyNames)) delete schema.propertyNames;
}

function saysNothing(names: unknown): boolean {
  return JSON.stringify(names) === '{"type":"string"}';
}

function liftReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(liftReferences);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && ANY_JSON.test(String(value.$ref).replace('#/$defs/', ''))) return withoutReference(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, liftReferences(inner)],
    ),
  );
}

function withoutReference({ $ref, ...described }: { $ref?: unknown }): JsonSchema {
  return described;
}
