// The callbacks of the portals: a valid token becomes a cookie of the portal, and its dashboard. Which tokens they refuse for
// their secret or role is in test/attacks/sign-in.test.ts.
import test from 'ava';
import { SignJWT } from 'jose';
import { newId } from '../../db/ids.ts';
import { PORTALS, ROLES_BY_SECRET, type SigningSecret } from '../../domain/portals.ts';
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

test('a token that does not hold sets no cookie', async (t) => {
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
