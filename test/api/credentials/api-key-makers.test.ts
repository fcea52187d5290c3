// An API key never outgrows its maker: it is limited to their role, and ends with what it was made on. Contract 2 "API
// key".
import test, { type ExecutionContext } from 'ava';
import { apiKeyRoutes } from '../../../api/routes/access/api-keys.ts';
import { userRoutes } from '../../../api/routes/access/users.ts';
import { flagRoutes } from '../../../api/routes/platform/flags.ts';
import { organizationRoutes } from '../../../api/routes/platform/organizations.ts';
import { newId } from '../../../db/ids.ts';
import { SCOPES } from '../../../domain/permissions.ts';
import { runPostgres, type Sql } from '../../auth/sql.ts';
import type { TestClient } from '../../support/client.ts';
import { holdTable } from '../../support/held-row.ts';
import { type Spine, startSpine } from '../spine/spine-app.ts';
import { smallTable } from '../spine/spine-table.ts';

const ROUNDS = 8;

let spine: Spine;
let sql: Sql;
let count = 0;

test.before('a spine', async (t) => {
  const routes = [...smallTable(), ...apiKeyRoutes, ...flagRoutes, ...organizationRoutes, ...userRoutes];
  spine = await startSpine(t, { deps: { routes } });
  sql = runPostgres(spine.testDatabase);
});
test.after.always(() => sql?.end());

const withKey = (key: string) => spine.with({ 'x-api-key': key });
const make = (maker: TestClient, scopes: string[], org = spine.orgId) =>
  maker.post(`/v1/api-keys?orgId=${org}`, { name: scopes.join(' '), scopes });

async function made(maker: TestClient, scopes: string[], org = spine.orgId) {
  const { status, body, text } = await make(maker, scopes, org);
  if (status !== 201) throw new Error(text);
  return body as { id: string; key: string; createdBy: string; creatorActive: boolean };
}

/** Adds a person. */
async function person() {
  count += 1;
  const [id, email] = [newId('user'), `maker-${count}@example.test`];
  await sql.query('insert into auth.people (id, email, name) values ($1, $2, $2)', [id, email]);
  return { id, email };
}

/** Makes a person a user of an organization, as an accepted invitation does. */
async function member(
  who: { id: string; email: string },
  role: string,
  { org = spine.orgId, origin = 'invited' } = {},
) {
  const id = newId('user');
  await sql.query(
    `insert into auth.users (id, person_id, member_since, org_id, email, name, role, origin)
      values ($1, $2, now(), $3, $4, $4, $5, $6)`,
    [id, who.id, org, who.email, role, origin],
  );
  return { id, client: spine.as(role, { sub: id, org }) };
}

/** Adds a person who is a user of an organization. */
const user = async (role: string, org = spine.orgId) => member(await person(), role, { org });

async function operator(org: string) {
  count += 1;
  const sub = `operator-${count}`;
  const path = `/v1/organizations/${org}/operators/${sub}`;
  const add = () => spine.as('superadmin').put(path);
  await add();
  return { sub, client: spine.as('platform_operator', { sub }), add, remove: () => spine.as('superadmin').del(path) };
}

const listed = async (id: string, org = spine.orgId) => {
  const { body } = await spine.as('superadmin').get(`/v1/api-keys?orgId=${org}&limit=100`);
  return body.data.find((row: { id: string }) => row.id === id);
};

const auditOf = (org: string, id: string) =>
  spine.database.forOrg(org, (em) =>
    em.execute('select action, actor_id, actor_role from audit_entries where entity_id = ? order by id', [id]),
  );

async function refuses(t: ExecutionContext, maker: TestClient, scopes: string[], requiredScope: string) {
  const answer = await make(maker, scopes);
  t.like(answer, { status: 403, body: { error: 'forbidden', details: { requiredScope } } }, scopes.join(' '));
}

test('a platform operator, who may not touch money, cannot make a key that does, nor a key with every scope', async (t) => {
  const maker = spine.as('platform_operator');
  for (const scope of SCOPES.filter((each) => each !== 'flags:read')) await refuses(t, maker, [scope], scope);
  await refuses(t, maker, ['flags:read', 'invoices:write', '*'], 'invoices:write');
  const { key } = await made(maker, ['flags:read']);
  t.is((await withKey(key).get('/v1/flags')).status, 200);
  t.is((await withKey(key).get('/v1/things')).status, 403);
});

test('an older key of a platform operator with every scope opens no more than that role may', async (t) => {
  const { id, key } = await made(spine.as('org_admin'), ['*']);
  t.is((await withKey(key).get('/v1/things')).status, 200);
  await sql.query(`update api_keys set maker_role = 'platform_operator' where id = $1`, [id]);
  t.is((await withKey(key).get('/v1/things')).status, 403);
  t.is((await withKey(key).get('/v1/flags')).status, 200);
});

