// Refused credentials: two in one request, and the trace that each leaves. Contract 2.
import { request } from 'node:http';
import test from 'ava';
import { inboundRoutes } from '../../../api/inbound/routes.ts';
import { apiKeyRoutes } from '../../../api/routes/access/api-keys.ts';
import { authPolicyholderRoutes } from '../../../api/routes/access/auth-policyholder.ts';
import { authSessionRoutes } from '../../../api/routes/access/auth-session.ts';
import { newId } from '../../../db/ids.ts';
import { PLATFORM_SCOPE } from '../../../db/scope.ts';
import type { SecretName } from '../../attacks/contract-roles.ts';
import { claimsOf, tokenOf } from '../../attacks/forgery.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { CARD_PROCESSOR_VARIABLES } from '../../support/servers/providers.ts';
import { signToken } from '../../support/tokens.ts';
import { type Spine, type SpineOptions, startSpine } from '../spine/spine-app.ts';
import { smallTable, Tracker } from '../spine/spine-table.ts';

let database: TestDatabase;
/** Stays open, to look into the database of those already closed. */
let lasting: Spine;

test.before('a spine', async (t) => {
  database = await createTestDatabase(t);
  lasting = await startSpine(t, { database, deps: { routes: [...smallTable(new Tracker()), ...apiKeyRoutes] } });
});

const start = (t: Parameters<typeof startSpine>[0], options: SpineOptions = {}) =>
  startSpine(t, { database, variables: { TRUST_PROXY: 'true' }, ...options });

