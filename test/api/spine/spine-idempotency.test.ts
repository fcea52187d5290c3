// Repeating a call with its Idempotency-Key, and changing only the version that one has seen. Contract 1
// "Idempotency-Key", "ETag".
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { claimKey } from '../../../db/queries/platform/idempotency.ts';
import type { TestResponse } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { type Spine, startSpine } from './spine-app.ts';

let spine: Spine;

test.before('a spine', async (t) => {
  spine = await startSpine(t);
});

const THING = { name: 'A', amount: 1, on: '2026-03-01' };
const newKey = () => `key-${randomUUID()}`;
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

test('the same key and request return the first response again', async (t) => {
  const admin = spine.as('org_admin');
  const key = newKey();
  const first = await admin.post('/v1/things', THING, keyed(key));
  const again = await admin.post('/v1/things', THING, keyed(key));
  t.is(first.status, 201);
  t.is(first.headers.get('idempotent-replayed'), null);
  t.is(again.status, 201);
  t.is(again.headers.get('idempotent-replayed'), 'true');
  const { secret, ...kept } = first.body;
  t.is(secret, 'shown-once-value');
  t.is(again.text, JSON.stringify(kept));
  t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'));
});

test('a value shown only once is not kept', async (t) => {
  const key = newKey();
  await spine.as('org_admin').post('/v1/things', THING, keyed(key));
  const rows = await spine.database.forOrg(spine.orgId, (em) =>
    em.execute('select body::text as body from idempotency_keys'),
  );
  t.true(rows.length > 0);
  t.false(JSON.stringify(rows).includes('shown-once-value'));
});

test('a repetition has the bytes of the first response and the headers that belong to it', async (t) => {
  const admin = spine.as('org_admin');
  const key = newKey();
  const first = await admin.post('/v1/exact', undefined, keyed(key));
  const again = await admin.post('/v1/exact', undefined, keyed(key));
  t.is(again.headers.get('idempotent-replayed'), 'true');
  t.is(again.status, 202);
  t.is(again.text, first.text);
  for (const name of ['etag', 'location', 'content-type', 'content-length', 'cache-control']) {
    t.is(again.headers.get(name), first.headers.get(name), name);
    t.truthy(first.headers.get(name), name);
  }
  const refused = { code: 'not_ready' };
  const [one, other] = [
    await admin.post('/v1/fail', refused, keyed(key)),
    await admin.post('/v1/fail', refused, keyed(key)),
  ];
  t.is(other.text, one.text.replace(one.body.requestId, other.body.requestId));
});

test('a response with a secret is repeated with it, and the table has it encrypted and only for its own row', async (t) => {
  const admin = spine.as('org_admin');
  const [key, otherKey] = [newKey(), newKey()];
  const first = await admin.post('/v1/secret', undefined, keyed(key));
  await admin.post('/v1/secret', undefined, keyed(otherKey));
  const again = await admin.post('/v1/secret', undefined, keyed(key));
  t.is(again.headers.get('idempotent-replayed'), 'true');
  t.is(again.text, first.text);
  t.is(again.body.token, 'secret-of-run-1');
  const rows = await spine.database.forOrg(spine.orgId, (em) => em.execute(`select * from idempotency_keys`));
  t.false(JSON.stringify(rows).includes('secret-of-run'));
  const sealed = rows.filter(({ sealed_with }) => sealed_with !== null);
  t.is(sealed.length, 2);
  t.false(sealed.some(({ body }) => Buffer.from(body, 'base64').includes('secret-of-run')));
  await spine.database.forOrg(spine.orgId, (em) =>
    em.execute('update idempotency_keys set body = ? where key_hash = ?', [sealed[0]!.body, sealed[1]!.key_hash]),
  );
  const statuses = [key, otherKey].map(async (each) => (await admin.post('/v1/secret', undefined, keyed(each))).status);
  t.deepEqual((await Promise.all(statuses)).sort(), [200, 500]);
});

test('the kept response leaves the secret out when there is no key to encrypt it', async (t) => {
  const keyless = await startSpine(t, { variables: { PAYLOAD_KEYS: '' } });
  const admin = keyless.as('org_admin');
  const key = newKey();
  const first = await admin.post('/v1/secret', undefined, keyed(key));
  const again = await admin.post('/v1/secret', undefined, keyed(key));
  t.is(again.headers.get('idempotent-replayed'), 'true');
  const { token, ...rest } = first.body;
  t.regex(token, /^secret-of-run/);
  t.deepEqual(again.body, rest);
});

test('another order of JSON fields and query parameters makes no other request', async (t) => {
  const admin = spine.as('org_admin');
  const key = newKey();
  await admin.post('/v1/things', { name: 'A', amount: 1, on: '2026-03-01' }, keyed(key));
  const again = await admin.post('/v1/things', { on: '2026-03-01', amount: 1, name: 'A' }, keyed(key));
  t.is(again.headers.get('idempotent-replayed'), 'true');
});

