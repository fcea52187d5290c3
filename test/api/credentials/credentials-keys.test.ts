// API keys and the machine secret: what they open, in which organization, and what is recorded. Spec 5.2, 5.3, Contract
// 2.
import { createHash } from 'node:crypto';
import test from 'ava';
import { apiKeyRoutes } from '../../../api/routes/access/api-keys.ts';
import { authDemoRoutes } from '../../../api/routes/access/auth-demo.ts';
import { organizationRoutes } from '../../../api/routes/platform/organizations.ts';
import type { Route } from '../../../api/spine/route.ts';
import { newId } from '../../../db/ids.ts';
import { seedDemo } from '../../../db/seed/demo.ts';
import { organizationUuid } from '../../../domain/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { type Spine, startSpine } from '../spine/spine-app.ts';
import { smallTable } from '../spine/spine-table.ts';

let spine: Spine;

const table = (): Route[] => [...smallTable(), ...apiKeyRoutes, ...organizationRoutes, ...authDemoRoutes];

test.before('a spine', async (t) => {
  spine = await startSpine(t, { deps: { routes: table() } });
});

const bearer = (token: string) => spine.with({ authorization: `Bearer ${token}` });
const machine = () => bearer(spine.config.apiSecret);

async function newKey(scopes: string[], more: object = {}, org = spine.orgId) {
  const made = await spine.as('org_admin', { org }).post('/v1/api-keys', { name: 'CI', scopes, ...more });
  if (made.status !== 201) throw new Error(made.text);
  return made.body as { id: string; key: string };
}

const audited = (org: string) =>
  spine.database.forOrg(org, (em) =>
    em.execute<{ action: string; actor_kind: string; actor_id: string; entity_id: string | null; changes: object }[]>(
      'select action, actor_kind, actor_id, entity_id, changes from audit_entries order by id',
    ),
  );

test('a key is shown once, kept as a hash, and opens the operations of its scopes', async (t) => {
  const { id, key } = await newKey(['submissions:read']);
  t.regex(key, /^svck_test_[0-9A-Za-z]{43}$/);
  t.is((await spine.with({ 'x-api-key': key }).get('/v1/things')).status, 200);
  t.is((await bearer(key).get('/v1/things')).status, 200);
  const listed = await spine.as('org_admin').get('/v1/api-keys');
  const row = listed.body.data.find((each: { id: string }) => each.id === id);
  t.like(row, { name: 'CI', scopes: ['submissions:read'], displayPrefix: key.slice(0, 14), revokedAt: null });
  t.false(listed.text.includes(key));
  const hash = createHash('sha256').update(key).digest('hex');
  const stored = await spine.database.forOrg(spine.orgId, (em) =>
    em.execute('select * from api_keys where id = ?', [id]),
  );
  t.is(stored[0]?.hash, hash);
  t.false(JSON.stringify(stored).includes(key));
});

test('a key whose response was lost is not made twice: the repetition names the one to revoke', async (t) => {
  const admin = spine.as('org_admin');
  const headers = { 'idempotency-key': newId('request') };
  const body = { name: 'Lost', scopes: ['*'] };
  const made = await admin.post('/v1/api-keys', body, { headers });
  t.is(made.status, 201);
  // The state that a process leaves if it dies after committing the key and before storing its answer.
  await spine.database.forOrg(spine.orgId, (em) =>
    em.execute(
      "update idempotency_keys set state = 'released', status = null, headers = null, body = null where body::jsonb ->> 'id' = ?",
      [made.body.id],
    ),
  );
  const refused = { status: 409, body: { error: 'already_exists', details: { id: made.body.id } } };
  t.like(await admin.post('/v1/api-keys', body, { headers }), refused);
  t.like(await admin.post('/v1/api-keys', body, { headers }), refused, 'again the same');
  const { data } = (await admin.get('/v1/api-keys')).body;
  t.is(data.filter(({ name }: { name: string }) => name === 'Lost').length, 1);
  t.is((await admin.del(`/v1/api-keys/${made.body.id}`)).status, 204);
});

test('write implies read, and a missing scope is named', async (t) => {
  const writer = await newKey(['submissions:write']);
  t.is((await bearer(writer.key).get('/v1/things')).status, 200);
  t.is((await bearer(writer.key).post('/v1/things', { name: 'A', amount: 1, on: '2026-03-01' })).status, 201);
  const reader = await newKey(['submissions:read', 'policies:write']);
  const refused = await bearer(reader.key).post('/v1/things', {});
  t.like(refused, { status: 403, body: { error: 'forbidden', details: { requiredScope: 'submissions:write' } } });
});

