// How a change to a user affects earlier and later tokens. Contract 2 "JWT".
import test, { type ExecutionContext } from 'ava';
import { decodeJwt, SignJWT } from 'jose';
import { eventually } from '../support/eventually.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';
import { type AuthUnderTest, runAuth } from './run-auth.ts';

const PASSWORD = 'correct horse battery staple';
const DELAY_MS = 30_000;
const AHEAD_SECONDS = 600;
let auth: AuthUnderTest;
let home: Platform;
let count = 0;

test.before(async (t) => {
  home = await startPlatform(t, { worker: false });
  auth = await runAuth({}, { database: home.testDatabase });
});
test.after.always(() => auth?.close());

/**
 * A platform whose clock the test stops, so that everything falls within one second, and sets ahead of the real one,
 * so that no token is signed in its future.
 */
async function startClocked(t: ExecutionContext) {
  const clock = { nowMs: (Math.floor(Date.now() / 1000) + AHEAD_SECONDS) * 1000 + 300 };
  const platform = await startPlatform(t, { worker: false, database: home.testDatabase, now: () => clock.nowMs });
  const exchange = async (credential: string) => {
    const headers = { authorization: `Bearer ${credential}` };
    const { status, body } = await platform.anonymous.post('/auth/session-exchange', undefined, { headers });
    return { status, token: body.token as string };
  };
  const reads = async (credential: string) =>
    (await platform.as({ credential }).get('/v1/policies', { query: { orgId: home.orgId } })).status;
  const admin = platform.as({ role: 'org_admin', org: home.orgId });
  return { clock, platform, exchange, reads, admin };
}

/** Signs in a user of the organization. */
async function signedIn(role: string) {
  count += 1;
  const email = `standing-${count}@example.test`;
  const browser = auth.browser();
  await browser.post('/api/auth/sign-up/email', { email, password: PASSWORD });
  await auth.createUser({ email, orgId: home.orgId, role });
  const { body } = await browser.post('/api/auth/sign-in/email', { email, password: PASSWORD });
  return {
    browser,
    email,
    id: body.user.id as string,
    session: body.session.token as string,
    token: body.token as string,
  };
}

test('no token issued before a change of role works after the delay, though it was issued in the very same second', async (t) => {
  const { clock, exchange, reads, admin } = await startClocked(t);
  const { id, session } = await signedIn('org_admin');
  const before = (await exchange(session)).token;
  t.is(await reads(before), 200);
  t.is((await admin.patch(`/v1/users/${id}`, { role: 'auditor' })).status, 200);
  t.is((await exchange(before)).status, 401);
  clock.nowMs += DELAY_MS;
  t.is(await reads(before), 401);
  t.is((await exchange(before)).status, 401);
});

test('exchanging as fast as one can while the role is changed keeps nobody in the old role', async (t) => {
  const { clock, exchange, reads, admin } = await startClocked(t);
  const { id, session } = await signedIn('org_admin');
  const rounds = Array.from({ length: 12 }, () => exchange(session));
  const [changed, ...exchanged] = await Promise.all([
    admin.patch(`/v1/users/${id}`, { role: 'auditor' }),
    ...rounds,
    ...Array.from({ length: 12 }, () => exchange(session)),
  ]);
  t.is(changed.status, 200);
  clock.nowMs += DELAY_MS;
  for (const { token } of exchanged) {
    t.is(await reads(token), decodeJwt(token).role === 'auditor' ? 200 : 401);
  }
});