/** Sends a header once per value, which fetch cannot do. */
function statusOf(spine: Spine, headers: Record<string, string | string[]>): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${spine.url}/v1/things`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.once('error', reject).end();
  });
}

interface Row {
  entity_id: string | null;
  actor_id: string;
  changes: { reason?: string; client?: string; count?: number; reasons?: Record<string, number> };
}

const refusedIn = (scope: string): Promise<Row[]> =>
  lasting.database.forOrg(scope, (em) =>
    em.execute(
      "select entity_id, actor_id, changes from audit_entries where action = 'credential:refused' order by id",
    ),
  );

/** An expired token of an organization: refused, but it says whose it is. */
const expired = (org: string, sub = 'usr_late') =>
  signToken(lasting.config, { role: 'auditor', org, sub, claims: { iat: 1_000_000_000, exp: 1_000_000_600 } });

test.serial('two Authorization headers are 401, equal or not, whichever of them comes first', async (t) => {
  const good = `Bearer ${await signToken(lasting.config, { role: 'org_admin', org: lasting.orgId })}`;
  const { body } = await lasting.as('org_admin').post('/v1/api-keys', { name: 'k', scopes: ['*'] });
  t.is(await statusOf(lasting, { authorization: good }), 200);
  for (const authorization of [
    [good, good],
    [good, 'Bearer nonsense'],
    ['Bearer nonsense', good],
    [good, 'Basic eDp5'],
    [good, ''],
  ]) {
    t.is(await statusOf(lasting, { authorization }), 401, authorization.join(' | ').slice(-40));
  }
  t.is(await statusOf(lasting, { 'x-api-key': body.key }), 200);
  t.is(await statusOf(lasting, { 'x-api-key': [body.key, body.key] }), 401);
  t.is(await statusOf(lasting, { authorization: [`Bearer ${body.key}`, good], 'x-api-key': body.key }), 401);
});

test.serial(
  'credentials that prove no organization are one row of the installation per client, written before the process ends',
  async (t) => {
    const spine = await start(t);
    const before = (await refusedIn(PLATFORM_SCOPE)).length;
    const send = (client: string, headers: Record<string, string>) =>
      spine.with({ 'x-forwarded-for': client, ...headers }).get('/v1/things');
    for (let i = 0; i < 3; i += 1) await send('192.0.2.1', { authorization: 'Bearer not-the-machine-secret' });
    await send('192.0.2.1', { 'x-api-key': `svck_test_${'a'.repeat(43)}` });
    await send('192.0.2.1', { authorization: 'Basic eDp5' });
    await send('192.0.2.1', {});
    await send('2001:db8:9:9::1', { authorization: 'Bearer a.b.c' });
    await send('2001:db8:9:9::2', { authorization: 'Bearer a.b.c' });
    t.is((await refusedIn(PLATFORM_SCOPE)).length, before);
    await spine.close();
    const rows = (await refusedIn(PLATFORM_SCOPE)).slice(before);
    t.deepEqual(
      rows.map(({ changes: { client, count } }) => ({ client, count })),
      [
        { client: '192.0.2.1', count: 5 },
        { client: '2001:db8:9:9::/64', count: 2 },
      ],
    );
    t.deepEqual(rows[0]?.changes.reasons, {
      'machine: unknown secret': 3,
      'api_key: unknown key': 1,
      'malformed: not a bearer credential': 1,
    });
    t.notRegex(JSON.stringify(rows), /not-the-machine|svck_/);
  },
);

test.serial(
  "a credential of an organization leaves a row there each time, and only a count beyond its client's limit",
  async (t) => {
    const spine = await start(t);
    const org = await spine.createOrg();
    const authorization = `Bearer ${await expired(org)}`;
    const send = () => spine.with({ 'x-forwarded-for': '192.0.2.3', authorization }).get('/v1/things');
    for (let i = 0; i < 125; i += 1) t.is((await send()).status, 401);
    t.is((await refusedIn(org)).length, 120);
    await spine.close();
    const rows = await refusedIn(org);
    t.is(rows.length, 121);
    t.like(rows.at(-1)?.changes, { client: '192.0.2.3', count: 5, reasons: { 'jwt: expired': 5 } });
  },
);

test.serial('a token that names an organization which does not exist leaves no row in its name', async (t) => {
  const spine = await start(t);
  const nowhere = newId('organization');
  const before = (await refusedIn(PLATFORM_SCOPE)).length;
  const authorization = `Bearer ${await expired(nowhere)}`;
  t.is((await spine.with({ 'x-forwarded-for': '192.0.2.4', authorization }).get('/v1/things')).status, 401);
  await spine.close();
  t.deepEqual(await refusedIn(nowhere), []);
  t.like((await refusedIn(PLATFORM_SCOPE)).slice(before), [{ changes: { client: '192.0.2.4', count: 1 } }]);
});

test.serial(
  'a role that its secret may not vouch for is counted in the organization that it claims, under the name of the secret',
  async (t) => {
    const spine = await start(t, { deps: { routes: [...smallTable(new Tracker()), ...authSessionRoutes] } });
    const org = await spine.createOrg();
    const nowhere = newId('organization');
    const before = (await refusedIn(PLATFORM_SCOPE)).length;
    const send = (claimed: string, secret: SecretName, role: string) => {
      const authorization = `Bearer ${tokenOf(spine.config, secret, claimsOf(claimed, { role }))}`;
      return spine.with({ 'x-forwarded-for': '192.0.2.6', authorization });
    };
    for (let i = 0; i < 3; i += 1)
      t.is((await send(org, 'portalJwtSecret', 'org_admin').get('/v1/things')).status, 401);
    t.is((await send(org, 'financeJwtSecret', 'root').get('/v1/things')).status, 401);
    t.is((await send(org, 'policyholderJwtSecret', 'superadmin').post('/auth/session-exchange')).status, 401);
    t.is((await send(nowhere, 'portalJwtSecret', 'org_admin').get('/v1/things')).status, 401);
    t.deepEqual(await refusedIn(org), [], 'no row for each');
    await spine.close();
    const [row, ...more] = await refusedIn(org);
    t.deepEqual(more, []);
    t.deepEqual(row?.changes, {
      client: '192.0.2.6',
      count: 5,
      reasons: {
        'jwt: a role that portalJwtSecret may not vouch for': 3,
        'jwt: a role that financeJwtSecret may not vouch for': 1,
        'jwt: a role that policyholderJwtSecret may not vouch for': 1,
      },
    });
    t.deepEqual(await refusedIn(nowhere), []);
    t.like((await refusedIn(PLATFORM_SCOPE)).slice(before), [{ changes: { client: '192.0.2.6', count: 1 } }]);
  },
);

test.serial('an event whose signature is wrong is counted like a refused credential', async (t) => {
  const spine = await start(t, {
    deps: { routes: inboundRoutes },
    variables: { TRUST_PROXY: 'true', ...CARD_PROCESSOR_VARIABLES },
  });
  const before = (await refusedIn(PLATFORM_SCOPE)).length;
  const headers = { 'x-forwarded-for': '192.0.2.5', 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=00` };
  t.is((await spine.with(headers).post('/v1/webhooks/stripe', { id: 'evt_forged' })).status, 401);
  await spine.close();
  const [row, ...more] = (await refusedIn(PLATFORM_SCOPE)).slice(before);
  t.deepEqual(more, []);
  t.like(row?.changes, { client: '192.0.2.5', count: 1 });
  t.regex(Object.keys(row?.changes.reasons ?? {}).join(), /^signature: /);
});

test.serial('attempts at codes beyond the limit of their client are counted, and no code is in the row', async (t) => {
  const spine = await start(t, { deps: { routes: authPolicyholderRoutes } });
  const before = (await refusedIn(PLATFORM_SCOPE)).length;
  const caller = spine.with({ 'x-forwarded-for': '192.0.2.6' });
  const statuses: number[] = [];
  for (let i = 0; i < 33; i += 1) {
    const attempt = { policyNumber: 'GL-TX-2026-404404', otp: '271828' };
    statuses.push((await caller.post('/auth/policyholder-token', attempt)).status);
  }
  t.deepEqual(new Set(statuses.slice(0, 30)), new Set([401]));
  t.deepEqual(statuses.slice(30), [429, 429, 429]);
  await spine.close();
  const rows = (await refusedIn(PLATFORM_SCOPE)).slice(before);
  const changes = { client: '192.0.2.6', count: 3, reasons: { 'code: tried too often': 3 } };
  t.deepEqual(
    rows.map((row) => row.changes),
    [changes],
  );
});