test('routes without a scope are closed to every key, * included', async (t) => {
  const { key } = await newKey(['*']);
  t.is((await bearer(key).get('/v1/things')).status, 200);
  for (const path of ['/v1/contracts', '/v1/tenants', '/v1/api-keys', '/v1/organizations', '/v1/portal/home']) {
    t.is((await bearer(key).get(path)).status, 403, path);
  }
  t.is((await bearer(key).post('/v1/api-keys', { name: 'B', scopes: ['*'] })).status, 403);
});

test('a revoked key is refused immediately, and revoking it again changes nothing', async (t) => {
  const { id, key } = await newKey(['*']);
  t.is((await bearer(key).get('/v1/things')).status, 200);
  t.is((await spine.as('org_admin').del(`/v1/api-keys/${id}`)).status, 204);
  t.is((await bearer(key).get('/v1/things')).status, 401);
  t.is((await spine.as('org_admin').del(`/v1/api-keys/${id}`)).status, 204);
  const actions = (await audited(spine.orgId)).filter((row) => row.entity_id === id).map(({ action }) => action);
  t.deepEqual(actions, ['api_key:create', 'api_key:revoke', 'credential:refused']);
});

test('an expired key, an unknown one, one of another shape or environment is refused', async (t) => {
  let nowMs = Date.now();
  const clocked = await startSpine(t, { database: spine.testDatabase, deps: { now: () => nowMs, routes: table() } });
  const expiresAt = new Date(nowMs + 60_000).toISOString();
  const made = await clocked.as('org_admin').post('/v1/api-keys', { name: 'Short', scopes: ['*'], expiresAt });
  const ask = async (key: string) => (await clocked.with({ 'x-api-key': key }).get('/v1/things')).status;
  t.is(made.body.expiresAt, expiresAt);
  t.is(await ask(made.body.key), 200);
  nowMs += 60_000;
  t.is(await ask(made.body.key), 401);
  for (const key of [
    `svck_test_${'a'.repeat(43)}`,
    made.body.key.replace('test', 'live'),
    'svck_test_',
    'svck_test_a b',
    clocked.config.apiSecret,
    'x',
  ]) {
    t.is(await ask(key), 401, key);
  }
});

test('keys are live ones in production', async (t) => {
  const live = await startSpine(t, { variables: { ENVIRONMENT: 'production' }, deps: { routes: table() } });
  const { body } = await live.as('org_admin').post('/v1/api-keys', { name: 'Live', scopes: ['*'] });
  t.regex(body.key, /^svck_live_/);
  t.is((await live.with({ 'x-api-key': body.key }).get('/v1/things')).status, 200);
  t.is((await live.with({ 'x-api-key': body.key.replace('live', 'test') }).get('/v1/things')).status, 401);
});

test('the use of a key is noted', async (t) => {
  const { id, key } = await newKey(['*']);
  await bearer(key).get('/v1/things');
  const noted = async () => {
    const { body } = await spine.as('org_admin').get('/v1/api-keys');
    return body.data.find((row: { id: string }) => row.id === id).lastUsedAt as string | null;
  };
  const beganMs = Date.now();
  const at = await eventually(noted, { what: 'the note' });
  t.true(Date.parse(at) > beganMs - 60_000 && Date.parse(at) <= Date.now(), at);
});

