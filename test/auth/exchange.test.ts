// From a session to the API and back out again: exchange, deactivation, sign-out.
import test from 'ava';
import { decodeJwt, SignJWT } from 'jose';
import { ROLES_BY_SECRET, type SigningSecret } from '../../domain/access/portals.ts';
import type { Role } from '../../domain/permissions.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';
import { type AuthUnderTest, runAuth } from './run-auth.ts';

const PASSWORD = 'correct horse battery staple';
let auth: AuthUnderTest;
let platform: Platform;
let count = 0;

test.before(async (t) => {
  platform = await startPlatform(t, { worker: false, variables: { TRUST_PROXY: 'true' } });
  auth = await runAuth({}, { database: platform.testDatabase });
});
test.after.always(() => auth?.close());

/** Signs in a user of the platform's organization. */
async function signedIn(role = 'auditor') {
  count += 1;
  const email = `someone-${count}@example.test`;
  const browser = auth.browser();
  await browser.post('/api/auth/sign-up/email', { email, password: PASSWORD });
  await auth.createUser({ email, orgId: platform.orgId, role });
  const { body } = await browser.post('/api/auth/sign-in/email', { email, password: PASSWORD });
  return { browser, email, id: body.user.id as string, session: body.session, token: body.token as string };
}
let calls = 0;
/** Each from its own address, since callers without a credential are counted by address. */
const exchange = (credential: string) => {
  calls += 1;
  const headers = { authorization: `Bearer ${credential}`, 'x-forwarded-for': `10.8.${calls >> 8}.${calls & 255}` };
  return platform.anonymous.post('/auth/session-exchange', undefined, { headers });
};
const reads = async (token: string) => (await platform.as({ credential: token }).get('/v1/policies')).status;

test('session token, cookie value and sign-in token are exchanged for a token that the API accepts', async (t) => {
  const { browser, id, session, token } = await signedIn();
  const cookie = browser.cookie('svc_session') ?? '';
  for (const credential of [session.token, cookie, decodeURIComponent(cookie), token]) {
    const { status, body } = await exchange(credential);
    t.is(status, 200);
    t.like(decodeJwt(body.token), { sub: id, org: platform.orgId, role: 'auditor' });
    const { iat = 0, exp = 0 } = decodeJwt(body.token);
    t.is(exp - iat, 28_800);
    t.is(body.expiresAt, new Date(exp * 1000).toISOString());
    t.is(await reads(body.token), 200);
    t.is((await exchange(body.token)).status, 200);
  }
});

test('a dead session is exchanged for nothing, whichever of its names is used', async (t) => {
  const { browser, session, token } = await signedIn();
  const cookie = browser.cookie('svc_session') ?? '';
  await browser.post('/api/auth/sign-out');
  for (const credential of [session.token, cookie, token]) t.is((await exchange(credential)).status, 401);
});

test('an expired session, a forged one and none at all are refused', async (t) => {
  const { session, id } = await signedIn();
  const [raw] = session.token.split('.');
  const key = new TextEncoder().encode(auth.config.jwtSecret);
  const iat = Math.floor(Date.now() / 1000);
  const claims = { sub: id, org: platform.orgId, role: 'auditor', iat, exp: iat + 600 };
  const sign = (more: object, secret = key) =>
    new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'HS256' }).sign(secret);
  const forged = [
    raw,
    `${raw}.${'A'.repeat(43)}=`,
    await sign({}),
    await sign({ sid: 7 }),
    await sign({ sid: 'ses_00000000000000000000000000' }),
    await sign({ sid: session.id }, new TextEncoder().encode('another secret, which is long enough')),
    platform.config.apiSecret,
    'x',
  ];
  for (const credential of forged) t.is((await exchange(credential)).status, 401, credential.slice(0, 30));
  t.is((await platform.anonymous.post('/auth/session-exchange')).status, 401);
  await auth.sql.query(`update auth.sessions set expires_at = now() - interval '1 second' where id = $1`, [session.id]);
  t.is((await exchange(session.token)).status, 401);
});

test('the exchanged token has the role the user has now, signed by the secret of that role', async (t) => {
  const { session, id } = await signedIn();
  await auth.sql.query(`update auth.users set role = 'producer' where id = $1`, [id]);
  const { body } = await exchange(session.token);
  t.is(decodeJwt(body.token).role, 'producer');
  t.is((await platform.as({ credential: body.token }).get('/v1/policies')).status, 200);
});

