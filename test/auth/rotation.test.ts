// Secrets during rotation, at the authentication service: signed-in users stay signed in.
import test from 'ava';
import { jwtVerify } from 'jose';
import { sealSessionToken } from '../../providers/session-token.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { runAuth } from './run-auth.ts';

const PASSWORD = 'correct horse battery staple';

test('a session survives the replacement of AUTH_SECRET, can be ended, and new tokens have the new signature', async (t) => {
  const database = await createTestDatabase(t);
  const before = await runAuth({ ENVIRONMENT: 'local' }, { database });
  await before.createOrg({ isDemo: true });
  const email = 'someone@example.test';
  const signedUp = await before.browser().post('/api/auth/sign-up/email', { email, password: PASSWORD });
  const { authSecret, portalJwtSecret } = before.config;
  const sealed = signedUp.body.session.token as string;
  await before.close();

  const replaced = {
    AUTH_SECRET: 'auth-after-0123456789abcdef0123456789abcdef',
    PORTAL_JWT_SECRET: 'portal-after-0123456789abcdef0123456789ab',
  };
  const after = await runAuth(
    { ...replaced, AUTH_SECRET_PREVIOUS: authSecret, PORTAL_JWT_SECRET_PREVIOUS: portalJwtSecret },
    { database },
  );
  t.teardown(() => after.close());
  const withCookie = (token: string) => ({ cookie: `svc_session=${encodeURIComponent(token)}` });
  const session = (token: string, method = 'GET', path = 'get-session') =>
    fetch(`${after.url}/api/auth/${path}`, {
      method,
      headers: { ...withCookie(token), origin: after.url, 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });

  const kept = await session(sealed);
  t.is(kept.status, 200);
  const body = (await kept.json()) as { token: string; session: { token: string } };
  await t.notThrowsAsync(jwtVerify(body.token, new TextEncoder().encode(replaced.PORTAL_JWT_SECRET)));
  t.not(body.session.token, sealed);
  t.is((await session(body.session.token)).status, 200);
  const [token] = sealed.split('.');
  t.is((await session(sealSessionToken(token!, 'unknown-0123456789abcdef0123456789abcdef'))).status, 401);

  const portal = (jwt: string) =>
    fetch(`${after.url}/portals/producer/api/auth/callback?token=${jwt}`, { redirect: 'manual' });
  t.is((await portal(signedUp.body.token)).status, 302);
  t.is((await portal(body.token)).status, 302);
  const forAnother = await fetch(`${after.url}/portals/finance/api/auth/callback?token=${signedUp.body.token}`, {
    redirect: 'manual',
  });
  t.is(forAnother.status, 401);

  t.is((await session(sealed, 'POST', 'sign-out')).status, 200);
  t.is((await session(sealed)).status, 401);
});