test("a superadmin's and the machine's keys act as an administrator's, closed where there is no scope", async (t) => {
  const machine = spine.with({ authorization: `Bearer ${spine.config.apiSecret}` });
  for (const maker of [spine.as('superadmin'), spine.as('org_admin'), machine]) {
    const { id, key } = await made(maker, ['*']);
    t.is((await withKey(key).get('/v1/things')).status, 200);
    t.is((await withKey(key).get('/v1/organizations')).status, 403);
    t.is((await withKey(key).get('/v1/users')).status, 403);
    const { rows } = await sql.query('select maker_role, through_operator from api_keys where id = $1', [id]);
    t.deepEqual(rows, [{ maker_role: 'org_admin', through_operator: false }]);
  }
});

test('the list shows who made a key and whether they are still active; a maker who is not a stored user counts as active', async (t) => {
  const other = await spine.createOrg();
  const { id: userId, client } = await user('org_admin');
  const { id: superId, client: superadmin } = await user('superadmin', other);
  const keys = [await made(client, ['*']), await made(superadmin, ['*']), await made(spine.as('org_admin'), ['*'])];
  const facts = async () =>
    Promise.all(
      keys.map(async ({ id }) => listed(id).then(({ createdBy, creatorActive }) => [createdBy, creatorActive])),
    );
  t.true(keys.every(({ creatorActive }) => creatorActive));
  t.deepEqual(await facts(), [
    [userId, true],
    [superId, true],
    ['usr_test_org_admin', true],
  ]);
  await sql.query('update auth.users set active = false where id in ($1, $2)', [userId, superId]);
  t.deepEqual(await facts(), [
    [userId, false],
    [superId, false],
    ['usr_test_org_admin', true],
  ]);
});

test('deactivating a user names their keys that live on, and those do', async (t) => {
  const { id: userId, client } = await user('org_admin');
  const admin = spine.as('org_admin');
  const [kept, revoked, expired] = [await made(client, ['*']), await made(client, ['*']), await made(client, ['*'])];
  await made(admin, ['*']);
  await admin.del(`/v1/api-keys/${revoked.id}`);
  await sql.query(`update api_keys set expires_at = now() - interval '1 hour' where id = $1`, [expired.id]);
  t.false('apiKeys' in (await admin.patch(`/v1/users/${userId}`, {})).body);
  const { status, body } = await admin.patch(`/v1/users/${userId}`, { active: false });
  t.is(status, 200);
  t.deepEqual(body.apiKeys, [{ id: kept.id, orgId: spine.orgId, name: '*' }]);
  t.is((await withKey(kept.key).get('/v1/things')).status, 200);
  t.false((await listed(kept.id)).creatorActive);
});

test('deactivating a user of the platform names their keys in every organization', async (t) => {
  const home = await spine.createOrg();
  const { id: userId, client } = await user('superadmin', home);
  const keys = [await made(client, ['*'], home), await made(client, ['*'])];
  const answer = await spine.as('superadmin').patch(`/v1/users/${userId}?orgId=${home}`, { active: false });
  t.deepEqual(
    answer.body.apiKeys.map(({ id, orgId }: { id: string; orgId: string }) => [id, orgId]),
    [
      [keys[0]?.id, home],
      [keys[1]?.id, spine.orgId],
    ],
  );
});

test('a key is refused while its maker has no role for it, and says so in the audit', async (t) => {
  const { id: userId, client } = await user('org_admin');
  const { id, key } = await made(client, ['*']);
  const change = (role: string) => spine.as('superadmin').patch(`/v1/users/${userId}`, { role });
  for (const role of ['underwriter', 'auditor', 'platform_operator']) {
    t.is((await change(role)).status, 200);
    t.is((await withKey(key).get('/v1/things')).status, 401, role);
  }
  t.like((await auditOf(spine.orgId, id)).at(-1), { action: 'credential:refused' });
  await change('org_admin');
  t.is((await withKey(key).get('/v1/things')).status, 200);
});

test('a key follows its maker in its own organization, whatever they are in another', async (t) => {
  const [who, elsewhere] = [await person(), await spine.createOrg()];
  const [here, there] = [await member(who, 'org_admin'), await member(who, 'org_admin', { org: elsewhere })];
  const [keyHere, keyThere] = [await made(here.client, ['*']), await made(there.client, ['*'], elsewhere)];
  const left = await spine.as('org_admin').patch(`/v1/users/${here.id}`, { active: false });
  t.deepEqual(left.body.apiKeys, [{ id: keyHere.id, orgId: spine.orgId, name: '*' }]);
  t.false((await listed(keyHere.id)).creatorActive);
  t.true((await listed(keyThere.id, elsewhere)).creatorActive);
  await spine.as('org_admin').patch(`/v1/users/${here.id}`, { role: 'auditor' });
  t.is((await withKey(keyHere.key).get('/v1/things')).status, 401);
  t.is((await withKey(keyThere.key).get('/v1/things')).status, 200);
});

