// What operators see: health, readiness, metrics, logs, the reference; and how the server starts and stops.
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { openApiDocument } from '../../../api/openapi/document.ts';
import { metaRoutes } from '../../../api/routes/platform/meta.ts';
import type { Database } from '../../../db/orm.ts';
import { eventually } from '../../support/eventually.ts';
import { type Spine, startSpine } from './spine-app.ts';
import { startCounterStore } from './spine-store.ts';
import { smallTable } from './spine-table.ts';

let spine: Spine;

test.before('a spine', async (t) => {
  spine = await startSpine(t, { deps: { routes: [...smallTable(), ...metaRoutes] } });
});

interface Described {
  paths: Record<string, Record<string, DescribedOperation>>;
}

interface DescribedOperation {
  deprecated?: boolean;
  description: string;
  responses: Record<string, { headers: object }>;
}

const nobody = () => spine.with({});

test('a client may probe 120 times a minute without a credential, whatever else it has called', async (t) => {
  const alone = await startSpine(t, {
    database: spine.testDatabase,
    deps: { routes: [...smallTable(), ...metaRoutes] },
  });
  const client = alone.with({});
  for (let i = 0; i < 121; i += 1) await client.get('/open');
  t.is((await client.get('/open')).status, 429);
  for (let i = 0; i < 120; i += 1) {
    const { status, headers } = await client.get('/healthz');
    t.deepEqual([status, headers.get('x-ratelimit-remaining')], [200, String(119 - i)]);
  }
  const refused = await client.get('/healthz');
  t.like(refused, { status: 429, body: { error: 'rate_limited', details: { limit: 120 } } });
  t.truthy(refused.headers.get('retry-after'));
});

test('probes are counted by each process for itself, since one prober asks all of them', async (t) => {
  const store = await startCounterStore();
  t.teardown(store.stop);
  const routes = [...smallTable(), ...metaRoutes];
  const variables = { KV_CACHE: store.url };
  const client = (await startSpine(t, { database: spine.testDatabase, variables, deps: { routes } })).with({});
  const isUsed = async () => (await client.get('/open')).status === 200 && store.counts.size > 0;
  await eventually(isUsed, { what: 'other calls to be counted in the store' });
  const before = [...store.counts];
  for (let i = 0; i < 3; i += 1) t.is((await client.get('/healthz')).status, 200);
  t.deepEqual([...store.counts], before);
});

test('readiness is 200 while the database responds, whatever Temporal does', async (t) => {
  const temporalAvailability = { isAvailable: () => false };
  const alone = await startSpine(t, {
    database: spine.testDatabase,
    deps: { temporalAvailability, routes: metaRoutes },
  });
  t.deepEqual((await nobody().get('/readyz')).body, { database: true, temporal: true });
  t.like(await alone.with({}).get('/readyz'), { status: 200, body: { database: true, temporal: false } });
  const ping = () => Promise.reject(new Error('away'));
  const database: Database = { ...spine.database, ping };
  const cut = await startSpine(t, { database: spine.testDatabase, deps: { database, routes: metaRoutes } });
  const answer = await cut.with({}).get('/readyz');
  t.like(answer, {
    status: 503,
    body: { error: 'service_unavailable', details: { database: false, temporal: true } },
  });
  t.truthy(answer.headers.get('retry-after'));
});

test('measurements are by operation, not by path', async (t) => {
  const { id } = await spine.thingOf(spine.orgId);
  await spine.as('org_admin').get(`/v1/things/${id}`);
  await nobody().get('/v1/somewhere/secret');
  const { text, headers } = await nobody().get('/metrics');
  t.regex(headers.get('content-type') ?? '', /^text\/plain/);
  t.true(text.includes('http_request_duration_seconds_count{method="GET",route="/v1/things/:id",status="200"}'));
  t.true(text.includes('route="none",status="404"'));
  t.false(text.includes(id) || text.includes('secret'));
});

test('a request is one line, with the facts needed to find it and nothing about a person', async (t) => {
  const { id } = await spine.thingOf(spine.orgId);
  const answer = await spine.as('org_admin', { sub: 'usr_line' }).get(`/v1/things/${id}?what=ever`);
  const requestId = answer.headers.get('x-request-id') ?? '?';
  const lines = spine.logs.filter((line) => line.includes(requestId)).map((line) => JSON.parse(line));
  t.is(lines.length, 1);
  const { level: _level, time: _time, pid: _pid, hostname: _hostname, ms, ...line } = lines[0];
  t.true(ms >= 0);
  t.deepEqual(line, {
    requestId,
    method: 'GET',
    route: '/v1/things/:id',
    status: 400,
    orgId: spine.orgId,
    actorKind: 'user',
    actorId: 'usr_line',
    msg: 'request',
  });
});

