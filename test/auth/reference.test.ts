// What the authentication service says about itself.

import { createConfig, lintFromString } from '@redocly/openapi-core';
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
  // Redirects are answers of their own here, health has nothing to refuse, and the server is the local one.
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

test('the address of the service says what it is, and leads to its reference', async (t) => {
  const answer = await fetch(auth.url);
  t.is(answer.status, 200);
  const { name, links } = (await answer.json()) as { name: string; links: Record<string, string> };
  t.is(name, 'Bindery authentication');
  t.deepEqual(Object.keys(links), ['reference', 'openapi', 'health']);
  for (const href of Object.values(links)) t.is((await fetch(new URL(new URL(href).pathname, auth.url))).status, 200);
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
