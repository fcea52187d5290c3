// What errors say about bodies and queries, field by field. Contract 1 "Error catalogue", "Body size", "Strings",
// "Money".

import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { authDemoRoutes } from '../../../api/routes/access/auth-demo.ts';
import { newId } from '../../../db/ids.ts';
import { signToken } from '../../support/tokens.ts';
import { type Spine, startSpine } from './spine-app.ts';
import { smallTable, Tracker } from './spine-table.ts';

let spine: Spine;

test.before('a spine', async (t) => {
  spine = await startSpine(t, { deps: { routes: [...smallTable(new Tracker()), ...authDemoRoutes] } });
});

const THING = { name: 'A', amount: 1, on: '2026-03-01' };
const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

const broken: [string, Record<string, unknown>, string, string][] = [
  ['a missing text', { name: undefined }, 'name', 'required'],
  ['a missing amount', { amount: undefined }, 'amount', 'required'],
  ['null for what is required', { name: null }, 'name', 'type'],
  ['null for what is optional', { notes: null }, 'notes', 'type'],
  ['a number for a text', { name: 5 }, 'name', 'type'],
  ['a text for a number', { amount: '5' }, 'amount', 'type'],
  ['an object for a text', { name: { a: [1, { b: null }] } }, 'name', 'type'],
  ['a list for an object', { address: [] }, 'address', 'type'],
  ['a number for a yes or no', { isOpen: 1 }, 'isOpen', 'type'],
  ['a fraction for a whole number', { count: 1.5 }, 'count', 'type'],
  ['an empty text', { name: '' }, 'name', 'min'],
  ['only blanks', { name: '   ' }, 'name', 'min'],
  ['201 characters', { name: 'x'.repeat(201) }, 'name', 'max'],
  ['2,001 characters of notes', { notes: 'x'.repeat(2001) }, 'notes', 'max'],
  ['a control character', { name: 'a\u0000b' }, 'name', 'format'],
  ['a line break', { notes: 'a\nb' }, 'notes', 'format'],
  ['half a character', { name: 'a\ud800' }, 'name', 'format'],
  ['zero where more is required', { amount: 0 }, 'amount', 'min'],
  ['less than nothing', { amount: -1 }, 'amount', 'min'],
  ['more than there is', { amount: 1e13 }, 'amount', 'max'],
  ['three decimals', { amount: 10.005 }, 'amount', 'format'],
  ['a tiny fraction', { amount: 1.0000000001 }, 'amount', 'format'],
  ['a day that does not exist', { on: '2026-02-30' }, 'on', 'format'],
  ['an instant for a day', { on: '2026-03-01T00:00:00Z' }, 'on', 'format'],
  ['one digit of a NAICS code', { naicsCode: '1' }, 'naicsCode', 'format'],
  ['an unknown state', { state: 'ZZ' }, 'state', 'enum'],
  ['an unknown tag in a list', { tags: ['red', 'green'] }, 'tags.1', 'enum'],
  ['too long a list', { tags: ['red', 'red', 'red', 'red'] }, 'tags', 'max'],
  ['a field of an object', { address: { city: 5, postalCode: '78701' } }, 'address.city', 'type'],
  ['a missing field of an object', { address: { city: 'Austin' } }, 'address.postalCode', 'required'],
  [
    'an unknown field of an object',
    { address: { city: 'A', postalCode: '78701', zip: 1 } },
    'address.zip',
    'unknown_field',
  ],
  ['an unknown field', { colour: 'red' }, 'colour', 'unknown_field'],
  ['an id of another kind', { producerId: newId('policy') }, 'producerId', 'unknown_reference'],
];

for (const [what, change, field, rule] of broken) {
  test(`${what} is refused with its field and rule`, async (t) => {
    const { status, body, headers } = await spine.as('org_admin').post('/v1/things', { ...THING, ...change });
    t.is(status, 400);
    t.like(body, { error: 'validation_failed', details: { field, rule } });
    t.true(body.message.length > 0 && !/zod|invalid input/i.test(body.message), body.message);
    t.is(body.requestId, headers.get('x-request-id'));
  });
}

test('text is trimmed and kept as it is otherwise', async (t) => {
  const { body } = await spine.as('org_admin').post('/v1/things', { ...THING, name: '  Zoë’s <b>Bar</b> 🍻 ' });
  t.is(body.name, 'Zoë’s <b>Bar</b> 🍻');
});

