// Responses and events may grow: their descriptions do not forbid additional fields. What callers send stays closed,
// and so does a shape used for both.

type Json = Record<string, unknown>;

const REFERENCE = '#/components/schemas/';

/** Opens the response schemas: operations, webhooks and named schemas. */
export function openAnswers<Described extends { paths: object; webhooks: object; schemas: object }>(
  described: Described,
): Described {
  const { paths, webhooks, schemas } = described;
  const sent = new Set<string>();
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path as Json) as Json[])) {
    collect([operation.requestBody, operation.parameters], schemas as Json, sent);
  }
  const opened = Object.entries(schemas).map(([name, schema]) => [name, sent.has(name) ? schema : open(schema)]);
  return { ...described, paths: openResponses(paths), webhooks: open(webhooks), schemas: Object.fromEntries(opened) };
}

/** The names that a part of the document refers to, directly or indirectly. */
function collect(part: unknown, schemas: Json, found: Set<string>): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key !== '$ref' || typeof value !== 'string') collect(value, schemas, found);
    else if (value.startsWith(REFERENCE) && !found.has(value.slice(REFERENCE.length))) {
      const name = value.slice(REFERENCE.length);
      found.add(name);
      collect(schemas[name], schemas, found);
    }
  }
}

function openResponses(paths: object): object {
  const operationsOf = (path: object) =>
    Object.entries(path).map(([method, operation]) => {
      return [method, { ...operation, responses: open((operation as Json).responses) }];
    });
  return Object.fromEntries(Object.entries(paths).map(([path, all]) => [path, Object.fromEntries(operationsOf(all))]));
}

function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  const { example, examples, ...rest } = value as Json;
  const kept = Object.entries(rest).filter(([key, inner]) => key !== 'additionalProperties' || inner !== false);
  return {
    ...Object.fromEntries(kept.map(([key, inner]) => [key, open(inner)])),
    ...(example === undefined ? {} : { example }),
    ...(examples === undefined ? {} : { examples }),
  };
}
