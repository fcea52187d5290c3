// The portals' callbacks: a valid token becomes the portal's cookie and leads to its dashboard.
// test/attacks/sign-in.test.ts covers the tokens refused for their secret or role.
import test from 'ava';
import { SignJWT } from 'jose';
import { newId } from '../../db/ids.ts';
import { PORTALS, ROLES_BY_SECRET, type SigningSecret } from '../../domain/access/portals.ts';
import { type AuthUnderTest, runAuth } from './run-auth.ts';

let auth: AuthUnderTest;
const org = newId('organization');

test.before(async () => {
  auth = await runAuth();
});
test.after.always(() => auth?.close());

function token(secret: SigningSecret, role: string, claims: Record<string, unknown> = {}): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  const typ = role === 'policyholder' ? { typ: 'insured' } : {};
  return new SignJWT({ sub: 'usr_x', org, role, iat, exp: iat + 28_800, ...typ, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(auth.config[secret]));
}

test('every portal keeps a valid token in a cookie of its own and leads to its dashboard', async (t) => {
  for (const { name, cookie, secret } of PORTALS) {
    const role = ROLES_BY_SECRET[secret][0] ?? '';
    const browser = auth.browser();
    const page = await browser.get(`/portals/${name}/api/auth/callback?token=${await token(secret, role)}`);
    t.is(page.status, 302, name);
    t.is(page.location, `/portals/${name}/dashboard`);
    t.is(page.setCookies.length, 1);
    t.regex(
      page.setCookies[0] ?? '',
      new RegExp(`^${cookie}=[^;]+; Max-Age=\\d+; Path=/portals/${name}; HttpOnly; SameSite=Lax$`),
    );
    t.is(page.headers.get('cache-control'), 'no-store');
    t.is(page.headers.get('referrer-policy'), 'no-referrer');
    const dashboard = await browser.get(page.location ?? '');
    t.like(dashboard.body, { portal: name, role, orgId: org, sub: 'usr_x' });
  }
});

test('an invalid token sets no cookie', async (t) => {
  const now = Math.floor(Date.now() / 1000);
  const good = await token('jwtSecret', 'auditor');
  const [header, payload, signature] = good.split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const bad: [string, string][] = [
    ['none', ''],
    ['nonsense', 'x.y.z'],
    ['alg none', `${none}.${payload}.`],
    ['alg none with the signature', `${none}.${payload}.${signature}`],
    ['an edited payload', `${header}.${Buffer.from('{"role":"superadmin"}').toString('base64url')}.${signature}`],
    ['expired', await token('jwtSecret', 'auditor', { iat: now - 100, exp: now - 10 })],
    ['not yet valid', await token('jwtSecret', 'auditor', { nbf: now + 600 })],
    ['too long a life', await token('jwtSecret', 'auditor', { iat: now, exp: now + 28_801 })],
    ['no organization', await token('jwtSecret', 'auditor', { org: undefined })],
    ['no role', await token('jwtSecret', 'auditor', { role: undefined })],
    ['no iat', await token('jwtSecret', 'auditor', { iat: undefined })],
    ['an insured without typ', await token('policyholderJwtSecret', 'policyholder', { typ: undefined })],
  ];
  for (const [what, text] of bad) {
    const portal = what.startsWith('an insured') ? 'policyholder' : 'admin';
    const page = await auth.browser().get(`/portals/${portal}/api/auth/callback?token=${encodeURIComponent(text)}`);
    t.is(page.status, 401, what);
    t.is(page.body.error, 'unauthenticated', what);
    t.deepEqual(page.setCookies, [], what);
  }
  t.is((await auth.browser().get('/portals/admin/api/auth/callback')).status, 401);
});

test('an error of the sign-on is shown as one', async (t) => {
  t.is((await auth.browser().get('/portals/admin/api/auth/callback?error=forbidden')).status, 403);
  t.is((await auth.browser().get('/portals/admin/api/auth/callback?error=unauthenticated')).status, 401);
  t.is((await auth.browser().get('/portals/nobody/api/auth/callback?token=x')).status, 404);
});

test('the cookie of one portal opens no other', async (t) => {
  const browser = auth.browser();
  await browser.get(`/portals/admin/api/auth/callback?token=${await token('jwtSecret', 'auditor')}`);
  t.is((await browser.get('/portals/admin/dashboard')).status, 200);
  t.is((await browser.get('/portals/finance/dashboard')).status, 401);
});

test('a token from the future opens no portal', async (t) => {
  const iat = Math.floor(Date.now() / 1000) + 60;
  const early = await token('jwtSecret', 'auditor', { iat, exp: iat + 600 });
  const browser = auth.browser();
  t.is((await browser.get(`/portals/admin/api/auth/callback?token=${early}`)).status, 401);
  browser.setCookie('svc_admin_token', early);
  t.is((await browser.get('/portals/admin/dashboard')).status, 401);
});