test('a token that was read before a change and signed after it is refused like an older one', async (t) => {
  const { clock, reads, admin } = await startClocked(t);
  const { id, token } = await signedIn('org_admin');
  t.is((await admin.patch(`/v1/users/${id}`, { role: 'auditor' })).status, 200);
  clock.nowMs += DELAY_MS;
  const iat = Math.floor(clock.nowMs / 1000);
  const late = await new SignJWT({ ...decodeJwt(token), iat, exp: iat + 28_800 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(auth.config.jwtSecret));
  t.is(await reads(late), 401);
});

test('a token from after a change works immediately, even at a process that has just served the user', async (t) => {
  const { exchange, reads, admin } = await startClocked(t);
  const { id, session, email } = await signedIn('org_admin');
  t.is(await reads((await exchange(session)).token), 200);
  t.is((await admin.patch(`/v1/users/${id}`, { role: 'auditor' })).status, 200);
  const { token } = await exchange(session);
  t.is(decodeJwt(token).role, 'auditor');
  t.is(await reads(token), 200);
  t.is((await exchange(token)).status, 200);
  const { body } = await auth.browser().post('/api/auth/sign-in/email', { email, password: PASSWORD });
  t.is(await reads(body.token), 200);
});

test('a role that was removed and restored does not revive older tokens', async (t) => {
  const { clock, exchange, reads, admin } = await startClocked(t);
  const { id, session } = await signedIn('org_admin');
  const before = (await exchange(session)).token;
  for (const role of ['auditor', 'org_admin']) t.is((await admin.patch(`/v1/users/${id}`, { role })).status, 200);
  t.is((await exchange(before)).status, 401);
  clock.nowMs += DELAY_MS;
  t.is(await reads(before), 401);
  t.is(await reads((await exchange(session)).token), 200);
});

test('a token that another system signed for the user is refused unless its iat is past every clock of the change', async (t) => {
  const { clock, platform, reads, admin } = await startClocked(t);
  const { id } = await signedIn('org_admin');
  const changedAt = Math.floor(clock.nowMs / 1000);
  const signedAt = (iat: number) =>
    platform.token({ role: 'org_admin', sub: id, org: home.orgId, claims: { iat, exp: iat + 28_800 } });
  const early = await Promise.all([-60, 0, 1, 4].map((ahead) => signedAt(changedAt + ahead)));
  for (const token of early) t.is(await reads(token), 200);
  t.is((await admin.patch(`/v1/users/${id}`, { role: 'auditor' })).status, 200);
  clock.nowMs += DELAY_MS;
  for (const token of early) t.is(await reads(token), 401);
  t.is(await reads(await signedAt(changedAt + DELAY_MS / 1000)), 200);
});

test('a token that another system signs for somebody who was invited is served until they accept or the invitation is revoked', async (t) => {
  const { clock, platform, exchange, reads, admin } = await startClocked(t);
  for (const end of ['accept', 'revoke']) {
    count += 1;
    const email = `standing-${count}@example.test`;
    const offer = await auth.invite({ email, orgId: home.orgId, role: 'auditor' });
    const iat = Math.floor(clock.nowMs / 1000) - 1;
    const claims = { iat: Math.min(iat, Math.floor(Date.now() / 1000)), exp: iat + 3_600 };
    const token = await platform.token({ role: 'auditor', sub: offer.id, org: home.orgId, claims });
    t.is(await reads(token), 200, end);
    t.is((await exchange(token)).status, 401, 'there is no session of an offer');
    if (end === 'revoke') await admin.patch(`/v1/users/${offer.id}`, { active: false });
    else await auth.browser().post('/api/auth/reset-password', { token: offer.token, newPassword: PASSWORD });
    clock.nowMs += DELAY_MS;
    t.is(await reads(token), 401, end);
  }
});

test('a new password ends older tokens, even from the same second, and the next sign-in works immediately', async (t) => {
  const { clock, exchange, reads } = await startClocked(t);
  const { email, session } = await signedIn('auditor');
  const before = (await exchange(session)).token;
  t.is(await reads(before), 200);
  await auth.browser().post('/api/auth/request-password-reset', { email });
  const link = await eventually(
    () =>
      /^Token: (\S+)$/m.exec(
        auth.mails.find(({ to, subject }) => to === email && /new/.test(subject))?.text ?? '',
      )?.[1],
    { what: 'the mail' },
  );
  const newPassword = 'another horse battery staple';
  t.is((await auth.browser().post('/api/auth/reset-password', { token: link, newPassword })).status, 200);
  const { body } = await auth.browser().post('/api/auth/sign-in/email', { email, password: newPassword });
  t.is(await reads(body.token), 200);
  t.is((await exchange(before)).status, 401);
  clock.nowMs += DELAY_MS;
  t.is(await reads(before), 401);
  t.is(await reads(body.token), 200);
});

test('every change of a standing has an instant of its own, whatever clock it was given', async (t) => {
  const { id } = await signedIn('auditor');
  const change = async (at: string) => {
    const { rows } = await auth.sql.query(
      `update auth.users set tokens_valid_from = ${at} where id = $1 returning tokens_valid_from`,
      [id],
    );
    return (rows[0].tokens_valid_from as Date).getTime();
  };
  const ahead = `timestamptz '${new Date(Date.now() + 60_000).toISOString()}'`;
  const instants = [
    await change('now()'),
    await change("now() - interval '1 hour'"),
    await change(ahead),
    await change(ahead),
    await change('now()'),
  ];
  t.deepEqual(
    instants,
    [...new Set(instants)].sort((a, b) => a - b),
  );
});