test('an invalid name, scope or expiration of a key is refused, and repeated scopes count once', async (t) => {
  const make = (body: object) => spine.as('org_admin').post('/v1/api-keys', { name: 'A', scopes: ['*'], ...body });
  const cases: [object, string, string][] = [
    [{ scopes: ['policies:delete'] }, 'scopes.0', 'enum'],
    [{ scopes: [] }, 'scopes', 'min'],
    [{ scopes: undefined }, 'scopes', 'required'],
    [{ scopes: '*' }, 'scopes', 'type'],
    [{ name: ' ' }, 'name', 'min'],
    [{ expiresAt: 'soon' }, 'expiresAt', 'format'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt', 'min'],
  ];
  for (const [body, field, rule] of cases) {
    t.like(await make(body), { status: 400, body: { details: { field, rule } } }, JSON.stringify(body));
  }
  t.like(await make({ scopes: ['*', '*'], expiresAt: null }), {
    status: 201,
    body: { scopes: ['*'], expiresAt: null },
  });
});

test('keys are made by administrators and platform roles only, and belong to one organization', async (t) => {
  for (const role of ['platform_operator', 'superadmin', 'org_admin']) {
    t.is((await spine.as(role).post('/v1/api-keys', { name: role, scopes: ['flags:read'] })).status, 201, role);
  }
  for (const role of ['underwriter', 'auditor', 'producer', 'billing_admin', 'compliance_officer']) {
    t.is((await spine.as(role).post('/v1/api-keys', { name: role, scopes: ['flags:read'] })).status, 403, role);
  }
  const other = await spine.createOrg();
  const { id, key } = await newKey(['*'], {}, other);
  t.is((await spine.as('org_admin').del(`/v1/api-keys/${id}`)).status, 404);
  t.is((await bearer(key).get(`/v1/things?orgId=${spine.orgId}`)).status, 404);
  t.is((await bearer(key).get(`/v1/things?orgId=${other}`)).status, 200);
});

test('the key of a repeated call is not shown again', async (t) => {
  const keyed = { headers: { 'idempotency-key': newId('request') } };
  const body = { name: 'Once', scopes: ['*'] };
  const first = await spine.as('org_admin').post('/v1/api-keys', body, keyed);
  const again = await spine.as('org_admin').post('/v1/api-keys', body, keyed);
  t.is(again.body.id, first.body.id);
  t.is(again.body.key, undefined);
});

test('two different credentials prove nothing, the same one twice does', async (t) => {
  const [{ key }, second] = [await newKey(['*']), await newKey(['*'])];
  const both = (token: string, apiKey: string) =>
    spine.with({ authorization: `Bearer ${token}`, 'x-api-key': apiKey }).get('/v1/things');
  t.is((await both(key, second.key)).status, 401);
  t.is((await both(spine.config.apiSecret, key)).status, 401);
  t.is((await both(key, key)).status, 200);
  for (const authorization of [
    'Basic dXNlcjpwYXNz',
    'Bearer',
    'Bearer  ',
    `Token ${key}`,
    `${key}`,
    `Bearer ${key} x`,
  ]) {
    t.is((await spine.with({ authorization }).get('/v1/things')).status, 401, authorization);
  }
  t.is((await spine.with({ authorization: `bearer ${key}` }).get('/v1/things')).status, 200);
});

test('the machine secret acts in the organization that query, header or default name, in this order', async (t) => {
  const [a, b] = [await spine.createOrg(), await spine.createOrg()];
  const org = async (path: string, headers = {}) => (await machine().get(path, { headers })).body.org;
  t.is(await org(`/v1/contracts?orgId=${a}`), a);
  t.is(await org(`/v1/contracts?orgId=${organizationUuid(a)}`), a);
  t.is(await org('/v1/contracts', { 'x-org-id': b }), b);
  t.is(await org(`/v1/contracts?orgId=${a}`, { 'x-org-id': b }), a);
  const none = { status: 400, body: { error: 'validation_failed', details: { field: 'orgId', rule: 'required' } } };
  t.like(await machine().get('/v1/contracts'), none);
  t.like(await machine().post('/v1/contracts'), none);
  t.is((await machine().get(`/v1/contracts?orgId=${newId('organization')}`)).status, 404);
  t.is((await machine().get('/v1/contracts?orgId=nonsense')).status, 400);
  t.is((await machine().get('/v1/tenants')).status, 200);
});

test('the default organization is for reading alone', async (t) => {
  const defaults = { DEFAULT_ORG_ID: spine.orgId };
  const other = await startSpine(t, { database: spine.testDatabase, variables: defaults });
  const secret = other.with({ authorization: `Bearer ${other.config.apiSecret}` });
  t.is((await secret.get('/v1/contracts')).body.org, spine.orgId);
  t.is((await secret.post('/v1/contracts')).status, 400);
});

test('every call of the machine secret is in the audit, also one that fails', async (t) => {
  const org = await spine.createOrg();
  await machine().get(`/v1/contracts?orgId=${org}`);
  await machine().get(`/v1/things/${newId('daContract')}?orgId=${org}`);
  await machine().post(`/v1/things?orgId=${org}`, { what: 'ever' });
  const calls = (await audited(org)).map(({ actor_kind, changes }) => ({ actor_kind, changes }));
  t.deepEqual(calls, [
    { actor_kind: 'machine', changes: { call: 'GET /v1/contracts' } },
    { actor_kind: 'machine', changes: { call: 'GET /v1/things/:id' } },
    { actor_kind: 'machine', changes: { call: 'POST /v1/things' } },
  ]);
});

test('every read of an auditor is in the audit', async (t) => {
  const org = await spine.createOrg();
  const { id } = await spine.thingOf(org);
  await spine.as('auditor', { org, sub: 'usr_audit' }).get(`/v1/things/${id}`);
  await spine.as('underwriter', { org }).get(`/v1/things/${id}`);
  t.like(await audited(org), [{ action: 'submission:read', actor_id: 'usr_audit', entity_id: id }]);
});

test('a caller bound to one organization who names another gets not_found', async (t) => {
  const other = await spine.createOrg();
  for (const role of ['org_admin', 'underwriter', 'auditor', 'platform_operator']) {
    const client = spine.as(role);
    const path = role === 'platform_operator' ? '/v1/contracts' : '/v1/things';
    t.is((await client.get(`${path}?orgId=${other}`)).status, 404, role);
    t.is((await client.get(path, { headers: { 'x-org-id': other } })).status, 404, role);
    t.is((await client.get(`${path}?orgId=${spine.orgId}`)).status, 200, role);
  }
});

test('a superadmin acts everywhere, a platform operator where a tuple allows it', async (t) => {
  const other = await spine.createOrg();
  t.is((await spine.as('superadmin').get(`/v1/contracts?orgId=${other}`)).body.org, other);
  const operator = spine.as('platform_operator', { sub: 'usr_operator' });
  t.is((await operator.get(`/v1/contracts?orgId=${other}`)).status, 404);
  t.is((await operator.put(`/v1/organizations/${other}/operators/usr_operator`)).status, 403);
  t.is((await spine.as('superadmin').put(`/v1/organizations/${other}/operators/usr_operator`)).status, 200);
  t.is((await operator.get(`/v1/contracts?orgId=${other}`)).body.org, other);
  t.is((await spine.as('platform_operator', { sub: 'usr_else' }).get(`/v1/contracts?orgId=${other}`)).status, 404);
  t.is((await spine.as('superadmin').del(`/v1/organizations/${other}/operators/usr_operator`)).status, 204);
  t.is((await operator.get(`/v1/contracts?orgId=${other}`)).status, 404);
  t.is((await spine.as('superadmin').del(`/v1/organizations/${other}/operators/usr_operator`)).status, 204);
});

test('the machine secret buys a demo token of a quarter of an hour, where there is a demo organization', async (t) => {
  const lonely = await startSpine(t, { deps: { routes: table() } });
  const ask = (secret: string) => lonely.with({}).post('/auth/demo', { secret });
  t.is((await ask(lonely.config.apiSecret)).status, 404);
  t.is((await ask('wrong')).status, 401);
  const { orgId } = await seedDemo(lonely.database, { orgId: newId('organization'), apiKey: null });
  const { status, body } = await ask(lonely.config.apiSecret);
  t.is(status, 200);
  t.is(body.orgId, orgId);
  const life = Date.parse(body.expiresAt) - Date.now();
  t.true(life > 890_000 && life <= 900_000);
  const demo = lonely.with({ authorization: `Bearer ${body.token}` });
  t.is((await demo.get('/v1/contracts')).body.org, orgId);
  t.is((await ask('wrong')).status, 401);
  t.is((await lonely.with({}).post('/auth/demo', {})).status, 400);
  const rows = await lonely.database.forOrg(orgId, (em) =>
    em.execute("select changes from audit_entries where action = 'credential:refused'"),
  );
  t.deepEqual(rows, [{ changes: { reason: 'wrong demo secret' } }]);
});

test('no log entry holds a secret, a token, a key or a query', async (t) => {
  const { key } = await newKey(['*']);
  await bearer(key).get('/v1/things?limit=17');
  await machine().get(`/v1/contracts?orgId=${spine.orgId}`);
  await bearer('not-the-machine-secret-at-all').get('/v1/things');
  await spine.as('org_admin', { sub: 'usr_logged' }).post('/v1/things', { name: 'Zebra Personal Name' });
  const text = spine.logs.join('');
  for (const secret of [
    key,
    spine.config.apiSecret,
    spine.config.jwtSecret,
    'not-the-machine',
    'eyJ',
    'limit=17',
    'Zebra',
  ]) {
    t.false(text.includes(secret), secret);
  }
  t.true(text.includes('usr_logged'));
});
