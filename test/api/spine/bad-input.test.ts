import test from 'ava';
import { VALIDATION_RULES } from '../../../domain/errors.ts';
import { badBodies } from '../../support/bad-bodies.ts';
import { newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { CLOSED, OPERATIONS, type Operation, pathOf, resolve } from '../../support/operations.ts';
import type { Platform } from '../../support/run-platform.ts';
import { VALID_BODIES } from '../../support/valid-bodies.ts';

type Body = string | Uint8Array<ArrayBuffer>;

const TAKING_BODIES = OPERATIONS.filter(({ route }) => route.body !== null);

/** A secret is any text: a wrong one is no bad input. */
const ANY_TEXT = new Set(['secret']);
/** Data of which there may be none. */
const MAY_BE_EMPTY = new Set(['payloads.0.data']);

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t, { worker: false });
});

for (const operation of TAKING_BODIES) {
  test(`${operation.id}: every field that is missing, of the wrong type, too long, too precise, unknown, null or junk is named`, async (t) => {
    const house = await newHouse(platform);
    const valid = VALID_BODIES[operation.id];
    t.truthy(valid, 'test/support/valid-bodies.ts has no body for it');
    const variants = badBodies(operation.body, valid!(), resolve).filter(({ what, field }) => {
      if (MAY_BE_EMPTY.has(field) && what.endsWith('is empty')) return false;
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
  });

  test(`${operation.id}: a body that is no JSON, too large, of another type or built to break a parser is refused`, async (t) => {
    const house = await newHouse(platform);
    const send = sender(house.orgId, operation);
    const valid = JSON.stringify(VALID_BODIES[operation.id]?.());
    // As deep as the body of a call without a credential may be large.
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
  });
}

test('every query parameter refuses junk, and every operation an unknown parameter', async (t) => {
  const house = await newHouse(platform);
  const client = platform.as('machine');
  let queries = 0;
  for (const operation of CLOSED) {
    const junk = [...operation.query.keys()].flatMap((name) => [
      [name, 'x'.repeat(3000)],
      [name, ''],
      [name, '\u0000'],
    ]);
    for (const [name = '', value = ''] of [...junk, ['colour', 'red']]) {
      const body = VALID_BODIES[operation.id]?.();
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

function sender(orgId: string, operation: Operation) {
  const { kind } = operation.route.access;
  const client = kind === 'open' ? platform.anonymous : platform.as('machine');
  const query: Record<string, string> = kind === 'organization' ? { orgId } : {};
  return (body: Body, type = 'application/json') =>
    client.send(operation.method, pathOf(operation), body, { headers: { 'content-type': type }, query });
}
