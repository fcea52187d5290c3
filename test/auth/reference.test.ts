// What the authentication service says about itself.

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import test from 'ava';
import { type AuthUnderTest, runAuth } from './run-auth.ts';

let auth: AuthUnderTest;

test.before('the service', async () => {
  auth = await runAuth();
});
test.after.always(() => auth?.close());

test('the document describes every endpoint, and linters find nothing in it', async (t) => {
  const answer = await fetch(`${auth.url}/openapi.json`, { headers: { 'accept-encoding': 'gzip' } });
  t.is(answer.headers.get('content-encoding'), 'gzip');
  const document = (await answer.json()) as { paths: Record<string, object>; servers: { url: string }[] };
  for (const path of ['/api/auth/sign-in/email', '/api/auth/switch', '/portals/producer/api/auth/callback', '/docs']) {
    t.truthy(document.paths[path], path);
  }
  const again = await fetch(`${auth.url}/openapi.json`, {
    headers: { 'accept-encoding': 'gzip', 'if-none-match': answer.headers.get('etag') ?? '' },
  });
  t.is(again.status, 304);
  // Redirects are proper answers here, health has nothing to refuse, and the server is the local one.
  const rules = {
    'operation-2xx-response': 'off',
    'operation-4xx-response': 'off',
    'no-server-example.com': 'off',
  } as const;
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  t.deepEqual(
    problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    [],
  );
});

test('the address of the service says what it is, and links to its reference', async (t) => {
  const answer = await fetch(auth.url);
  t.is(answer.status, 200);
  const { name, links } = (await answer.json()) as { name: string; links: Record<string, string> };
  t.is(name, 'Bindery authentication');
  t.deepEqual(Object.keys(links), ['reference', 'openapi', 'health']);
  for (const href of Object.values(links)) t.is((await fetch(new URL(new URL(href).pathname, auth.url))).status, 200);
});

interface Shown {
  schema: { $ref?: string; type?: string };
  example?: unknown;
}

interface Operation {
  operationId: string;
  description: string;
  security: Record<string, string[]>[];
  requestBody?: { content: Record<string, Shown> };
  responses: Record<string, { headers?: object; content?: Record<string, Shown> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { headers: object; schemas: Record<string, object>; securitySchemes: Record<string, { name: string }> };
}

const COMMON = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

test('every response documents and sends its request id and rate headers, and Retry-After where it can be repeated', async (t) => {
  const document = (await (await fetch(`${auth.url}/openapi.json`)).json()) as Document;
  for (const { operationId, responses } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, { headers = {} }] of Object.entries(responses)) {
      const more = status === '429' || status === '503' ? ['Retry-After'] : [];
      t.deepEqual(Object.keys(headers), [...COMMON, ...more], `${operationId} ${status}`);
    }
  }
  t.deepEqual(Object.keys(document.components.headers), [...COMMON, 'Retry-After']);
  for (const path of ['/docs', '/healthz', '/api/auth/get-session', '/nowhere']) {
    const { headers } = await fetch(`${auth.url}${path}`);
    for (const name of COMMON) t.truthy(headers.get(name), `${path} ${name}`);
  }
});

test('every operation is explained in two sentences, with examples that its named schemas take', async (t) => {
  const document = (await (await fetch(`${auth.url}/openapi.json`)).json()) as Document;
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi.json');
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, description, requestBody, responses } = operation;
    t.true((description.replaceAll(/`[^`]*`/g, 'x').match(/\.(?= |$)/g) ?? []).length >= 2, operationId);
    const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const bodies = [requestBody, ...answers.map(([, answer]) => answer)];
    for (const shown of bodies.flatMap((body) => body?.content?.['application/json'] ?? [])) {
      if (operationId === 'readOpenApi') continue;
      const { $ref } = shown.schema;
      t.truthy($ref, operationId);
      const fits = ajv.compile({ $ref: `openapi.json${$ref}` });
      t.true(fits(shown.example), `${operationId}: ${ajv.errorsText(fits.errors)}`);
    }
  }
});

test('responses may gain fields, bodies may not, and patterns and cookies are written for every program', async (t) => {
  const document = (await (await fetch(`${auth.url}/openapi.json`)).json()) as Document;
  const { schemas, securitySchemes } = document.components;
  const closed = Object.entries(schemas).filter(([, schema]) => 'additionalProperties' in schema);
  t.deepEqual(
    closed.map(([name]) => name),
    ['AcceptRequest', 'LinkRequest', 'ResetRequest', 'SignInRequest', 'SignUpRequest', 'SwitchRequest'],
  );
  t.notRegex(JSON.stringify(document), /"pattern":"[^"]*(\(\?[=!<]|\\\\[pP]\{)/);
  for (const { name } of Object.values(securitySchemes)) t.regex(name, /^[a-z_]+$/);
  const needed = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap((each) => each.security),
  );
  t.deepEqual([...new Set(needed.flatMap(Object.keys))].sort(), Object.keys(securitySchemes).sort());
});

test('an error has the body that the document describes', async (t) => {
  const document = (await (await fetch(`${auth.url}/openapi.json`)).json()) as Document;
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(document, 'openapi.json');
  const fits = ajv.compile({ $ref: 'openapi.json#/components/schemas/Error' });
  const answer = await fetch(`${auth.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"email": "nobody"}',
  });
  t.is(answer.status, 400);
  const body = (await answer.json()) as { details: { issues: object[] } };
  t.true(fits(body), ajv.errorsText(fits.errors));
  const known = Object.keys((document.components.schemas.ErrorDetails as { properties: object }).properties);
  t.deepEqual(
    Object.keys(body.details).filter((name) => !known.includes(name)),
    [],
  );
});

test('the page and its files are served under the policy of the page', async (t) => {
  const page = await fetch(`${auth.url}/docs`);
  t.regex(
    page.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; script-src 'self'; style-src 'nonce-/,
  );
  const text = await page.text();
  for (const [, src = ''] of text.matchAll(/<script src="([^"]+)"/g)) {
    const file = await fetch(new URL(src, `${auth.url}/docs`));
    t.is(file.status, 200);
    t.is(file.headers.get('content-type'), 'text/javascript; charset=utf-8');
  }
  t.true(text.includes('data-document="openapi.json"'));
});
