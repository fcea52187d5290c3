// The OpenAPI document of the authentication service, from the table of its endpoints and what each is described as.
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import { type Described, descriptionOf } from './operations.ts';

interface Place {
  method: 'GET' | 'POST';
  path: string;
}

/** Builds the document of these endpoints. @throws Error for an endpoint that nobody has described */
export function authDocument(endpoints: readonly Place[], serverUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path } of endpoints) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(descriptionOf(method, path)) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Bindery authentication',
      version: manifest.version,
      summary: 'Who signs in, and the token with which they call the API.',
      description: DESCRIPTION,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ session: [] }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'svc_session', description: 'The cookie that signing in sets.' },
        portal: { type: 'apiKey', in: 'cookie', name: 'the cookie of the portal', description: 'Set by its callback.' },
      },
      schemas: { Error: ERROR },
    },
  };
}

const DESCRIPTION = `Signing in answers with a session and with a \`token\` for the API, which is good for eight hours. The session is kept in the
cookie \`svc_session\`, for the paths under \`/api/auth\`. Every error has the body of the API's errors. No answer may be cached, and a POST from a page
is taken from registered origins only.`;

const TAGS = [
  { name: 'Accounts', description: 'Signing up, in and out, and the present session.' },
  { name: 'Passwords', description: 'Setting a password by an e-mailed link.' },
  { name: 'Organizations', description: 'Where a person is a member, and where the session acts.' },
  { name: 'Single sign-on', description: 'Signing in with Microsoft, from a portal and back to it.' },
  { name: 'Portals', description: 'The callback by which a portal turns a token into a cookie of its own.' },
  { name: 'Operations', description: 'Health and this reference.' },
];

const ERROR = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'The error code, for programs.' },
    message: { type: 'string', description: 'A sentence that explains the error, for people.' },
    details: { type: 'object', description: 'Facts about the error. The keys depend on the code.' },
    requestId: { type: 'string', description: 'The id of the request. Quote it when you ask for help.' },
  },
  required: ['error', 'message', 'details', 'requestId'],
};

function operationOf(described: Described): object {
  const { operationId, tag, summary, description, security, query, body } = described;
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: security === null ? [] : [{ [security]: [] }],
    ...(query ? { parameters: parametersOf(query) } : {}),
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } }
      : {}),
    responses: responsesOf(described),
  };
}

function responsesOf({ status, answer, contentType = 'application/json', errors }: Described): object {
  const content = answer && { [contentType]: { schema: schemaOf(answer, 'output') } };
  const success = { description: STATUS_CODES[status] ?? 'Answer', ...(content ? { content } : {}) };
  const codes: ErrorCode[] = [...errors, 'rate_limited', 'internal_error', 'service_unavailable'];
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code]);
  const failures = [...byStatus].map(([failed, of]) => [
    String(failed),
    {
      description: `${STATUS_CODES[failed]}: ${of.map((code) => `\`${code}\``).join(', ')}`,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]);
  return Object.fromEntries([[String(status), success], ...failures]);
}

function parametersOf(query: NonNullable<Described['query']>): object[] {
  return Object.entries(query).map(([name, { required, description }]) => ({
    ...{ name, in: 'query', required, description, schema: { type: 'string' } },
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
