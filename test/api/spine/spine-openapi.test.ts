// The document is OpenAPI 3.1, complete, and the same every time. Spec 9.2, Contract 3.8.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import test from 'ava';
import { z } from 'zod';
import { SchemaComponents } from '../../../api/openapi/components.ts';
import { type OpenApiDocument, openApiDocument } from '../../../api/openapi/document.ts';
import { ROUTES } from '../../../api/routes/index.ts';
import { allow, open } from '../../../api/spine/access.ts';
import { route } from '../../../api/spine/route.ts';
import { ERROR_STATUS } from '../../../domain/errors.ts';
import { EVENT_TYPES } from '../../../domain/events.ts';

const document = openApiDocument(ROUTES, { version: '1.2.3', serverUrl: 'https://api.example.com' });
const ERRORS = new Set<string>(Object.keys(ERROR_STATUS));

interface Operation {
  operationId: string;
  summary: string;
  parameters: Record<string, unknown>[];
  responses: Record<string, { description: string; headers: object; content?: Record<string, { examples?: object }> }>;
  security?: object[];
  requestBody?: object;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
);

/** The fields that the OpenAPI 3.1 specification defines, for the objects that we use, plus our extension. */
const FIELDS = {
  document: ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components'],
  operation: [
    'operationId',
    'tags',
    'summary',
    'description',
    'security',
    'parameters',
    'requestBody',
    'responses',
    'x-timeout-seconds',
  ],
  parameter: ['name', 'in', 'required', 'description', 'schema', '$ref'],
  response: ['description', 'headers', 'content'],
  components: ['schemas', 'parameters', 'headers', 'examples', 'securitySchemes'],
};

const strangers = (value: object, known: readonly string[]) => Object.keys(value).filter((key) => !known.includes(key));

test('the document has the fields of OpenAPI 3.1 and no others', (t) => {
  t.is(document.openapi, '3.1.1');
  t.deepEqual(strangers(document, FIELDS.document), []);
  t.deepEqual(strangers(document.components, FIELDS.components), []);
  for (const { operation } of operations) {
    t.deepEqual(strangers(operation, FIELDS.operation), [], operation.operationId);
    for (const parameter of operation.parameters) t.deepEqual(strangers(parameter, FIELDS.parameter), []);
    for (const response of Object.values(operation.responses)) {
      t.deepEqual(strangers(response, FIELDS.response), []);
      t.true(response.description.length > 0);
    }
  }
});

test('the committed document is that of the routes', (t) => {
  const script = join(import.meta.dirname, '../../../scripts/openapi.ts');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  t.is(status, 0, stderr);
});

test('every reference leads somewhere', (t) => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '');
  t.true(references.length > 100);
  for (const reference of new Set(references)) {
    const found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
    t.truthy(found, reference);
  }
});

test('every schema compiles under the rules of JSON Schema 2020-12', (t) => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, keywords: ['example'] });
  addFormats.default(ajv);
  ajv.addFormat('binary', true);
  ajv.addVocabulary(FIELDS.document);
  ajv.addSchema(document, 'openapi.json');
  for (const name of Object.keys(document.components.schemas ?? {})) {
    t.notThrows(() => ajv.compile({ $ref: `openapi.json#/components/schemas/${name}` }), name);
  }
});

test('every event is described as a webhook, with an example that its schema takes', (t) => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi.json');
  t.deepEqual(Object.keys(document.webhooks).toSorted(), EVENT_TYPES.toSorted());
  for (const [type, { post }] of Object.entries(document.webhooks as Record<string, { post: Operation }>)) {
    t.deepEqual(strangers(post, FIELDS.operation), [], type);
    const { content } = post.requestBody as { content: Record<string, { schema: { $ref: string }; example: object }> };
    const { schema, example } = content['application/json']!;
    const isValid = ajv.compile({ $ref: `openapi.json${schema.$ref}` });
    t.true(isValid(example), `${type}: ${ajv.errorsText(isValid.errors)}`);
    t.false(isValid({ ...example, data: {} }), type);
  }
});

test('every path parameter is declared, and operation ids are unique', (t) => {
  t.is(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length);
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const declared = operation.parameters.filter((each) => each.in === 'path');
    t.deepEqual(declared.map(({ name }) => name).sort(), inPath.sort(), path);
    t.true(declared.every(({ required }) => required === true));
  }
});

test('every operation names its limits, its request id and its errors with an example each', (t) => {
  for (const { operation } of operations) {
    for (const [status, { headers, content }] of Object.entries(operation.responses)) {
      const names = Object.keys(headers);
      for (const name of ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']) {
        t.true(names.includes(name), `${operation.operationId} ${status} ${name}`);
      }
      if (Number(status) < 400) continue;
      const codes = Object.keys(content?.['application/json']?.examples ?? {});
      t.true(codes.length > 0 && codes.every((code) => ERRORS.has(code)));
      const mayPass = ['429', '503'].includes(status) || codes.includes('idempotency_in_progress');
      t.is(names.includes('Retry-After'), mayPass, `${operation.operationId} ${status}`);
    }
    if (!operation.security) t.true('401' in operation.responses && '403' in operation.responses);
  }
});

test('operations that can be repeated or made conditional say so', (t) => {
  const references = (id: string) => {
    const found = operations.find(({ operation }) => operation.operationId === id);
    return JSON.stringify(found?.operation.parameters);
  };
  t.true(references('bindSubmission').includes('IdempotencyKey'));
  t.true(references('bindSubmission').includes('IfMatch'));
  t.false(references('getPolicy').includes('IdempotencyKey'));
  t.false(references('issueDemoToken').includes('IdempotencyKey'));
});