test('another body or another query under the same key is refused', async (t) => {
  const admin = spine.as('org_admin');
  const key = newKey();
  await admin.post('/v1/things', THING, keyed(key));
  const reused = { status: 409, body: { error: 'idempotency_key_reused' } };
  t.like(await admin.post('/v1/things', { ...THING, amount: 2 }, keyed(key)), reused);
  t.like(await admin.post('/v1/things?preview=true', THING, keyed(key)), reused);
  t.is((await admin.post('/v1/things', THING, keyed(key))).status, 201);
});

test('a key belongs to its caller, organization, method and path', async (t) => {
  const key = newKey();
  const { id } = await spine.thingOf(spine.orgId);
  const org = await spine.createOrg();
  const answers = [
    await spine.as('org_admin', { sub: 'a' }).post('/v1/things', THING, keyed(key)),
    await spine.as('org_admin', { sub: 'b' }).post('/v1/things', THING, keyed(key)),
    await spine.as('org_admin', { sub: 'a', org }).post('/v1/things', THING, keyed(key)),
    await spine.as('superadmin', { sub: 's' }).post('/v1/things', THING, keyed(key)),
    await spine.as('superadmin', { sub: 's' }).post(`/v1/things?orgId=${org}`, THING, keyed(key)),
    await spine.as('org_admin', { sub: 'a' }).post(`/v1/things/${id}/act`, undefined, keyed(key)),
  ];
  for (const { status, headers } of answers) {
    t.true(status < 300);
    t.is(headers.get('idempotent-replayed'), null);
  }
  t.is(new Set(answers.map(({ body }) => body.commandId)).size, answers.length);
});

