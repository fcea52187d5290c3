// Flags as an organization reads and sets them.
import test from 'ava';
import { allPages, bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

const PATH = '/v1/flags';
const AUTO = `${PATH}/auto_renewal`;

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a flag has its default until an organization sets it, and again once it is reset', async (t) => {
  const [house, other] = [await newHouse(platform), await newHouse(platform)];
  const admin = house.as('org_admin');
  const read = async (client = admin) =>
    bodyOf(await client.get(PATH)).data.find(({ key }: { key: string }) => key === 'auto_renewal');
  t.like(await read(), { key: 'auto_renewal', type: 'boolean', defaultValue: false, override: null, value: false });
  t.like(bodyOf(await admin.put(AUTO, { value: true })), { override: true, value: true });
  t.like(await read(), { defaultValue: false, override: true, value: true });
  t.like(await read(other.as('org_admin')), { override: null, value: false });
  bodyOf(await admin.put(AUTO, { value: false }));
  t.like(await read(), { override: false, value: false });
  t.is((await admin.del(AUTO)).status, 204);
  t.is((await admin.del(AUTO)).status, 204);
  t.like(await read(), { override: null, value: false });
});

test('a flag of the platform takes values of its own type only', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  for (const value of ['true', 1, null, { on: true }]) {
    const refused = await admin.put(AUTO, { value });
    t.like(refused, { status: 400, body: { error: 'validation_failed', details: { field: 'value', rule: 'type' } } });
  }
  t.like(await admin.put(AUTO, {}), { status: 400, body: { details: { field: 'value', rule: 'required' } } });
});

test('an organization has flags of its own, with any JSON but null, which come after those of the platform', async (t) => {
  const [house, other] = [await newHouse(platform), await newHouse(platform)];
  const admin = house.as('org_admin');
  const values = [true, 0.25, 'blue', { share: 10, to: ['a'] }];
  for (const value of values) {
    const set = bodyOf(await admin.put(`${PATH}/new.portal-look_2`, { value }));
    t.like(set, { key: 'new.portal-look_2', type: 'json', defaultValue: null, override: value, value });
  }
  const keysOf = async (client = admin) => bodyOf(await client.get(PATH)).data.map(({ key }: { key: string }) => key);
  t.is((await keysOf()).at(-1), 'new.portal-look_2');
  t.false((await keysOf(other.as('org_admin'))).includes('new.portal-look_2'));
  t.like(await admin.put(`${PATH}/colour`, { value: null }), { status: 400, body: { details: { field: 'value' } } });
  for (const key of ['1st', 'a b', 'x'.repeat(65)]) {
    t.is((await admin.put(`${PATH}/${encodeURIComponent(key)}`, { value: 1 })).status, 404, key);
  }
  t.is((await admin.del(`${PATH}/new.portal-look_2`)).status, 204);
  t.false((await keysOf()).includes('new.portal-look_2'));
});

test('the flags come in pages', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  const keysOf = (rows: { key: string }[]) => rows.map(({ key }) => key);
  const paged = (await allPages(admin, PATH, { limit: 1 })) as unknown as { key: string }[];
  t.deepEqual(keysOf(paged), keysOf(bodyOf(await admin.get(PATH)).data));
});

test('a superadmin reads the organization that the path of an analysis names, and an administrator of another does not', async (t) => {
  const [home, named] = [await newHouse(platform), await newHouse(platform)];
  const path = `/v1/analytics/${named.orgId}/portfolio`;
  t.is(bodyOf(await home.as('superadmin').get(path)).orgId, named.orgId);
  t.is((await home.as('org_admin').get(path)).status, 404);
  t.is((await home.as('superadmin').get('/v1/analytics/org_x/portfolio')).status, 404);
});

test('an audit that would end before it begins is refused', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  const answer = await admin.get('/v1/audit', { query: { from: '2026-12-01', to: '2026-01-01' } });
  t.like(answer, { status: 400, body: { details: { field: 'from', rule: 'max' } } });
});

test('only people decide who approves refunds: no API key turns the flag on or off', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const approval = `${PATH}/refund_approval`;
  bodyOf(await admin.put(approval, { value: true }));
  const { key } = bodyOf(await admin.post('/v1/api-keys', { name: 'all', scopes: ['*'] }), 201);
  const client = platform.as({ apiKey: key });
  const refused = { status: 403, body: { error: 'forbidden', details: { permission: 'flag:control' } } };
  t.like(await client.put(approval, { value: false }), refused);
  t.like(await client.del(approval), refused);
  bodyOf(await client.put(AUTO, { value: true }));
  t.is(bodyOf(await admin.put(approval, { value: true })).value, true);
});

test('an auditor reads flags and sets none; the audit shows who did', async (t) => {
  const house = await newHouse(platform);
  const auditor = house.as('auditor');
  bodyOf(await auditor.get(PATH));
  t.is((await auditor.put(AUTO, { value: true })).status, 403);
  t.is((await auditor.del(AUTO)).status, 403);
  bodyOf(await house.as('org_admin', 'usr_switcher').put(AUTO, { value: true }));
  const { data } = bodyOf(await auditor.get('/v1/audit', { query: { entity: 'auto_renewal' } }));
  const entry = data.find(({ action }: { action: string }) => action === 'flag:set');
  t.like(entry, {
    actor: { id: 'usr_switcher' },
    entity: { type: 'flag', id: 'auto_renewal' },
    changes: [{ field: 'override', before: null, after: true }],
  });
});