test('a preview must be requested: its parameter says that it is false without it (Contract 1)', (t) => {
  const previews = operations.flatMap(({ operation }) =>
    (operation.parameters as { name?: string; schema: object }[]).filter(({ name }) => name === 'preview'),
  );
  t.true(previews.length >= 5, 'quote, endorse, cancel, reinstate, renew');
  for (const { schema } of previews) t.deepEqual(schema, { type: 'boolean', default: false });
});

test('the limit of each list says how many rows a page has without it: 25 (Contract 1)', (t) => {
  const limits = operations.flatMap(({ operation }) =>
    (operation.parameters as { name?: string; schema: object }[]).filter(({ name }) => name === 'limit'),
  );
  t.true(limits.length > 50);
  for (const { schema } of limits) t.deepEqual(schema, { type: 'integer', minimum: 1, maximum: 100, default: 25 });
});

test('no body accepts fields it does not name', (t) => {
  const bodies = operations.map(({ operation }) => JSON.stringify(operation.requestBody ?? {}));
  const names = new Set(bodies.flatMap((body) => [...body.matchAll(/schemas\/(\w+)/g)].map((match) => match[1] ?? '')));
  t.true(names.size > 5);
  for (const name of names) {
    const { type, additionalProperties } = (document.components.schemas?.[name] ?? {}) as Record<string, unknown>;
    if (type === 'object') t.is(additionalProperties, false, name);
  }
});

test('responses and events may get further fields, and a body that is sent may not', (t) => {
  const answers = JSON.stringify([operations.map(({ operation }) => operation.responses), document.webhooks]);
  t.false(answers.includes('"additionalProperties":false'));
  const { Policy, PolicyPage, Bind } = document.components.schemas as Record<string, Record<string, unknown>>;
  t.deepEqual(
    [Policy, PolicyPage, Bind].map((schema) => schema?.additionalProperties),
    [undefined, undefined, false],
  );
});

test('a list of values that is shown in two places has one name, and both refer to it', (t) => {
  const places = new Map<string, string[]>();
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'example' || key === 'examples') continue;
      if (key !== 'enum' || !Array.isArray(inner)) walk(inner, `${place}/${key}`);
      else if (inner.length > 1) {
        const list = JSON.stringify(inner.toSorted());
        places.set(list, [...(places.get(list) ?? []), place]);
      }
    }
  };
  walk([document.paths, document.webhooks, document.components.schemas], '');
  const repeated = [...places].filter(([, found]) => found.length > 1);
  t.deepEqual(repeated, [], 'api/openapi/enums.ts names them');
  const { PolicyStatus, PolicySort } = document.components.schemas as Record<string, { enum?: string[] }>;
  t.true(PolicyStatus?.enum?.includes('pending_cancellation'));
  t.true(PolicySort?.enum?.includes('-createdAt'));
});

test('the names of fields that are restricted, and changes that must not be empty, say so', (t) => {
  const { StateFactors, WebhookChanges } = document.components.schemas as Record<string, Record<string, object>>;
  t.deepEqual(Object.keys(StateFactors?.propertyNames ?? {}), ['$ref']);
  t.is(WebhookChanges?.minProperties as unknown, 1);
});

test('patterns are written for every language: without classes of Unicode, and without a look ahead or behind', (t) => {
  const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
  const texts = patterns.map(([, text = '""']) => JSON.parse(text) as string);
  t.true(texts.length > 100);
  t.deepEqual(
    texts.filter((text) => /\\[pP]\{|\(\?[=!<]/.test(text)),
    [],
  );
});

const sentences = (text: string) => text.replaceAll(/`[^`]*`/g, 'x').match(/\.(?= |$)/g) ?? [];

test('every webhook explains to its receiver in two sentences what its summary does not', (t) => {
  for (const [type, { post }] of Object.entries(
    document.webhooks as Record<string, { post: { description?: string } }>,
  )) {
    t.true(sentences(post.description ?? '').length >= 2, type);
  }
});

test('every operation explains to its caller in two sentences what its summary does not', (t) => {
  const short = ROUTES.filter(({ description = '' }) => sentences(description).length < 2);
  t.deepEqual(
    short.map(({ operationId }) => operationId),
    [],
  );
});

test('the same routes give the same document, letter by letter', (t) => {
  const again = openApiDocument(ROUTES, { version: '1.2.3', serverUrl: 'https://api.example.com' });
  t.is(JSON.stringify(again), JSON.stringify(document satisfies OpenApiDocument));
});

test('a table that contradicts itself is refused', (t) => {
  const response = { status: 200, body: z.strictObject({}) };
  const facts = {
    method: 'get',
    tag: 'T',
    spec: '1',
    summary: 'S',
    errors: [],
    response,
    handler: () => ({}),
  } as const;
  const access = open('test');
  const params = z.strictObject({ other: z.string() });
  t.throws(() => route({ ...facts, access, path: '/a/:id', operationId: 'a', params }), {
    message: /params do not fit/,
  });
  t.throws(() => route({ ...facts, access, path: '/a', operationId: 'b', body: z.strictObject({}) }), {
    message: /with a body/,
  });
  const resource = { name: 'thing', load: async () => null, facts: () => ({ orgId: '' }) };
  t.throws(() => route({ ...facts, access: allow('policy:read', resource), path: '/a', operationId: 'c' }), {
    message: /needs :id/,
  });
});

test('two different schemas of one name are refused', (t) => {
  const components = new SchemaComponents();
  const named = (shape: z.ZodRawShape) => z.strictObject(shape).meta({ id: 'SameName' });
  components.of(named({ a: z.string() }), 'output');
  z.globalRegistry.clear();
  t.throws(() => components.of(named({ b: z.string() }), 'output'), { message: /SameName/ });
});