test('an invitation of somebody who only signed up ends the keys that were made before it', async (t) => {
  const who = await person();
  const { client, id: userId } = await member(who, 'org_admin', { origin: 'self_registered' });
  const { id, key } = await made(client, ['*']);
  t.is((await withKey(key).get('/v1/things')).status, 200);
  const { status, body } = await spine.as('org_admin').post('/v1/users', { email: who.email, role: 'org_admin' });
  t.like({ status, body }, { status: 201, body: { id: userId, status: 'invited' } });
  t.is((await withKey(key).get('/v1/things')).status, 401);
  t.like((await auditOf(spine.orgId, id)).at(-2), { action: 'api_key:revoke' });
});

test("a superadmin's keys in other organizations end with that role", async (t) => {
  const home = await spine.createOrg();
  const { id: userId, client } = await user('superadmin', home);
  const { key } = await made(client, ['*']);
  t.is((await withKey(key).get('/v1/things')).status, 200);
  await spine.as('superadmin').patch(`/v1/users/${userId}?orgId=${home}`, { role: 'org_admin' });
  t.is((await withKey(key).get('/v1/things')).status, 401);
});

test('a deactivated or demoted user makes no key, though their token is served for seconds more', async (t) => {
  const [gone, demoted] = [await user('org_admin'), await user('org_admin')];
  for (const { client } of [gone, demoted]) t.is((await client.get('/v1/api-keys')).status, 200);
  await sql.query('update auth.users set active = false where id = $1', [gone.id]);
  await sql.query(`update auth.users set role = 'auditor' where id = $1`, [demoted.id]);
  t.is((await make(gone.client, ['*'])).status, 401);
  t.is((await make(demoted.client, ['*'])).status, 403);
  const { rows } = await sql.query('select from api_keys where created_by in ($1, $2)', [gone.id, demoted.id]);
  t.is(rows.length, 0);
});

test('the keys made through a tuple end with it, in the same transaction and in the audit, and no others do', async (t) => {
  const org = await spine.createOrg();
  const [leaving, staying] = [await operator(org), await operator(org)];
  const through = await made(leaving.client, ['flags:read'], org);
  const atHome = await made(leaving.client, ['flags:read']);
  const colleagues = await made(staying.client, ['flags:read'], org);
  const administrators = await made(spine.as('org_admin', { org, sub: leaving.sub }), ['flags:read'], org);
  const status = async ({ key }: { key: string }) => (await withKey(key).get('/v1/flags')).status;
  t.is(await status(through), 200);
  t.is((await leaving.remove()).status, 204);
  t.is(await status(through), 401);
  for (const other of [atHome, colleagues, administrators]) t.is(await status(other), 200);
  t.truthy((await listed(through.id, org)).revokedAt);
  t.deepEqual((await auditOf(org, through.id)).slice(0, 2), [
    { action: 'api_key:create', actor_id: leaving.sub, actor_role: 'platform_operator' },
    { action: 'api_key:revoke', actor_id: 'usr_test_superadmin', actor_role: 'superadmin' },
  ]);
  await leaving.add();
  t.is(await status(through), 401, 'a new tuple brings no key back');
});

test('a key that is being made while the tuple is removed is revoked or never made', async (t) => {
  const org = await spine.createOrg();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { sub, client, remove } = await operator(org);
    const makings = Array.from({ length: 4 }, () => make(client, ['flags:read'], org));
    const [removed, ...answers] = await Promise.all([remove(), ...makings]);
    t.is(removed.status, 204);
    for (const { status } of answers) t.true(status === 201 || status === 404, String(status));
    const { rows } = await sql.query('select id from api_keys where created_by = $1 and revoked_at is null', [sub]);
    t.deepEqual(rows, []);
  }
});

// Serial: every key creation waits for the table, and the test counts the waiters.
test.serial('a deactivation that comes while a key is being made waits for the key, and names it', async (t) => {
  const { id, client } = await user('org_admin');
  const keys = await holdTable(spine.testDatabase.ownerUrl, 'api_keys');
  t.teardown(() => keys.release().catch(() => {}));
  const making = make(client, ['*']);
  await keys.isWaitedFor();
  const deactivating = spine.as('org_admin').patch(`/v1/users/${id}`, { active: false });
  await Promise.race([deactivating, keys.isWaitedFor(2)]);
  await keys.release();
  const { status, body } = await making;
  t.is(status, 201);
  t.deepEqual((await deactivating).body.apiKeys, [{ id: body.id, orgId: spine.orgId, name: '*' }]);
});

test('a key that is being made while its maker is deactivated is named or never made', async (t) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, client } = await user('org_admin');
    const makings = Array.from({ length: 4 }, () => make(client, ['*']));
    const [answer] = await Promise.all([spine.as('org_admin').patch(`/v1/users/${id}`, { active: false }), ...makings]);
    const { rows } = await sql.query('select id from api_keys where created_by = $1 order by id', [id]);
    t.deepEqual(
      answer.body.apiKeys.map((key: { id: string }) => key.id),
      rows.map((row) => row.id),
    );
  }
});
