// How often a caller may call, and what every answer says about it. Spec 8.1, Contract 1 "Rate headers".
import test, { type ExecutionContext } from 'ava';
import { newId } from '../../../db/ids.ts';
import type { TestResponse } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { type SpineOptions, startSpine } from './spine-app.ts';
import { startCounterStore } from './spine-store.ts';

let database: TestDatabase;

test.before('a database', async (t) => {
  database = await createTestDatabase(t);
});

/** Each has its own counters. */
const start = (t: ExecutionContext, options: SpineOptions = {}) => startSpine(t, { database, ...options });

function rateOf({ headers }: TestResponse) {
  const read = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
  return { limit: read('limit'), remaining: read('remaining'), reset: read('reset') };
}

test('every response carries the rate headers and a request id, whatever its status', async (t) => {
  const spine = await start(t);
  const admin = spine.as('org_admin');
  const answers: [number, TestResponse][] = [
    [200, await admin.get('/v1/things')],
    [201, await admin.post('/v1/things', { name: 'A', amount: 1, on: '2026-03-01' })],
    [400, await admin.post('/v1/things', {})],
    [401, await spine.with({}).get('/v1/things')],
    [403, await spine.as('auditor').post('/v1/things', {})],
    [404, await admin.get('/v1/nothing')],
    [405, await admin.send('PUT', '/v1/things')],
    [
      413,
      await admin.send('POST', '/v1/things', 'x'.repeat(2 ** 21), { headers: { 'content-type': 'application/json' } }),
    ],
    [415, await admin.send('POST', '/v1/things', 'x', { headers: { 'content-type': 'text/plain' } })],
    [500, await admin.post('/v1/fail', { code: 'bug' })],
    [503, await admin.post('/v1/fail', { code: 'away' })],
    [200, await spine.with({}).get('/open')],
    [204, await spine.with({}).send('OPTIONS', '/open')],
  ];
  const nowSeconds = Date.now() / 1000;
  for (const [status, answer] of answers) {
    t.is(answer.status, status);
    const { limit, remaining, reset } = rateOf(answer);
    t.true(limit > 0 && remaining >= 0 && remaining <= limit, `${status}`);
    t.true(reset >= Math.floor(nowSeconds) - 5 && reset <= nowSeconds + 61, `${status}: ${reset}`);
    t.regex(answer.headers.get('x-request-id') ?? '', /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    if (status >= 400) t.is(answer.body.requestId, answer.headers.get('x-request-id'));
  }
});

test('a well-formed request id is kept and any other replaced', async (t) => {
  const spine = await start(t);
  const send = async (id: string) =>
    (await spine.with({ 'x-request-id': id }).get('/open')).headers.get('x-request-id');
  for (const id of ['req_01jz8k3v5ne0rbx4q2mw7t6yha', '0b8f9c1e-5a7d-4d47-9e5f-2a6f3f7d9a11', 'trace_12345']) {
    t.is(await send(id), id);
  }
  for (const id of ['short', 'x'.repeat(129), 'with blanks in it', '<script>alert(1)</script>', 'naïve-request-id']) {
    t.regex((await send(id)) ?? '', /^req_[0-9a-z]{26}$/, id);
  }
});

test('each user is counted separately against the enterprise limit in local', async (t) => {
  const spine = await start(t);
  const first = rateOf(await spine.as('org_admin', { sub: 'a' }).get('/v1/things'));
  t.like(first, { limit: 10_000, remaining: 9_999 });
  t.is(rateOf(await spine.as('org_admin', { sub: 'a' }).get('/v1/things')).remaining, 9_998);
  t.is(rateOf(await spine.as('org_admin', { sub: 'b' }).get('/v1/things')).remaining, 9_999);
  const org = await spine.createOrg();
  t.is(rateOf(await spine.as('org_admin', { sub: 'a', org }).get('/v1/things')).remaining, 9_999);
});

test('the tier of the organization decides in production', async (t) => {
  const spine = await start(t, { variables: { ENVIRONMENT: 'production' } });
  const [standard, enterprise] = [await spine.createOrg('standard'), await spine.createOrg('enterprise')];
  t.is(rateOf(await spine.as('org_admin', { org: standard }).get('/v1/things')).limit, 1_000);
  t.is(rateOf(await spine.as('org_admin', { org: enterprise }).get('/v1/things')).limit, 10_000);
});

test('the sandbox refuses the 101st call of a minute and says when to come back', async (t) => {
  const spine = await start(t, { variables: { ENVIRONMENT: 'sandbox' } });
  const admin = spine.as('org_admin');
  const statuses = [];
  for (let i = 0; i < 100; i += 1) statuses.push((await admin.get('/v1/things')).status);
  t.true(statuses.every((status) => status === 200));
  const refused = await admin.get('/v1/things?what=ever');
  t.like(refused, { status: 429, body: { error: 'rate_limited', details: { limit: 100 } } });
  t.like(rateOf(refused), { limit: 100, remaining: 0 });
  const wait = Number(refused.headers.get('retry-after'));
  t.true(wait >= 1 && wait <= 60);
  t.is((await spine.as('auditor').post('/v1/things', {})).status, 403);
});

test('the limit comes after the credential and before the permission', async (t) => {
  const spine = await start(t, { variables: { ENVIRONMENT: 'sandbox' } });
  const auditor = spine.as('auditor');
  for (let i = 0; i < 100; i += 1) await auditor.post('/v1/things', {});
  t.is((await auditor.post('/v1/things', {})).status, 429);
});

test('a refused call of the machine secret is kept for the organization that it names, and refused where it names none', async (t) => {
  const spine = await start(t, { variables: { ENVIRONMENT: 'sandbox' } });
  const machine = spine.with({ Authorization: `Bearer ${spine.config.apiSecret}` });
  for (let i = 0; i < 100; i += 1) await machine.get('/v1/things', { headers: { 'x-org-id': spine.orgId } });
  const named: Record<string, string>[] = [{ 'x-org-id': spine.orgId }, { 'x-org-id': newId('organization') }, {}];
  for (const headers of named) {
    t.is((await machine.post('/v1/things', {}, { headers })).status, 429);
  }
  const refused = () =>
    spine.database.acrossOrgs('who is limited', (em) =>
      em.execute<object[]>(
        "select org_id, actor_kind, method from requests where status = 429 and actor_kind = 'machine'",
      ),
    );
  const kept = await eventually(async () => ((rows) => (rows.length > 0 ? rows : undefined))(await refused()), {
    what: 'the refusal',
  });
  t.deepEqual(kept, [{ org_id: spine.orgId, actor_kind: 'machine', method: 'POST' }]);
});

test('the AI class allows 20 calls a minute', async (t) => {
  const spine = await start(t);
  const admin = spine.as('org_admin');
  for (let i = 0; i < 20; i += 1) t.is((await admin.get('/v1/ingest')).status, 200);
  t.like(await admin.get('/v1/ingest'), { status: 429, body: { details: { limit: 20 } } });
  t.is((await admin.get('/v1/things')).status, 200);
});

test('a caller without a credential is counted by address: 120 a minute, and a missing credential stays 401', async (t) => {
  const spine = await start(t);
  const nobody = spine.with({});
  for (let i = 0; i < 120; i += 1) await nobody.get('/v1/things');
  const unproven = await nobody.get('/v1/things');
  t.is(unproven.status, 401);
  t.like(rateOf(unproven), { limit: 120, remaining: 0 });
  t.like(await nobody.get('/open'), { status: 429, body: { error: 'rate_limited' } });
  t.is((await nobody.get('/v1/nothing')).status, 404);
  t.is((await spine.as('org_admin').get('/v1/things')).status, 200);
});

test('X-Forwarded-For counts behind a trusted proxy only, and then only the entry that the proxy added', async (t) => {
  const direct = await start(t);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  t.is((await direct.with(from('9.9.9.9')).get('/open')).body.clientAddress, '127.0.0.1');
  const behind = await start(t, { variables: { TRUST_PROXY: 'true' } });
  t.is((await behind.with(from('9.9.9.9')).get('/open')).body.clientAddress, '9.9.9.9');
  t.is((await behind.with(from('6.6.6.6, 9.9.9.9')).get('/open')).body.clientAddress, '9.9.9.9');
  t.is(rateOf(await behind.with(from('8.8.8.8')).get('/open')).remaining, 119);
});

test('an IPv6 network of /64 is one client, and an IPv4 address is the same one when it is written as IPv6', async (t) => {
  const behind = await start(t, { variables: { TRUST_PROXY: 'true' } });
  const left = async (address: string) =>
    rateOf(await behind.with({ 'x-forwarded-for': address }).get('/open')).remaining;
  t.is(await left('2001:db8:0:1::1'), 119);
  t.is(await left('2001:db8:0:1:ffff::2'), 118);
  t.is(await left('2001:0DB8::1:1:2:3:4'), 117);
  t.is(await left('2001:db8:0:2::1'), 119);
  t.is(await left('203.0.113.7'), 119);
  t.is(await left('::ffff:203.0.113.7'), 118);
  const unproven = await behind.with({ 'x-forwarded-for': '2001:db8:0:1::9' }).get('/v1/things');
  t.like(rateOf(unproven), { limit: 120, remaining: 116 });
});

test('every process counts for itself while the shared counters are away, and says so once', async (t) => {
  const spine = await start(t, { variables: { KV_CACHE: 'redis://127.0.0.1:1' } });
  const admin = spine.as('org_admin');
  for (let i = 0; i < 5; i += 1) t.is(rateOf(await admin.get('/v1/things')).remaining, 9_999 - i);
  t.is(spine.logs.filter((line) => line.includes('counts for itself')).length, 1);
});

test('two processes count together with a shared store, and go on alone when it goes away', async (t) => {
  const store = await startCounterStore();
  t.teardown(store.stop);
  const variables = { KV_CACHE: store.url };
  const [one, other] = [await start(t, { variables }), await start(t, { variables })];
  const ask = (spine: typeof one) => spine.as('org_admin', { org: one.orgId, sub: 'usr_shared' }).get('/v1/things');
  // A store that answers too late is skipped for that call, on a busy machine or at the first connection.
  const inTurn = async () =>
    [await ask(one), await ask(other), await ask(one)].map((answer) => rateOf(answer).remaining);
  const countTogether = ([first = 0, ...others]: number[]) => others.every((left, i) => left === first - 1 - i);
  t.true(await eventually(async () => countTogether(await inTurn()), { what: 'both to count in the store' }));
  t.true(store.counts.size > 0);
  store.stop();
  t.is((await ask(one)).status, 200);
  t.is((await ask(other)).status, 200);
});