test('a bug returns no internals and is logged with its stack', async (t) => {
  const answer = await spine.as('org_admin').post('/v1/fail', { code: 'bug' });
  t.is(answer.status, 500);
  t.like(answer.body, { error: 'internal_error', details: {} });
  t.false(answer.text.includes('select'));
  const line = spine.logs.find((each) => each.includes(answer.body.requestId) && each.includes('unexpected error'));
  t.regex(JSON.parse(line ?? '{}').err.stack, /spine-table\.ts/);
});

test('an unavailable database is 503 with Retry-After', async (t) => {
  const answer = await spine.as('org_admin').post('/v1/fail', { code: 'away' });
  t.like(answer, { status: 503, body: { error: 'service_unavailable' } });
  t.true(Number(answer.headers.get('retry-after')) > 0);
});

test('responses are not cached, not sniffed and not framed', async (t) => {
  const { headers } = await spine.as('org_admin').get('/v1/things');
  t.is(headers.get('cache-control'), 'no-store');
  t.is(headers.get('x-content-type-options'), 'nosniff');
  t.is(headers.get('content-security-policy'), "default-src 'none';frame-ancestors 'none'");
  t.is(headers.get('x-powered-by'), null);
  t.is((await nobody().get('/v1/nothing')).headers.get('cache-control'), 'no-store');
});

test('an operation to be removed says so on every response and in the document, and no other does', async (t) => {
  const admin = spine.as('org_admin');
  for (const [path, status] of [
    ['/v1/old-things', 200],
    ['/v1/old-things?limit=0', 400],
  ] as const) {
    const answer = await admin.get(path);
    t.is(answer.status, status);
    // 2026-01-15 is day 20,468 since 1970.
    t.is(answer.headers.get('deprecation'), `@${20_468 * 86_400}`);
    t.is(answer.headers.get('sunset'), 'Fri, 15 Jan 2027 00:00:00 GMT');
    t.true(answer.headers.get('link')?.startsWith('</v1/things>; rel="successor-version"'));
  }
  const list = await admin.get('/v1/old-things');
  t.regex(
    list.headers.get('link') ?? '',
    /^<\/v1\/things>; rel="successor-version", <\/v1\/old-things\?cursor=[\w-]{11}c3ViXzE>; rel="next"$/,
  );
  t.is((await admin.get('/v1/things')).headers.get('deprecation'), null);
  const { paths } = openApiDocument(smallTable(), { version: '0.0.0', serverUrl: 'http://localhost' }) as Described;
  t.like(paths['/v1/old-things'], { get: { deprecated: true } });
  t.regex(
    paths['/v1/old-things']?.get?.description ?? '',
    /^Deprecated since 2026-01-15\. It may be gone from 2027-01-15 on\./,
  );
  t.is(paths['/v1/things']?.get?.deprecated, undefined);
  const describes = (path: string) =>
    Object.values(paths[path]?.get?.responses ?? {}).map(
      ({ headers }) => 'Deprecation' in headers && 'Sunset' in headers,
    );
  t.deepEqual([...new Set(describes('/v1/old-things'))], [true]);
  t.deepEqual([...new Set(describes('/v1/things'))], [false]);
});

test('only configured origins may call from a browser', async (t) => {
  const origin = 'https://portal.example.com';
  const open = await startSpine(t, { database: spine.testDatabase, deps: { corsOrigins: [origin] } });
  const preflight = (from: string) =>
    open
      .with({
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      })
      .send('OPTIONS', '/v1/things');
  t.is((await preflight(origin)).headers.get('access-control-allow-origin'), origin);
  t.is((await preflight('https://evil.example.com')).headers.get('access-control-allow-origin'), null);
  const answer = await open.with({ origin }).get('/open');
  t.is(answer.headers.get('access-control-allow-origin'), origin);
  t.regex(answer.headers.get('access-control-expose-headers') ?? '', /ETag.*X-Request-Id/);
  t.is((await spine.with({ origin }).get('/open')).headers.get('access-control-allow-origin'), null);
});

test('a stop lets a request in flight finish and takes no new connection', async (t) => {
  const stopping = await startSpine(t, { database: spine.testDatabase });
  const inFlight = stopping.as('org_admin').post('/v1/wait');
  await stopping.tracker.untilWaiting();
  const stopped = stopping.server.stop(5_000);
  const refused = connect(stopping.server.port, '127.0.0.1');
  const [error] = await once(refused, 'error');
  t.is(error.code, 'ECONNREFUSED');
  stopping.tracker.release();
  t.is((await inFlight).status, 200);
  await stopped;
});

test('a stop cuts requests that do not finish in time', async (t) => {
  const stopping = await startSpine(t, { database: spine.testDatabase });
  const inFlight = stopping.as('org_admin').post('/v1/wait');
  await stopping.tracker.untilWaiting();
  await stopping.server.stop(50);
  await t.throwsAsync(inFlight);
});
