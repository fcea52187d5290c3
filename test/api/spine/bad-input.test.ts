import test from 'ava';
import { VALIDATION_RULES } from '../../../domain/errors.ts';
import { badBodies } from '../../support/bad-bodies.ts';
import type { TestClient } from '../../support/client.ts';
import { newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { CLOSED, OPERATIONS, type Operation, pathOf, resolve } from '../../support/operations.ts';
import type { Platform } from '../../support/run-platform.ts';
import { VALID_BODIES } from '../../support/valid-bodies.ts';

type Body = string | Uint8Array<ArrayBuffer>;

const TAKING_BODIES = OPERATIONS.filter(({ route }) => route.body !== null);

/** A secret is any text: a wrong one is not bad input. */
const ANY_TEXT = new Set(['secret']);
/** What a flag accepts is its own rule, which the schema does not know. */
const SCHEMA_TAKES_ALL = new Set(['putFlag value']);
/** Data of any shape; only its texts are subject to a rule. */
const ANY_SHAPE = new Map([['renderPdf', 'data.']]);
/** Data that may be empty. */
const MAY_BE_EMPTY = new Set(['payloads.0.data']);

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t, { worker: false });
});

for (const operation of TAKING_BODIES) {
  test.serial(
    `${operation.id}: every field that is missing, of the wrong type, too long, too precise, unknown, null or junk is named`,
    async (t) => {
      const house = await newHouse(platform);
      const valid = VALID_BODIES[operation.id];
      t.truthy(valid, 'test/support/valid-bodies.ts has no body for it');
      const variants = badBodies(operation.body, valid!(), resolve).filter(({ what, field }) => {
        if (MAY_BE_EMPTY.has(field) && what.endsWith('is empty')) return false;
        const free = ANY_SHAPE.get(operation.id);
        if (free !== undefined && field.startsWith(free))
          return /zero byte|control character|half a character/.test(what);
        if (SCHEMA_TAKES_ALL.has(`${operation.id} ${what.split(' ')[0]}`)) return what !== 'value is boolean';
        return !(ANY_TEXT.has(field) && (what.includes('character') || what.includes('byte')));
      });
      const send = sender(house.orgId, operation);
      for (const { what, field, body } of variants) {
        const { status, body: answer } = await send(JSON.stringify(body));
        t.is(status, 400, `${what}: ${JSON.stringify(answer)}`);
        t.is(answer.error, 'validation_failed', what);
        t.is(answer.details.field, field, `${what}: ${JSON.stringify(answer)}`);
        t.true(VALIDATION_RULES.includes(answer.details.rule), what);
      }
      t.log(`${variants.length} bad bodies`);
    },
  );

  test.serial(
    `${operation.id}: a body that is no JSON, too large, of another type or built to break a parser is refused`,
    async (t) => {
      const house = await newHouse(platform);
      const send = sender(house.orgId, operation);
      const valid = JSON.stringify(VALID_BODIES[operation.id]?.());
      // As deep as the size limit of a body without a credential allows.
      const levels = operation.route.access.kind === 'open' ? 5_000 : 50_000;
      const cases: [what: string, body: Body, status: number, error: string, type?: string][] = [
        ['half of a body', valid.slice(0, -1), 400, 'malformed_json'],
        [
          'broken UTF-8',
          Buffer.from([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
          400,
          'malformed_json',
        ],
        ['2 MiB', `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`, 413, 'payload_too_large'],
        ['deep nesting', `{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`, 400, 'validation_failed'],
        ['a prototype', `{"__proto__":{"isAdmin":true},${valid.slice(1)}`, 400, 'validation_failed'],
        ['a form', 'name=x', 415, 'unsupported_media_type', 'application/x-www-form-urlencoded'],
        ['plain text', valid, 415, 'unsupported_media_type', 'text/plain'],
      ];
      for (const [what, body, status, error, type] of cases) {
        const answer = await send(body, type);
        t.is(answer.status, status, `${what}: ${answer.text}`);
        t.is(answer.body.error, error, what);
      }
    },
  );
}

test('every query parameter refuses junk, and every operation an unknown parameter', async (t) => {
  const house = await newHouse(platform);
  let queries = 0;
  for (const operation of CLOSED) {
    const junk = [...operation.query.keys()].flatMap((name) => [
      [name, 'x'.repeat(3000)],
      [name, ''],
      [name, '\u0000'],
    ]);
    for (const [name = '', value = ''] of [...junk, ['colour', 'red']]) {
      const body = VALID_BODIES[operation.id]?.();
      const client = callerOf(operation, house.orgId);
      const answer = await client.send(operation.method, pathOf(operation), body && JSON.stringify(body), {
        headers: { 'content-type': 'application/json' },
        query: { [name]: value, orgId: house.orgId },
      });
      t.is(answer.status, 400, `${operation.id}?${name}=${value.slice(0, 5)}: ${answer.text}`);
      t.is(answer.body.details.field, name);
      queries += 1;
    }
  }
  t.log(`${queries} bad queries`);
});

test('a path with control characters matches nothing', async (t) => {
  for (const number of ['%00', 'COI-%00', '%1b', '%C2%85']) {
    const answer = await platform.anonymous.get(`/v1/coi/${number}/verify`);
    t.is(answer.status, 404, `${number}: ${answer.text}`);
  }
});

test('free data takes no names and texts with control characters', async (t) => {
  const house = await newHouse(platform);
  for (const data of [{ '\u0000': '1' }, { a: [{ b: '\ud800' }] }]) {
    const answer = await house.as('org_admin').post('/v1/documents/render-pdf', { html: '<p>\n\tx</p>', data });
    t.like(answer, { status: 400, body: { error: 'validation_failed' } }, answer.text);
    t.true(answer.body.details.field.startsWith('data'), answer.text);
  }
});

function sender(orgId: string, operation: Operation) {
  const { kind } = operation.route.access;
  const query: Record<string, string> = kind === 'organization' ? { orgId } : {};
  return (body: Body, type = 'application/json') =>
    callerOf(operation, orgId).send(operation.method, pathOf(operation), body, {
      headers: { 'content-type': type },
      query,
    });
}

let callers = 0;

/**
 * The machine may do everything except use the portal. For an operation with a low rate limit, each call has its own
 * caller.
 */
function callerOf({ route, pattern }: Operation, org: string): TestClient {
  if (route.access.kind === 'open') return platform.anonymous;
  if (pattern.startsWith('/v1/portal')) return platform.as({ role: 'policyholder', org });
  return route.rateLimit === 'ai'
    ? platform.as({ role: 'org_admin', org, sub: `usr_${callers++}` })
    : platform.as('machine');
}
