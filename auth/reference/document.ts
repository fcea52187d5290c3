// The OpenAPI document of the authentication service, from the table of its endpoints and their descriptions.
import { STATUS_CODES } from 'node:http';
import { PORTALS } from '../../domain/access/portals.ts';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.ts';
import { COMMON_HEADERS, RETRY_HEADERS } from '../../http/described-headers.ts';
import { isWorthRetrying } from '../../http/errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import { SESSION_COOKIE } from '../cookies.ts';
import { NamedSchemas } from './components.ts';
import { EXAMPLES } from './examples.ts';
import { type Described, descriptionOf } from './operations.ts';
import { ErrorAnswer } from './shapes.ts';

interface Place {
  method: 'GET' | 'POST';
  path: string;
}

/** Builds the document of these endpoints. @throws Error for an undescribed endpoint */
export function authDocument(endpoints: readonly Place[], serverUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  const schemas = new NamedSchemas();
  schemas.of(ErrorAnswer, 'output');
  for (const { method, path } of endpoints) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(descriptionOf(method, path), schemas) };
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
    security: [{ [SESSION_COOKIE]: [] }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: Object.fromEntries(COOKIES.map((name) => [name, cookieScheme(name)])),
      headers: { ...COMMON_HEADERS, ...RETRY_HEADERS },
      schemas: schemas.all(),
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

const COOKIES = [...new Set([SESSION_COOKIE, ...PORTALS.map(({ cookie }) => cookie)])];

function cookieScheme(name: string): object {
  const portals = PORTALS.filter(({ cookie }) => cookie === name).map((portal) => portal.name);
  const ways = [
    ...(name === SESSION_COOKIE ? ['signing in'] : []),
    ...portals.map((portal) => `the callback of the portal ${portal}`),
  ];
  return { type: 'apiKey', in: 'cookie', name, description: `Set by ${ways.join(', or by ')}.` };
}

function operationOf(described: Described, schemas: NamedSchemas): object {
  const { operationId, tag, summary, description, security, query, body } = described;
  const example = exampleOf(EXAMPLES[operationId]?.body);
  const json = body && { 'application/json': { schema: schemas.of(body, 'input'), ...example } };
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: security === null ? [] : [{ [security]: [] }],
    ...(query ? { parameters: parametersOf(query) } : {}),
    ...(json ? { requestBody: { required: true, content: json } } : {}),
    responses: responsesOf(described, schemas),
  };
}

function responsesOf(described: Described, schemas: NamedSchemas): object {
  const { operationId, status, answer, contentType = 'application/json', errors } = described;
  const example = exampleOf(EXAMPLES[operationId]?.answer);
  const content = answer && { [contentType]: { schema: schemas.of(answer, 'output'), ...example } };
  const headers = references(Object.keys(COMMON_HEADERS));
  const success = { description: STATUS_CODES[status] ?? 'Answer', headers, ...(content ? { content } : {}) };
  const codes: ErrorCode[] = [...errors, 'rate_limited', 'internal_error', 'service_unavailable'];
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code]);
  const failures = [...byStatus].map(([failed, of]) => [
    String(failed),
    {
      headers: { ...headers, ...(of.some(isWorthRetrying) ? references(Object.keys(RETRY_HEADERS)) : {}) },
      description: `${STATUS_CODES[failed]}: ${of.map((code) => `\`${code}\``).join(', ')}`,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]);
  return Object.fromEntries([[String(status), success], ...failures]);
}

const references = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const exampleOf = (example: object | undefined) => (example === undefined ? {} : { example });

function parametersOf(query: NonNullable<Described['query']>): object[] {
  return Object.entries(query).map(([name, { required, description }]) => ({
    ...{ name, in: 'query', required, description, schema: { type: 'string' } },
  }));
}