test('a deactivated user is refused by the API, by the exchange and at sign-in', async (t) => {
  let aheadMs = 0;
  const own = await startPlatform(t, {
    worker: false,
    database: platform.testDatabase,
    now: () => Date.now() + aheadMs,
  });
  const { id, session, token } = await signedIn();
  const as = (credential: string) => own.as({ credential }).get('/v1/policies', { query: { orgId: platform.orgId } });
  t.is((await as(token)).status, 200);
  const admin = own.as({ role: 'org_admin', org: platform.orgId });
  aheadMs += 2_000;
  t.is((await admin.patch(`/v1/users/${id}`, { active: false })).status, 200);
  aheadMs += 30_000;
  t.is((await as(token)).status, 401);
  t.is((await exchange(session.token)).status, 401);
  await admin.patch(`/v1/users/${id}`, { active: true });
  aheadMs += 30_000;
  t.is((await as(token)).status, 401, 'tokens of before stay refused');
});

/** Signs claims with a leaked platform secret, as an attacker could. */
function forge(secret: SigningSecret, claims: Record<string, unknown>): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  return new SignJWT({ iat, exp: iat + 600, typ: 'insured', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(auth.config[secret]));
}

const CLAIMED: readonly Role[] = ['superadmin', 'org_admin', 'auditor', 'finance_analyst', 'producer', 'policyholder'];
const SECRETS = Object.keys(ROLES_BY_SECRET) as SigningSecret[];

test('a leaked portal secret turns no session into a token of somebody else, in whatever role or organization', async (t) => {
  const elsewhere = await platform.createOrg();
  for (const role of ['superadmin', 'org_admin', 'auditor', 'producer'] satisfies Role[]) {
    const victim = await signedIn(role);
    const forgeries = SECRETS.flatMap((secret) =>
      CLAIMED.flatMap((claimed) =>
        [platform.orgId, elsewhere].flatMap((org) =>
          ['usr_attacker', victim.id].map((sub) => ({ secret, claimed, org, sub })),
        ),
      ),
    );
    for (const { secret, claimed, org, sub } of forgeries) {
      const token = await forge(secret, { sub, org, role: claimed, sid: victim.session.id });
      const isTrue = sub === victim.id && org === platform.orgId && claimed === role;
      const expected = isTrue && ROLES_BY_SECRET[secret].includes(role) ? 200 : 401;
      t.is((await exchange(token)).status, expected, `${role}: ${JSON.stringify({ secret, claimed, org, sub })}`);
    }
  }
});

test('a token of one session is not exchanged in the name of another, nor as that of an organization it left', async (t) => {
  const [one, other] = [await signedIn('auditor'), await signedIn('auditor')];
  const crossed = await forge('jwtSecret', { ...decodeJwt(one.token), sid: other.session.id });
  t.is((await exchange(crossed)).status, 401);
  t.is((await exchange(one.token)).status, 200);
  const elsewhere = await platform.createOrg();
  const id = await auth.createUser({ email: one.email, orgId: elsewhere, role: 'auditor' });
  const switched = await one.browser.post('/api/auth/switch', { orgId: elsewhere });
  t.is(switched.status, 200);
  t.is((await exchange(one.token)).status, 401);
  for (const credential of [one.session.token, switched.body.token]) {
    t.like(decodeJwt((await exchange(credential)).body.token), { sub: id, org: elsewhere });
  }
  t.is(await reads(one.token), 200, 'the tokens of before speak for the organization they name until they expire');
});

test('a session whose membership has become an offer is exchanged for nothing', async (t) => {
  const { browser, id, session, token } = await signedIn();
  await auth.sql.query('update auth.users set person_id = null, member_since = null where id = $1', [id]);
  for (const credential of [session.token, token]) t.is((await exchange(credential)).status, 401);
  t.is((await browser.get('/api/auth/get-session')).status, 401);
});

test('a refused exchange is in the audit of the organization that the token proved', async (t) => {
  const { session, id } = await signedIn('auditor');
  const token = await forge('financeJwtSecret', {
    sub: 'usr_mole',
    org: platform.orgId,
    role: 'auditor',
    sid: session.id,
  });
  t.is((await exchange(token)).status, 401);
  const { rows } = await auth.sql.query(
    `select org_id, changes from audit_entries where action = 'credential:refused' and actor_id = 'usr_mole'`,
  );
  t.deepEqual(rows, [{ org_id: platform.orgId, changes: { reason: 'not the token of the session' } }]);
  t.notRegex(JSON.stringify(rows), new RegExp(`${id}|${session.id}`));
});
