import test from 'ava';
import { openApiDocument } from '../../api/openapi.ts';
import type { Route } from '../../api/route.ts';
import { ROUTES } from '../../api/routes/index.ts';
import { VALIDATION_RULES } from '../../domain/errors.ts';
import { badBodies, resolverOf } from '../support/bad-bodies.ts';
import { newHouse } from '../support/house.ts';
import { startCheckedPlatform } from '../support/openapi-check.ts';
import type { Platform } from '../support/run-platform.ts';
import { VALID_BODIES } from '../support/valid-bodies.ts';

type Body = string | Uint8Array<ArrayBuffer>;

interface Described {
  parameters: {
    name: string;
    in: string;
    $ref?: string;
    schema: { examples?: string[]; enum?: string[]; type?: string };
  }[];
  requestBody?: { content: Record<string, { schema: object }> };
}

const DOCUMENT = openApiDocument(ROUTES, { version: '0', serverUrl: 'http://localhost' });
const schemas = DOCUMENT.components.schemas ?? {};
const resolve = resolverOf(schemas);
const TAKING_BODIES = ROUTES.filter(({ body }) => body !== null);

/** A secret is any text: a wrong one is no bad input. */
const ANY_TEXT = new Set(['secret']);
/** Data of which there may be none. */
const MAY_BE_EMPTY = new Set(['payloads.0.data']);

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t, { worker: false });
});

for (const route of TAKING_BODIES) {
  test(`${route.operationId}: every field that is missing, of the wrong type, too long, too precise, unknown, null or junk is named`, async (t) => {
    const house = await newHouse(platform);
    const valid = VALID_BODIES[route.operationId];
    t.truthy(valid, 'test/support/valid-bodies.ts has no body for it');
    const variants = badBodies(schemaOf(route), valid!(), resolve).filter(({ what, field }) => {
      if (MAY_BE_EMPTY.has(field) && what.endsWith('is empty')) return false;
      return !(ANY_TEXT.has(field) && (what.includes('character') || what.includes('byte')));
    });
    const send = sender(house.orgId, route);
    for (const { what, field, body } of variants) {
      const { status, body: answer } = await send(JSON.stringify(body));
      t.is(status, 400, `${what}: ${JSON.stringify(answer)}`);
      t.is(answer.error, 'validation_failed', what);
      t.is(answer.details.field, field, `${what}: ${JSON.stringify(answer)}`);
      t.true(VALIDATION_RULES.includes(answer.details.rule), what);
    }
    t.log(`${variants.length} bad bodies`);
  });

  test(`${route.operationId}: a body that is no JSON, too large, of another type or built to break a parser is refused`, async (t) => {
    const house = await newHouse(platform);
    const send = sender(house.orgId, route);
    const valid = JSON.stringify(VALID_BODIES[route.operationId]?.());
    const cases: [what: string, body: Body, status: number, error: string, type?: string][] = [
      ['half of a body', valid.slice(0, -1), 400, 'malformed_json'],
      [
        'broken UTF-8',
        Buffer.from([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
        400,
        'malformed_json',
      ],
      ['2 MiB', `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`, 413, 'payload_too_large'],
      ['deep nesting', `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 400, 'validation_failed'],
      ['a prototype', `{"__proto__":{"isAdmin":true},${valid.slice(1)}`, 400, 'validation_failed'],
      ['a form', 'name=x', 415, 'unsupported_media_type', 'application/x-www-form-urlencoded'],
      ['plain text', valid, 415, 'unsupported_media_type', 'text/plain'],
    ];
    for (const [what, body, status, error, type] of cases) {
      const answer = await send(body, type);
      t.is(answer.status, status, `${what}: ${answer.text}`);
      t.is(answer.body.error, error, what);
    }
  });
}

test('every query parameter refuses junk, and every operation an unknown parameter', async (t) => {
  const house = await newHouse(platform);
  const client = platform.as('machine');
  let asked = 0;
  for (const route of ROUTES.filter(({ access }) => access.kind !== 'open')) {
    const names = described(route).parameters.filter((parameter) => parameter.in === 'query' && !parameter.$ref);
    const junk = names.flatMap(({ name }) => [
      [name, 'x'.repeat(3000)],
      [name, ''],
      [name, '\u0000'],
    ]);
    for (const [name = '', value = ''] of [...junk, ['colour', 'red']]) {
      const body = VALID_BODIES[route.operationId]?.();
      const answer = await client.send(route.method.toUpperCase(), pathOf(route), body && JSON.stringify(body), {
        headers: { 'content-type': 'application/json' },
        query: { [name]: value, orgId: house.orgId },
      });
      t.is(answer.status, 400, `${route.operationId}?${name}=${value.slice(0, 5)}: ${answer.text}`);
      t.is(answer.body.details.field, name);
      asked += 1;
    }
  }
  t.log(`${asked} bad queries`);
});

function sender(orgId: string, route: Route) {
  const client = route.access.kind === 'open' ? platform.anonymous : platform.as('machine');
  const query: Record<string, string> = route.access.kind === 'organization' ? { orgId } : {};
  return (body: Body, type = 'application/json') =>
    client.send(route.method.toUpperCase(), pathOf(route), body, { headers: { 'content-type': type }, query });
}

/** The path of an operation with ids that are well-formed and name nothing: what is sent is looked at before them. */
function pathOf(route: Route): string {
  return described(route)
    .parameters.filter((parameter) => parameter.in === 'path')
    .reduce((path, { name, schema: given }) => {
      const schema = resolve(given as never) as typeof given;
      return path.replace(`:${name}`, schema.examples?.[0] ?? schema.enum?.[0] ?? 'x');
    }, route.pattern);
}

function described(route: Route): Described {
  const path = route.pattern.replace(/:(\w+)/g, '{$1}');
  return DOCUMENT.paths[path]?.[route.method] as Described;
}

function schemaOf(route: Route): object {
  return described(route).requestBody?.content['application/json']?.schema ?? {};
}
