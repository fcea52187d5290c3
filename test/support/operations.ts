// The operations of the route table as the published document describes them: paths, parameters and bodies, for tests
// that walk all of them.
import { openApiDocument } from '../../api/openapi/document.ts';
import { ROUTES } from '../../api/routes/index.ts';
import type { Route } from '../../api/spine/route.ts';
import { type JsonSchema, resolverOf } from './bad-bodies.ts';

interface Parameter {
  name: string;
  in: string;
  $ref?: string;
  schema: JsonSchema;
}

interface Described {
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}

export interface Operation {
  route: Route;
  id: string;
  /** In capitals. */
  method: string;
  /** With `:name` parameters. */
  pattern: string;
  /** Parameters by name, with resolved schemas. */
  path: ReadonlyMap<string, JsonSchema>;
  query: ReadonlyMap<string, JsonSchema>;
  /** Schema of the JSON body; empty where there is no body. */
  body: JsonSchema;
}

const DOCUMENT = openApiDocument(ROUTES, { version: '0', serverUrl: 'http://localhost' });

/** Resolves a reference to a component of the document. */
export const resolve = resolverOf(DOCUMENT.components.schemas ?? {});

export const OPERATIONS: readonly Operation[] = ROUTES.map((route) => {
  const described = DOCUMENT.paths[route.pattern.replace(/:(\w+)/g, '{$1}')]?.[route.method] as Described;
  const named = (where: string) =>
    described.parameters
      .filter((parameter) => parameter.in === where && !parameter.$ref)
      .map(({ name, schema }) => [name, resolve(schema)] as const);
  return {
    route,
    id: route.operationId,
    method: route.method.toUpperCase(),
    pattern: route.pattern,
    path: new Map(named('path')),
    query: new Map(named('query')),
    body: described.requestBody?.content['application/json']?.schema ?? {},
  };
});

/** The operations that require a credential. */
export const CLOSED = OPERATIONS.filter(({ route }) => route.access.kind !== 'open');

/** Prefix of the ids that a schema's value holds, e.g. `sub`; null where the value is not the id of a row. */
export function idPrefixOf(schema: JsonSchema): string | null {
  const { pattern = '', examples = [] } = schema;
  return /^\^([a-z]{3})_/.exec(pattern)?.[1] ?? /^([a-z]{3})_[0-9a-z]{26}$/.exec(String(examples[0]))?.[1] ?? null;
}

/** The path of an operation. A parameter missing from `values` is well-formed but names nothing, where possible. */
export function pathOf({ pattern, path }: Operation, values: Record<string, string> = {}): string {
  return [...path].reduce((whole, [name, { examples, enum: allowed }]) => {
    return whole.replace(`:${name}`, values[name] ?? String(examples?.[0] ?? allowed?.[0] ?? 'x'));
  }, pattern);
}
