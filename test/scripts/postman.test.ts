// The Postman collection has every operation, each with a body that the platform accepts.
import test from 'ava';
import { openApiDocument } from '../../api/openapi/document.ts';
import { usualBody } from '../../api/openapi/examples.ts';
import { ROUTES } from '../../api/routes/index.ts';
import { postmanOf } from '../../scripts/openapi/postman.ts';

interface Item {
  name: string;
  request: { method: string; url: { raw: string }; body?: { raw: string }; auth?: { type: string } };
}

test('the collection holds each operation once, with its example and without a credential where none is needed', (t) => {
  const document = openApiDocument(ROUTES, { version: '0', serverUrl: 'http://localhost:8787' });
  const { item: folders } = postmanOf(document) as { item: { item: Item[] }[] };
  const items = folders.flatMap(({ item }) => item);
  t.is(items.length, ROUTES.length);
  for (const route of ROUTES) {
    const found = items.filter(({ request }) => {
      return request.method === route.method.toUpperCase() && request.url.raw === `{{baseUrl}}${route.pattern}`;
    });
    t.is(found.length, 1, route.operationId);
    const [{ request } = { request: undefined }] = found;
    t.is(request?.auth?.type === 'noauth', route.access.kind === 'open', route.operationId);
    const shown = request?.body ? JSON.parse(request.body.raw) : undefined;
    t.deepEqual(shown, usualBody(route), route.operationId);
  }
});