test('the first of several problems is in details, and all are in details.issues', async (t) => {
  const { body } = await spine.as('org_admin').post('/v1/things?what=ever', { amount: -1, on: 'soon', colour: 1 });
  t.like(body.details, { field: 'what', rule: 'unknown_field' });
  const issues = body.details.issues.map(({ field, rule }: { field: string; rule: string }) => `${field} ${rule}`);
  t.deepEqual(issues, ['what unknown_field', 'name required', 'amount min', 'on format', 'colour unknown_field']);
});

test('a flood of unknown fields gets a brief response', async (t) => {
  const flood = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`field-${'x'.repeat(20)}-${i}`, i]));
  const { status, text } = await spine.as('org_admin').post('/v1/things', { ...THING, ...flood });
  t.is(status, 400);
  t.true(text.length < 20_000);
});

test('a body that is no object is refused', async (t) => {
  for (const body of ['[]', '"text"', '5', 'null', 'true', '[{"name":"A"}]']) {
    const answer = await spine.as('org_admin').send('POST', '/v1/things', body, JSON_TYPE);
    t.like(
      answer,
      { status: 400, body: { error: 'validation_failed', details: { field: 'body', rule: 'type' } } },
      body,
    );
  }
});

test('an empty body lacks the required fields', async (t) => {
  for (const options of [JSON_TYPE, {}]) {
    const answer = await spine.as('org_admin').send('POST', '/v1/things', '', options);
    t.like(answer, { status: 400, body: { details: { field: 'name', rule: 'required' } } });
  }
});

test('a body that is not JSON in UTF-8 is malformed', async (t) => {
  const bodies = ['{', '{"a":}', "{'a':1}", '{"a":1}}', 'nul', '{"a":1e}', '\u0000', ' '];
  for (const body of bodies) {
    const answer = await spine.as('org_admin').send('POST', '/v1/things', body, JSON_TYPE);
    t.like(answer, { status: 400, body: { error: 'malformed_json' } }, body);
  }
  for (const bytes of [
    [0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d],
    [0xff, 0xfe, 0x7b, 0x00],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]) {
    const answer = await spine.as('org_admin').send('POST', '/v1/things', Uint8Array.from(bytes), JSON_TYPE);
    t.like(answer, { status: 400, body: { error: 'malformed_json' } });
  }
});

test('depth, prototypes and huge numbers do no harm', async (t) => {
  const admin = spine.as('org_admin');
  const send = (text: string) => admin.send('POST', '/v1/things', text, JSON_TYPE);
  t.is((await send('['.repeat(500_000))).status, 400);
  t.is((await send(`{"name":${'['.repeat(40_000)}${']'.repeat(40_000)}}`)).status, 400);
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const answer = await send(`{"name":"A","amount":1,"on":"2026-03-01","${name}":{"isAdmin":true}}`);
    t.like(answer, { status: 400, body: { details: { field: name, rule: 'unknown_field' } } });
  }
  t.like(await send('{"name":"A","amount":1e400,"on":"2026-03-01"}'), {
    status: 400,
    body: { details: { field: 'amount' } },
  });
  for (const name of ['__proto__', '\\u005f_prot\\u006f__']) {
    const answer = await send(`{"name":"A","amount":1,"on":"2026-03-01","values":{"${name}":1}}`);
    t.like(
      answer,
      { status: 400, body: { details: { field: '__proto__' } } },
      'also below the first level, and escaped',
    );
  }
  t.is((await admin.get('/v1/things?__proto__=1')).status, 400);
});

test('a content type other than JSON is refused, its charset is not', async (t) => {
  const admin = spine.as('org_admin');
  const as = (type: string, more: Record<string, string> = {}) =>
    admin.send('POST', '/v1/things', JSON.stringify(THING), { headers: { 'content-type': type, ...more } });
  for (const type of ['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON']) {
    t.is((await as(type)).status, 201, type);
  }
  for (const type of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonx',
  ]) {
    t.like(await as(type), { status: 415, body: { error: 'unsupported_media_type' } }, type);
  }
  t.is((await as('application/json', { 'content-encoding': 'gzip' })).status, 415);
});

test('a body of 1 MiB is read and one byte more is refused', async (t) => {
  const admin = spine.as('org_admin');
  const padded = (size: number) => JSON.stringify(THING).padEnd(size, ' ');
  t.is((await admin.send('POST', '/v1/things', padded(1_048_576), JSON_TYPE)).status, 201);
  const answer = await admin.send('POST', '/v1/things', padded(1_048_577), JSON_TYPE);
  t.like(answer, { status: 413, body: { error: 'payload_too_large', details: { maxBytes: 1_048_576 } } });
});

