// The OpenAPI 3.1 document of the platform, derived from the route table. Spec 9.2, Contract 3.8.
import { IDEMPOTENCY_KEY_MAX_CHARACTERS, IDEMPOTENCY_RETENTION_HOURS } from '../../domain/limits.ts';
import { COMMON_HEADERS, RETRY_HEADERS } from '../../http/described-headers.ts';
import type { Route } from '../spine/route.ts';
import { organizationId } from '../spine/schemas.ts';
import { SchemaComponents } from './components.ts';
import { ErrorBodySchema } from './error-schema.ts';
import { errorCodesOf, errorExamples } from './errors.ts';
import { openAnswers } from './open-answers.ts';
import { operationOf } from './operation.ts';
import { describedTags } from './tags.ts';
import { webhooksOf } from './webhooks.ts';

export interface DocumentFacts {
  /** Version of the platform. */
  version: string;
  /** Public address of the API without `/v1`. */
  serverUrl: string;
  /** Whether responses have only the described fields, as the tests require. Default: they may grow. */
  isClosed?: boolean;
}

/** The parts of a document that this repository reads. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string; contact: object; license: object };
  servers: { url: string }[];
  security: object[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, object>>;
  webhooks: Record<string, object>;
  components: Record<string, Record<string, object>>;
}

/** Builds the document. The same routes give exactly the same document. */
export function openApiDocument(
  routes: readonly Route[],
  { version, serverUrl, isClosed = false }: DocumentFacts,
): OpenApiDocument {
  const components = new SchemaComponents();
  components.of(ErrorBodySchema, 'output');
  components.of(organizationId, 'input');
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = route.pattern.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route, components) };
  }
  const closed = { paths, webhooks: webhooksOf(components), schemas: components.all() };
  const described = isClosed ? closed : openAnswers(closed);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Bindery',
      version,
      summary: 'From a submission to a bound policy, and everything after it.',
      description: DESCRIPTION,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: describedTags(routes.map((route) => route.tag)),
    paths: described.paths,
    webhooks: described.webhooks,
    components: {
      schemas: described.schemas,
      parameters: PARAMETERS,
      headers: HEADERS,
      examples: errorExamples(new Set(routes.flatMap(errorCodesOf))),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const DESCRIPTION = `Money is a JSON number in dollars with at most two decimals. Dates are \`YYYY-MM-DD\`; instants are ISO 8601 in UTC.
Lists return \`{data, nextCursor}\`, newest first. Unknown fields of requests and unknown query parameters are rejected; answers and events may get further fields.
Every error has the same body; its \`error\` is a code for programs.`;

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
      'The organization to act in, as a TypeID or UUID. It is meant for the machine secret and platform roles; other callers may name only their own.',
    schema: { $ref: '#/components/schemas/OrganizationReference' },
  },
  XOrgId: {
    name: 'X-Org-Id',
    in: 'header',
    required: false,
    description: 'The same as `orgId`. If both are sent, `orgId` takes precedence.',
    schema: { $ref: '#/components/schemas/OrganizationReference' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: `A repeated call with the same key within ${IDEMPOTENCY_RETENTION_HOURS} hours returns the first answer again.`,
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_CHARACTERS },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` that you read, or `*` for any version. It matches if the version has not changed.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Your own id for the request: 8 to 128 letters, digits, `_` or `-`.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,128}$' },
  },
};

const HEADERS = {
  ...COMMON_HEADERS,
  ...RETRY_HEADERS,
  Link: { description: 'The next page of the list: `<address>; rel="next"`.', schema: { type: 'string' } },
  Location: {
    description: 'The address of the new resource, if it is read at one of its own.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'A strong entity tag: the version of the resource, and a hash of the response that this caller gets.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the response of an earlier call with the same key.',
    schema: { type: 'string', const: 'true' },
  },
};
