// The OpenAPI 3.1 document of the platform, derived from the route table. Spec 9.2, Contract 3.8.
import { IDEMPOTENCY_KEY_MAX_CHARACTERS, IDEMPOTENCY_RETENTION_HOURS } from '../../domain/limits.ts';
import type { Route } from '../spine/route.ts';
import { ErrorBodySchema } from '../spine/schemas.ts';
import { SchemaComponents } from './components.ts';
import { errorExamples } from './errors.ts';
import { operationOf } from './operation.ts';

export interface DocumentFacts {
  /** Version of the platform. */
  version: string;
  /** Public address of the API without `/v1`. */
  serverUrl: string;
}

/** The parts of a document that readers of this repository look at. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string };
  servers: { url: string }[];
  security: object[];
  tags: { name: string }[];
  paths: Record<string, Record<string, object>>;
  components: Record<string, Record<string, object>>;
}

/** Builds the document. The same routes give the same document, letter by letter. */
export function openApiDocument(routes: readonly Route[], { version, serverUrl }: DocumentFacts): OpenApiDocument {
  const components = new SchemaComponents();
  components.of(ErrorBodySchema, 'output');
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = route.pattern.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route, components) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Bindery',
      version,
      summary: 'From a submission to a bound policy, and everything after it.',
      description: DESCRIPTION,
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components.all(),
      parameters: PARAMETERS,
      headers: HEADERS,
      examples: errorExamples(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const DESCRIPTION = `Money is a JSON number in dollars with at most two decimals. Dates are \`YYYY-MM-DD\`; instants are ISO 8601 in UTC.
Lists answer \`{data, nextCursor}\`, newest first. Fields and query parameters that are not known are refused.
Every error has the same body; its \`error\` is a code for machines.`;

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A JWT (HS256), an API key, or the machine secret.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key: `svck_live_…` or `svck_test_…`.',
  },
};

const PARAMETERS = {
  OrgId: {
    name: 'orgId',
    in: 'query',
    required: false,
    description:
      'The organization to act in, as TypeID or UUID: for the machine secret and platform roles. Others may name their own.',
    schema: { type: 'string' },
  },
  XOrgId: {
    name: 'X-Org-Id',
    in: 'header',
    required: false,
    description: 'The same as `orgId`, which comes first.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: `Repeating a call with the same key within ${IDEMPOTENCY_RETENTION_HOURS} hours gives the first answer again.`,
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_CHARACTERS },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of the version that was read; `*` for any.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'A name of your own for the request: 8 to 128 letters, digits, `_` or `-`.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,128}$' },
  },
};

const HEADERS = {
  'X-Request-Id': { description: 'Names the request.', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Requests that a minute allows.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests that are left of it.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Unix second at which the minute is over.', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  ETag: { description: 'Strong tag of the version of the row.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: '`true` when the answer is that of an earlier call with the same key.',
    schema: { type: 'string', const: 'true' },
  },
};