test('a body of 16 KiB without a credential is read and one byte more is refused', async (t) => {
  const anybody = spine.with({});
  const padded = (size: number) => JSON.stringify({ secret: 'wrong' }).padEnd(size, ' ');
  t.is((await anybody.send('POST', '/auth/demo', padded(16_384), JSON_TYPE)).status, 401);
  const keys = Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`);
  for (const body of [padded(16_385), `{${keys.join()}}`]) {
    const answer = await anybody.send('POST', '/auth/demo', body, JSON_TYPE);
    t.like(answer, { status: 413, body: { error: 'payload_too_large', details: { maxBytes: 16_384 } } });
  }
});

test('a body that says nothing of its size is counted all the same', async (t) => {
  const chunk = new Uint8Array(64 * 1024).fill(0x20);
  const stream = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 32; i += 1) controller.enqueue(chunk);
      controller.close();
    },
  });
  const token = await signToken(spine.config, { role: 'org_admin', org: spine.orgId });
  const response = await fetch(`${spine.url}/v1/things`, {
    method: 'POST',
    body: stream,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    duplex: 'half',
  } as RequestInit);
  t.is(response.status, 413);
});

test('a client that promises more than it sends hurts nobody', async (t) => {
  const token = await signToken(spine.config, { role: 'org_admin', org: spine.orgId });
  const socket = connect(spine.server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"name"`,
  );
  socket.end();
  await once(socket.resume(), 'close');
  t.is((await spine.as('org_admin').get('/v1/things')).status, 200);
  t.false(spine.logs.some((line) => line.includes('database is unavailable')));
});

test('a query parameter that is unknown, repeated or malformed is refused', async (t) => {
  const admin = spine.as('org_admin');
  const cases: [string, string, string][] = [
    ['what=ever', 'what', 'unknown_field'],
    ['limit=1&limit=2', 'limit', 'type'],
    ['preview=true&preview=true', 'preview', 'type'],
    ['limit=0', 'limit', 'min'],
    ['limit=101', 'limit', 'max'],
    ['limit=ten', 'limit', 'type'],
    ['limit=1.5', 'limit', 'type'],
    ['limit=', 'limit', 'type'],
    ['limit=-1', 'limit', 'min'],
    ['limit=0x10', 'limit', 'type'],
    ['limit=1e1', 'limit', 'type'],
    ['limit=%2010', 'limit', 'type'],
    ['limit=0b11', 'limit', 'type'],
    ['preview=yes', 'preview', 'enum'],
    ['orgId=nonsense', 'orgId', 'format'],
    ['cursor=', 'cursor', 'min'],
  ];
  for (const [text, field, rule] of cases) {
    t.like(await admin.get(`/v1/things?${text}`), { status: 400, body: { details: { field, rule } } }, text);
  }
  const messageOf = async (text: string) => (await admin.get(`/v1/things?${text}`)).body.message;
  t.is(await messageOf('what=ever'), 'what is not a known parameter.');
  t.is(await messageOf('limit=1&limit=2'), 'limit must be given only once.');
  t.deepEqual((await admin.get('/v1/things')).body, { limit: 25, preview: false });
  t.deepEqual((await admin.get('/v1/things?limit=100&preview=true')).body, { limit: 100, preview: true });
});

for (const [what, path, field] of [
  ['an id in the path', '/v1/things/%E0%A4%A', 'id'],
  ['the value of a filter', '/v1/things?limit=%E0%A4%A', 'limit'],
  ['a lone percent sign', '/v1/things?cursor=100%', 'cursor'],
  ['the name of a filter', '/v1/things?%ff=1', 'query'],
] as const) {
  test(`${what} that cannot be decoded is refused and named`, async (t) => {
    const answer = await spine.as('org_admin').send('GET', path);
    const details = { field, rule: 'format' };
    t.like(answer, { status: 400, body: { error: 'validation_failed', details } });
    t.is(answer.body.message, `${field} is not valid percent-encoded UTF-8.`);
  });
}

test('an encoded percent sign is decoded, and an unknown path is unknown however it is encoded', async (t) => {
  t.is((await spine.as('org_admin').get('/v1/things', { query: { cursor: '%E0%A4%A' } })).body.details.field, 'cursor');
  t.is((await spine.as('org_admin').send('GET', '/v1/things/%25E0%25A4')).status, 404);
  t.is((await spine.as('org_admin').send('GET', '/v1/nothing/%E0%A4%A')).status, 404);
});
