// Converts zod schemas to document schemas: a named schema is described once and referenced.
import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

const [ZOD_PLACE, DOCUMENT_PLACE] = ['#/$defs/', '#/components/schemas/'];

export class NamedSchemas {
  readonly #schemas = new Map<string, unknown>();

  /** Returns the schema of a body (`input`), which takes no other fields, or of a response, which may gain fields. */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const override = ({ jsonSchema }: { jsonSchema: JsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    };
    const described = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any', override }));
    const { $schema: _, $defs = {}, ...root } = JSON.parse(described.replaceAll(ZOD_PLACE, DOCUMENT_PLACE));
    for (const [name, { id: _id, ...definition }] of Object.entries($defs as Record<string, JsonSchema>)) {
      this.#schemas.set(name, definition);
    }
    return root;
  }

  /** Every named schema, by name. */
  all(): Record<string, unknown> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