test('a user who was deactivated, or changed since, enters no portal and stays in none', async (t) => {
  const home = await auth.createOrg();
  for (const change of ['active = false', 'tokens_valid_from = now()']) {
    const sub = await auth.createUser({ email: `${newId('user')}@example.test`, orgId: home, role: 'auditor' });
    const own = await token('jwtSecret', 'auditor', { sub, org: home });
    const browser = auth.browser();
    const enter = () => browser.get(`/portals/admin/api/auth/callback?token=${own}`);
    t.is((await enter()).status, 302);
    t.is((await browser.get('/portals/admin/dashboard')).status, 200);
    await auth.sql.query(`update auth.users set ${change} where id = $1`, [sub]);
    const refused = await enter();
    t.is(refused.status, 401, change);
    t.deepEqual(refused.setCookies, []);
    t.is((await browser.get('/portals/admin/dashboard')).status, 401, change);
    const { rows } = await auth.sql.query(
      `select distinct org_id, actor_id, changes->>'portal' as portal from audit_entries where action = 'token:refused' and entity_id = $1`,
      [sub],
    );
    t.deepEqual(rows, [{ org_id: home, actor_id: sub, portal: 'admin' }]);
  }
});

test('rate-limited sign-ins are counted and recorded like credentials that prove nobody', async (t) => {
  const own = await runAuth();
  const headers = { 'x-forwarded-for': '192.0.2.77' };
  const attempt = { email: 'guessed@example.test', password: 'a guess at a password' };
  const statuses: number[] = [];
  for (let i = 0; i < 12; i += 1) {
    statuses.push((await own.browser().post('/api/auth/sign-in/email', attempt, headers)).status);
  }
  t.deepEqual(statuses.slice(10), [429, 429]);
  const read = 'select changes from audit_entries where action = $1';
  const database = own.testDatabase;
  await own.close();
  const again = await runAuth({}, { database });
  t.teardown(() => again.close());
  const { rows } = await again.sql.query(read, ['credential:refused']);
  t.deepEqual(rows, [{ changes: { client: '192.0.2.77', count: 2, reasons: { 'sign-in: tried too often': 2 } } }]);
});

test('invalid credentials of one client become one row of the installation when the service stops', async (t) => {
  const own = await runAuth({}, { database: auth.testDatabase });
  const browser = own.browser();
  const from = { 'x-forwarded-for': '192.0.2.78' };
  for (let i = 0; i < 3; i += 1) await browser.get('/portals/admin/api/auth/callback?token=forged', from);
  const reset = { token: 'forged', newPassword: 'correct horse battery staple' };
  await browser.post('/api/auth/reset-password', reset, from);
  await browser.get('/api/auth/get-session', { ...from, cookie: 'svc_session=forged.seal' });
  const address = [2001, 'db8', 7, 7].join(':');
  for (const host of ['::1', '::2']) {
    const headers = { 'x-forwarded-for': `${address}${host}` };
    await browser.get('/portals/admin/api/auth/callback?token=forged', headers);
  }
  // The other tests' refused tokens are written to the same database, once a minute.
  const counted = () =>
    auth.sql.query(
      `select org_id, changes from audit_entries where action = 'credential:refused'
         and changes->>'client' = any ($1) order by id`,
      [[from['x-forwarded-for'], `${address}::/64`]],
    );
  t.deepEqual((await counted()).rows, []);
  await own.close();
  const { rows } = await counted();
  t.deepEqual(
    rows.map(({ org_id }) => org_id),
    ['platform', 'platform'],
  );
  t.deepEqual(
    rows.map(({ changes }) => changes.count),
    [5, 2],
  );
  t.is(rows[0].changes.reasons['portal: bad signature'], 3);
  t.is(rows[1].changes.client, '2001:db8:7:7::/64');
  t.notRegex(JSON.stringify(rows), /forged\.seal|horse/);
});

test('every response of the service binds browsers to TLS and keeps pages from loading it', async (t) => {
  for (const path of ['/healthz', '/portals/admin/dashboard', '/nothing']) {
    const { headers } = await auth.browser().get(path);
    t.regex(headers.get('strict-transport-security') ?? '', /^max-age=31536000/, path);
    t.is(headers.get('content-security-policy'), "default-src 'none';frame-ancestors 'none'", path);
    t.is(headers.get('x-content-type-options'), 'nosniff', path);
    t.is(headers.get('referrer-policy'), 'no-referrer', path);
    t.is(headers.get('cache-control'), 'no-store', path);
  }
});
