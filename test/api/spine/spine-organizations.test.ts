// Tenants: who creates them, who sees them, and that a new one can work immediately. Contract 3.10.
import test from 'ava';
import { organizationRoutes } from '../../../api/routes/platform/organizations.ts';
import { newId } from '../../../db/ids.ts';
import { organizationUuid } from '../../../domain/ids.ts';
import { type Spine, startSpine } from './spine-app.ts';
import { smallTable } from './spine-table.ts';

let spine: Spine;

test.before('a spine', async (t) => {
  spine = await startSpine(t, { deps: { routes: [...smallTable(), ...organizationRoutes] } });
});

const PATH = '/v1/organizations';
const machine = () => spine.with({ authorization: `Bearer ${spine.config.apiSecret}` });

test('the machine secret, a superadmin and a platform operator make tenants, nobody else', async (t) => {
  for (const client of [machine(), spine.as('superadmin'), spine.as('platform_operator')]) {
    const { status, body } = await client.post(PATH, { name: '  New MGA ' });
    t.is(status, 201);
    t.like(body, { name: 'New MGA', tier: 'standard', uuid: organizationUuid(body.id), version: 1 });
  }
  for (const role of ['org_admin', 'auditor', 'underwriter'])
    t.is((await spine.as(role).post(PATH, { name: 'A' })).status, 403);
  t.is((await spine.with({}).post(PATH, { name: 'A' })).status, 401);
});

test('a new tenant has an authority contract, rate tables and commission schedules, and is in its own audit', async (t) => {
  const { id } = (await machine().post(PATH, { name: 'Ready', tier: 'enterprise' })).body;
  const count = async (table: string) => {
    const rows = await spine.database.forOrg(id, (em) =>
      em.execute<{ n: string }[]>(`select count(*) as n from ${table}`),
    );
    return Number(rows[0]?.n);
  };
  t.is(await count('da_contracts'), 1);
  t.is(await count('rate_tables'), 9);
  t.true((await count('commission_schedules')) > 0);
  t.is((await spine.as('org_admin', { org: id }).get('/v1/contracts')).body.org, id);
  const rows = await spine.database.forOrg(id, (em) => em.execute('select action, actor_kind from audit_entries'));
  t.deepEqual(rows, [{ action: 'organization:create', actor_kind: 'machine' }]);
});

test('a repeated creation makes one tenant', async (t) => {
  const keyed = { headers: { 'idempotency-key': newId('request') } };
  const first = await machine().post(PATH, { name: 'Once' }, keyed);
  const again = await machine().post(PATH, { name: 'Once' }, keyed);
  t.is(first.status, 201);
  t.deepEqual(again.body, first.body);
  t.is(again.headers.get('idempotent-replayed'), 'true');
  t.is(again.headers.get('etag'), first.headers.get('etag'));
});

test('a platform operator sees the own organization, those made and those shared, as single rows and in the list', async (t) => {
  const operator = spine.as('platform_operator', { sub: 'usr_lister' });
  const made = (await operator.post(PATH, { name: 'Made' })).body.id;
  const shared = (await machine().post(PATH, { name: 'Shared' })).body.id;
  const foreign = (await machine().post(PATH, { name: 'Foreign' })).body.id;
  await spine.as('superadmin').put(`${PATH}/${shared}/operators/usr_lister`);
  const listed = (await operator.get(PATH, { query: { limit: 100 } })).body.data.map((row: { id: string }) => row.id);
  t.deepEqual(listed.sort(), [spine.orgId, made, shared].sort());
  for (const id of listed) t.is((await operator.get(`${PATH}/${id}`)).status, 200);
  t.is((await operator.get(`${PATH}/${foreign}`)).status, 404);
  t.is((await operator.patch(`${PATH}/${foreign}`, { name: 'Mine' })).status, 404);
  t.is((await operator.patch(`${PATH}/${made}`, { name: 'Mine' })).status, 200);
});

test('the list pages through all tenants, newest first', async (t) => {
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) ids.push((await machine().post(PATH, { name: `P ${i}` })).body.id);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string | number> = cursor === null ? { limit: 2 } : { limit: 2, cursor };
    const { body } = await machine().get(PATH, { query });
    seen.push(...body.data.map((row: { id: string }) => row.id));
    cursor = body.nextCursor;
  } while (cursor !== null);
  t.deepEqual(seen, seen.toSorted().toReversed());
  t.true(ids.every((id) => seen.includes(id)));
  t.is((await machine().get(PATH, { query: { cursor: 'nonsense' } })).status, 400);
});

test('a tenant is changed, by its UUID too, and only from the version that was read', async (t) => {
  const { id, uuid } = (await machine().post(PATH, { name: 'Before' })).body;
  const changed = await machine().patch(`${PATH}/${uuid}`, { tier: 'enterprise', emailDomains: [' Example.COM '] });
  t.like(changed.body, { id, name: 'Before', tier: 'enterprise', emailDomains: ['example.com'], version: 2 });
  t.true((await machine().get(`${PATH}/${id}`)).headers.get('etag')?.startsWith(`"${id}.2.`));
  const stale = { headers: { 'if-match': `"${id}.1"` } };
  t.is((await machine().patch(`${PATH}/${id}`, { name: 'Late' }, stale)).status, 412);
  t.is(
    (await machine().patch(`${PATH}/${id}`, { name: 'After' }, { headers: { 'if-match': `"${id}.2"` } })).body.name,
    'After',
  );
});

test('an invalid field of a tenant is refused by field and rule, and an unknown tenant is 404', async (t) => {
  const { id } = (await machine().post(PATH, { name: 'Checked' })).body;
  const cases: [object, string, string][] = [
    [{ name: '' }, 'name', 'min'],
    [{ name: 5 }, 'name', 'type'],
    [{ tier: 'gold' }, 'tier', 'enum'],
    [{ emailDomains: ['no domain'] }, 'emailDomains.0', 'format'],
    [{ emailDomains: ['localhost'] }, 'emailDomains.0', 'format'],
    [{ paymentInstructions: 'Lockbox 12' }, 'paymentInstructions', 'type'],
    [{ paymentInstructions: Array(9).fill('Lockbox 12') }, 'paymentInstructions', 'max'],
    [{ isDemo: true }, 'isDemo', 'unknown_field'],
  ];
  for (const [body, field, rule] of cases) {
    t.like(await machine().patch(`${PATH}/${id}`, body), { status: 400, body: { details: { field, rule } } });
  }
  t.like(await machine().post(PATH, {}), { status: 400, body: { details: { field: 'name', rule: 'required' } } });
  for (const unknown of ['nonsense', newId('organization'), newId('policy')]) {
    t.is((await machine().get(`${PATH}/${unknown}`)).status, 404, unknown);
    t.is((await machine().put(`${PATH}/${unknown}/operators/usr_a`)).status, 404, unknown);
  }
  t.is((await machine().put(`${PATH}/${id}/operators/${'x'.repeat(256)}`)).status, 404);
  t.is((await machine().put(`${PATH}/${id}/operators/a%00b`)).status, 404);
});

test('calls of the machine that belong to no organization are in the audit of the platform', async (t) => {
  await machine().get(PATH);
  const rows = await spine.database.forOrg('platform', (em) => em.execute('select action, changes from audit_entries'));
  t.true(JSON.stringify(rows).includes('GET /v1/organizations'));
});