test('one of two simultaneous calls with one key runs and the other must wait', async (t) => {
  const admin = spine.as('org_admin');
  const key = newKey();
  const refused: TestResponse[] = [];
  const calls = [1, 2, 3].map(async () => {
    const answer = await admin.post('/v1/wait', undefined, keyed(key));
    refused.push(answer);
    return answer;
  });
  const settled = Promise.all(calls);
  // A call that comes only after the release would get the stored answer.
  await eventually(() => refused.length === 2, { what: 'two calls to be refused' });
  for (const answer of refused) {
    t.like(answer, { status: 409, body: { error: 'idempotency_in_progress' } });
    t.regex(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  await spine.tracker.untilWaiting();
  spine.tracker.release();
  const answers = await settled;
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  t.is(spine.tracker.runs.get('wait'), 1);
  t.is((await admin.post('/v1/wait', undefined, keyed(key))).headers.get('idempotent-replayed'), 'true');
  t.is(spine.tracker.runs.get('wait'), 1);
});

for (const [code, status] of [
  ['not_found', 404],
  ['already_exists', 409],
  ['precondition_failed', 412],
  ['quote_expired', 422],
] as const) {
  test(`the handler's ${code} is kept`, async (t) => {
    const admin = spine.as('org_admin');
    const key = newKey();
    const first = await admin.post('/v1/fail', { code }, keyed(key));
    const again = await admin.post('/v1/fail', { code }, keyed(key));
    t.is(first.status, status);
    t.is(again.status, status);
    t.is(again.headers.get('idempotent-replayed'), 'true');
    t.deepEqual(again.body.details, first.body.details);
    t.is(again.body.requestId, again.headers.get('x-request-id'));
  });
}

for (const code of ['validation_failed', 'forbidden'] as const) {
  test(`the handler's ${code} is not kept, and its key may be used for anything`, async (t) => {
    const admin = spine.as('org_admin');
    const key = newKey();
    await admin.post('/v1/fail', { code }, keyed(key));
    const again = await admin.post('/v1/fail', { code }, keyed(key));
    t.is(again.headers.get('idempotent-replayed'), null);
    t.is(again.body.details.run, 2);
    t.is((await admin.post('/v1/fail', { code: 'not_ready' }, keyed(key))).status, 422);
  });
}

test('a fault is not kept, and the next attempt goes on with the same ids', async (t) => {
  const admin = spine.as('org_admin');
  const key = newKey();
  const code = 'service_unavailable';
  const first = await admin.post('/v1/fail', { code }, keyed(key));
  const again = await admin.post('/v1/fail', { code }, keyed(key));
  t.is(first.status, 503);
  t.is(again.status, 503);
  t.not(again.body.details.run, first.body.details.run);
  t.is(again.body.details.seed, first.body.details.seed);
  t.is((await admin.post('/v1/fail', { code: 'bug' }, keyed(key))).status, 409);
});

test('a call whose process died is carried on with the same ids when its lease is over', async (t) => {
  const admin = spine.as('org_admin');
  const key = newKey();
  const body = { code: 'service_unavailable' };
  const seed = (await admin.post('/v1/fail', body, keyed(key))).body.details.seed;
  await spine.database.forOrg(spine.orgId, async (em) => {
    const [row] = await em.execute('select key_hash, fingerprint from idempotency_keys where seed_uuid = ?', [seed]);
    const claim = { keyHash: row!.key_hash, fingerprint: row!.fingerprint, leaseMs: 20_000, holder: null };
    await claimKey(em, { ...claim, nowMs: Date.now() });
  });
  t.like(await admin.post('/v1/fail', body, keyed(key)), { status: 409, body: { error: 'idempotency_in_progress' } });
  await spine.database.forOrg(spine.orgId, (em) =>
    em.execute("update idempotency_keys set locked_until = now() - interval '1 second' where seed_uuid = ?", [seed]),
  );
  t.is((await admin.post('/v1/fail', body, keyed(key))).body.details.seed, seed);
});

test('a key is held for longer than its operation may run, so that no repetition runs beside a living call', async (t) => {
  const own = await startSpine(t, { variables: { COMMAND_DEADLINE_MS: '15000' } });
  const leaseOf = async (path: string) => {
    await own.as('org_admin').post(path, undefined, keyed(newKey()));
    const [row] = await own.database.forOrg(own.orgId, (em) =>
      em.execute('select locked_until - created_at as lease from idempotency_keys order by created_at desc limit 1'),
    );
    return row!.lease;
  };
  t.is(await leaseOf('/v1/exact'), '00:00:20');
  t.is(await leaseOf('/v1/slow'), '00:01:20');
});

test('every call without a key is a call of its own', async (t) => {
  const admin = spine.as('org_admin');
  const bodies = [(await admin.post('/v1/things', THING)).body, (await admin.post('/v1/things', THING)).body];
  t.not(bodies[0].commandId, bodies[1].commandId);
  t.not(bodies[0].seed, bodies[1].seed);
});

test('a key has 1 to 255 characters', async (t) => {
  const admin = spine.as('org_admin');
  t.is((await admin.post('/v1/things', THING, keyed('x'.repeat(255)))).status, 201);
  for (const key of ['x'.repeat(256), '']) {
    const answer = await admin.post('/v1/things', THING, keyed(key));
    t.like(answer, { status: 400, body: { error: 'validation_failed', details: { field: 'Idempotency-Key' } } });
  }
});

test('the key is looked up after the permission and the body', async (t) => {
  const key = newKey();
  const { id } = await spine.thingOf(spine.orgId);
  const act = (client: ReturnType<Spine['as']>) => client.post(`/v1/things/${id}/act`, undefined, keyed(key));
  t.is((await act(spine.as('org_admin', { sub: 'u' }))).status, 200);
  t.is((await act(spine.as('auditor', { sub: 'u' }))).status, 403);
  t.is((await spine.as('org_admin').post('/v1/things', {}, keyed(key))).status, 400);
});

test('the tag of a detail names the version of the row, and changes with it', async (t) => {
  const org = await spine.createOrg();
  const { id, version } = await spine.thingOf(org);
  const admin = spine.as('org_admin', { org });
  const before = (await admin.get(`/v1/things/${id}`)).headers.get('etag');
  t.true(before?.startsWith(`"${id}.${version}.`));
  const patched = await admin.patch(`/v1/things/${id}`, { carrier: 'B' }, match(before));
  t.is(patched.status, 200);
  t.true(patched.headers.get('etag')?.startsWith(`"${id}.${version + 1}.`));
  // The version alone is enough for a write.
  t.is((await admin.patch(`/v1/things/${id}`, { carrier: 'B' }, match(`"${id}.${version + 1}"`))).status, 200);
  const stale = await admin.patch(`/v1/things/${id}`, { carrier: 'C' }, match(before));
  t.like(stale, { status: 412, body: { error: 'precondition_failed' } });
  t.is((await admin.get('/v1/things')).headers.get('etag'), null);
});

test('* matches every version, a weak tag none, and one of a list is enough', async (t) => {
  const org = await spine.createOrg();
  const { id } = await spine.thingOf(org);
  const admin = spine.as('org_admin', { org });
  const change = async (tag: string) => (await admin.patch(`/v1/things/${id}`, { carrier: tag }, match(tag))).status;
  const current = async () => (await admin.get(`/v1/things/${id}`)).headers.get('etag') ?? '';
  t.is(await change('*'), 200);
  t.is(await change(`W/${await current()}`), 412);
  t.is(await change(`"other", ${await current()}`), 200);
  t.is(await change((await current()).replaceAll('"', '')), 412);
  t.is(await change('nonsense'), 412);
  t.is((await admin.del(`/v1/things/${id}`, match('"old"'))).status, 412);
  t.is((await admin.del(`/v1/things/${id}`, match(await current()))).status, 204);
});

test('one of two simultaneous changes of one version is refused', async (t) => {
  const org = await spine.createOrg();
  const { id, version } = await spine.thingOf(org);
  const admin = spine.as('org_admin', { org });
  const tag = match(`"${id}.${version}"`);
  const answers = await Promise.all(
    ['B', 'C', 'D'].map((carrier) => admin.patch(`/v1/things/${id}`, { carrier }, tag)),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412]);
});

function match(tag: string | null) {
  return { headers: { 'if-match': tag ?? '' } };
}
