// Corporate single sign-on against a provider that speaks the real protocol: who gets in, as what, and who does not.
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { decodeJwt, jwtVerify } from 'jose';
import type { Page } from './browser.ts';
import { type AuthUnderTest, runAuth } from './run-auth.ts';
import { FORGERIES, goToProvider, OTHER_TENANT, resigned, runMicrosoft, signOn, type Tenant } from './run-microsoft.ts';

const PASSWORD = 'correct horse battery staple';
const FINANCE_ORIGIN = 'https://finance.portals.test';
let microsoft: Tenant;
let auth: AuthUnderTest;
let org: string;
let admin: string;
let count = 0;

test.before(async () => {
  microsoft = await runMicrosoft();
  auth = await runAuth({ ...microsoft.variables, PORTAL_ORIGINS: `finance=${FINANCE_ORIGIN}` });
  await auth.createOrg({ isDemo: true });
  org = await auth.createOrg({ emailDomains: ['Corp.Test'] });
  admin = `${auth.url}/portals/admin/api/auth/callback`;
});
test.after.always(async () => {
  await auth?.close();
  await microsoft?.stop();
});
test.beforeEach(() => {
  microsoft.claims = person();
  microsoft.refuseCode = false;
});

/** Claims of a new user of the tenant, whose domain the organization lists. */
function person(domain = 'corp.test') {
  count += 1;
  return { oid: randomUUID(), name: `Person ${count}`, email: `person-${count}@${domain}`, xms_edov: true };
}

const tokenOf = ({ location }: Page) => new URL(location ?? '').searchParams.get('token') ?? '';
const errorOf = ({ location }: Page) => new URL(location ?? '').searchParams.get('error');
const userOf = async (email: unknown) =>
  (await auth.sql.query('select * from auth.people where email = $1', [email])).rows[0];

test.serial('a person from the right tenant with a listed domain signs in as an underwriter', async (t) => {
  const browser = auth.browser();
  const page = await signOn(browser, admin);
  t.is(page.status, 302);
  t.true(page.location?.startsWith(`${admin}?token=`));
  t.is(page.headers.get('referrer-policy'), 'no-referrer');
  t.is(page.headers.get('cache-control'), 'no-store');
  const { payload } = await jwtVerify(tokenOf(page), new TextEncoder().encode(auth.config.jwtSecret));
  t.like(payload, { org, role: 'underwriter' });
  t.is((payload.exp ?? 0) - (payload.iat ?? 0), 28_800);
  const session = await browser.get('/api/auth/get-session');
  t.like(session.body.user, { email: microsoft.claims.email, role: 'underwriter', orgId: org });
});

test.serial('the request to the provider carries PKCE, a state and a nonce, each new every time', async (t) => {
  const starts = await Promise.all(
    [1, 2].map(() => auth.browser().get(`/api/auth/sign-in/microsoft?callbackURL=${encodeURIComponent(admin)}`)),
  );
  const [first, second] = starts.map(({ location }) => new URL(location ?? '').searchParams);
  t.is(first?.get('code_challenge_method'), 'S256');
  for (const name of ['state', 'nonce', 'code_challenge']) {
    t.true((first?.get(name) ?? '').length >= 43, name);
    t.not(first?.get(name), second?.get(name));
  }
});

test.serial(
  'the identity is tenant and object id: a changed address is the same user, and another person is not',
  async (t) => {
    const first = await signOn(auth.browser(), admin);
    const { oid } = microsoft.claims;
    microsoft.claims = { ...person('elsewhere.test'), oid, xms_edov: undefined };
    const renamed = await signOn(auth.browser(), admin);
    t.is(decodeJwt(tokenOf(renamed)).sub, decodeJwt(tokenOf(first)).sub);
    const { email } = decodeJwt(tokenOf(first)).sub ? await userById(decodeJwt(tokenOf(first)).sub) : { email: '' };
    microsoft.claims = { ...person(), email };
    t.is(errorOf(await signOn(auth.browser(), admin)), 'forbidden');
  },
);

const userById = async (id: unknown) => (await auth.sql.query('select * from auth.users where id = $1', [id])).rows[0];

test.serial(
  'a user who accepted an invitation becomes org_admin of their organization at the first sign-on, and at no later one',
  async (t) => {
    const { email } = microsoft.claims;
    await auth.createUser({ email: String(email), orgId: org, role: 'auditor' });
    t.is(decodeJwt(tokenOf(await signOn(auth.browser(), admin))).role, 'org_admin');
    await auth.sql.query(`update auth.users set role = 'auditor' where email = $1`, [email]);
    t.is(decodeJwt(tokenOf(await signOn(auth.browser(), admin))).role, 'auditor');
  },
);

test.serial('roles of the platform are kept at the first sign-on', async (t) => {
  for (const role of ['superadmin', 'platform_operator']) {
    microsoft.claims = person('anywhere.test');
    await auth.createUser({ email: String(microsoft.claims.email), orgId: org, role, origin: 'seeded' });
    t.is(decodeJwt(tokenOf(await signOn(auth.browser(), admin))).role, role);
  }
});

test.serial(
  'somebody who signed up by themselves counts as unknown: no org_admin, and no entry without a listed domain',
  async (t) => {
    microsoft.claims = person('anywhere.test');
    const { email } = microsoft.claims;
    t.is((await auth.browser().post('/api/auth/sign-up/email', { email, password: PASSWORD })).status, 201);
    t.is(errorOf(await signOn(auth.browser(), admin)), 'forbidden');
    microsoft.claims = person();
    const listed = microsoft.claims.email;
    await auth.browser().post('/api/auth/sign-up/email', { email: listed, password: PASSWORD });
    const page = await signOn(auth.browser(), admin);
    t.like(decodeJwt(tokenOf(page)), { role: 'underwriter', org });
  },
);

test.serial('the first sign-on ends the password and every session that somebody else may have', async (t) => {
  const { email } = microsoft.claims;
  const squatter = auth.browser();
  await squatter.post('/api/auth/sign-up/email', { email, password: PASSWORD });
  t.is((await squatter.get('/api/auth/get-session')).status, 200);
  await signOn(auth.browser(), admin);
  t.is((await squatter.get('/api/auth/get-session')).status, 401);
  t.is((await squatter.post('/api/auth/sign-in/email', { email, password: PASSWORD })).status, 401);
});

test.serial('a deactivated user stays out', async (t) => {
  await signOn(auth.browser(), admin);
  await auth.sql.query('update auth.users set active = false where email = $1', [microsoft.claims.email]);
  const browser = auth.browser();
  t.is(errorOf(await signOn(browser, admin)), 'forbidden');
  t.is(browser.cookie('svc_session'), undefined);
});

test.serial('an invalid identity is refused, leaves no user and opens no session', async (t) => {
  const now = Math.floor(Date.now() / 1000);
  const table: [string, Record<string, unknown>, string][] = [
    ['another tenant', { tid: OTHER_TENANT }, 'forbidden'],
    ['no tenant', { tid: undefined }, 'unauthenticated'],
    ['another issuer', { iss: `https://login.microsoftonline.com/${OTHER_TENANT}/v2.0` }, 'unauthenticated'],
    ['another audience', { aud: 'another-application' }, 'unauthenticated'],
    ['another nonce', { nonce: 'of another sign-on' }, 'unauthenticated'],
    ['no nonce', { nonce: undefined }, 'unauthenticated'],
    ['an expired token', { exp: now - 120 }, 'unauthenticated'],
    ['no object id', { oid: undefined }, 'unauthenticated'],
    ['an empty object id', { oid: ' ' }, 'unauthenticated'],
    ['an unverified address', { xms_edov: undefined }, 'forbidden'],
    ['an address said to be unverified', { xms_edov: false, email_verified: false }, 'forbidden'],
    ['no address', { email: undefined }, 'forbidden'],
    ['a domain that no organization lists', { email: `x-${now}@unlisted.test` }, 'forbidden'],
    ['a listed domain as a prefix', { email: `x-${now}@corp.test.evil.test` }, 'forbidden'],
    ['two at signs', { email: `x@corp.test@evil.test` }, 'forbidden'],
  ];
  for (const [what, change, error] of table) {
    const base = person();
    microsoft.claims = { ...base, ...change };
    const browser = auth.browser();
    const page = await signOn(browser, admin);
    t.is(errorOf(page), error, what);
    t.is(tokenOf(page), '', what);
    t.is(browser.cookie('svc_session'), undefined, what);
    t.is(await userOf(base.email), undefined, what);
  }
});

test.serial('an ID token that the provider did not sign is refused, and gives no session', async (t) => {
  t.teardown(() => {
    microsoft.forge = null;
  });
  for (const [what, forge] of FORGERIES) {
    microsoft.claims = person();
    microsoft.forge = forge;
    const browser = auth.browser();
    t.is(errorOf(await signOn(browser, admin)), 'unauthenticated', what);
    t.is(browser.cookie('svc_session'), undefined, what);
  }
  microsoft.claims = person();
  microsoft.forge = (token) => resigned(token, {}, (_text, signature) => signature);
  t.truthy(tokenOf(await signOn(auth.browser(), admin)), 'taken apart and put together it is still the same');
});

test.serial('two organizations that list one domain open it to nobody', async (t) => {
  await auth.createOrg({ emailDomains: ['shared.test'] });
  await auth.createOrg({ emailDomains: ['shared.test'] });
  microsoft.claims = person('shared.test');
  t.is(errorOf(await signOn(auth.browser(), admin)), 'forbidden');
});

test.serial('a code that the provider no longer takes is refused', async (t) => {
  microsoft.refuseCode = true;
  t.is(errorOf(await signOn(auth.browser(), admin)), 'unauthenticated');
});

test.serial('a user who cancels at the provider comes back with an error', async (t) => {
  const browser = auth.browser();
  const back = new URL(await goToProvider(browser, admin));
  back.searchParams.delete('code');
  back.searchParams.set('error', 'access_denied');
  t.is(errorOf(await browser.get(back.toString())), 'unauthenticated');
});

test.serial('a state works once, and only in the browser that started', async (t) => {
  const browser = auth.browser();
  const back = await goToProvider(browser, admin);
  const other = await auth.browser().get(back);
  t.is(other.status, 401);
  t.is(other.location, null);
  t.truthy(tokenOf(await browser.get(back)));
  t.is((await browser.get(back)).status, 401);
});

test.serial('a replayed state is refused even with its cookie, and one of two simultaneous ones wins', async (t) => {
  const browser = auth.browser();
  const start = await browser.get(`/api/auth/sign-in/microsoft?callbackURL=${encodeURIComponent(admin)}`);
  const cookie = (start.setCookies[0] ?? '').split(';')[0] ?? '';
  t.regex(start.setCookies[0] ?? '', /Path=\/api\/auth\/callback\/microsoft; HttpOnly; SameSite=Lax/);
  const authorized = await fetch(start.location ?? '', { redirect: 'manual' });
  const back = authorized.headers.get('location') ?? '';
  const pages = await Promise.all([1, 2].map(() => auth.browser().get(back, { cookie })));
  t.deepEqual(pages.map(({ status }) => status).sort(), [302, 401]);
  t.is((await auth.browser().get(back, { cookie })).status, 401);
});

test.serial('one person first signing on in two windows at the same time is one user', async (t) => {
  for (const isInvited of [false, true, false, true, false]) {
    microsoft.claims = person();
    if (isInvited) await auth.createUser({ email: String(microsoft.claims.email), orgId: org, role: 'auditor' });
    const browsers = [1, 2, 3, 4, 5].map(() => auth.browser());
    const backs = await Promise.all(browsers.map((browser) => goToProvider(browser, admin)));
    const pages = await Promise.all(browsers.map((browser, i) => browser.get(backs[i] ?? '')));
    const subjects = pages.map((page) => decodeJwt(tokenOf(page)).sub);
    t.is(new Set(subjects).size, 1);
  }
});

test.serial('no address but a registered callback is ever redirected to', async (t) => {
  const attempts = [
    'http://evil.test/api/auth/callback',
    '//evil.test/api/auth/callback',
    '/portals/admin/api/auth/callback',
    `${auth.url}.evil.test/portals/admin/api/auth/callback`,
    `${auth.url}@evil.test/portals/admin/api/auth/callback`,
    `http://user@localhost/portals/admin/api/auth/callback`,
    `${admin}/../../../../../somewhere`,
    `${admin}?next=http://evil.test`,
    `${admin}#fragment`,
    `${admin}\\@evil.test`,
    `${admin}%0d%0aLocation:http://evil.test`,
    `${auth.url}/portals/nobody/api/auth/callback`,
    `${auth.url}/portals/admin/dashboard`,
    `${FINANCE_ORIGIN}/elsewhere`,
    `${FINANCE_ORIGIN}.evil.test/api/auth/callback`,
    'javascript:alert(1)',
    'data:text/html,x',
    '',
  ];
  for (const attempt of attempts) {
    const page = await auth.browser().get(`/api/auth/sign-in/microsoft?callbackURL=${encodeURIComponent(attempt)}`);
    t.is(page.status, 400, attempt);
    t.is(page.location, null, attempt);
    t.is(page.body.error, 'validation_failed', attempt);
  }
  t.is((await auth.browser().get('/api/auth/sign-in/microsoft')).body.details.rule, 'required');
});

test.serial('the token is signed with the secret of the portal, which must vouch for the role', async (t) => {
  const finance = `${FINANCE_ORIGIN}/api/auth/callback`;
  const browser = auth.browser();
  const refused = await signOn(browser, finance);
  t.is(errorOf(refused), 'forbidden');
  t.is(tokenOf(refused), '');
  t.is(browser.cookie('svc_session'), undefined);
  await auth.sql.query(`update auth.users set role = 'finance_analyst' where email = $1`, [microsoft.claims.email]);
  const token = tokenOf(await signOn(auth.browser(), finance));
  await t.notThrowsAsync(jwtVerify(token, new TextEncoder().encode(auth.config.financeJwtSecret)));
  await t.throwsAsync(jwtVerify(token, new TextEncoder().encode(auth.config.jwtSecret)));
  const policyholder = await signOn(auth.browser(), `${auth.url}/portals/policyholder/api/auth/callback`);
  t.is(errorOf(policyholder), 'forbidden');
});

test.serial('a refused sign-on and a first link are audited, without the address', async (t) => {
  await signOn(auth.browser(), admin);
  const { rows } = await auth.sql.query('select action, entity_id, changes from audit_entries order by id');
  const linked = rows.find(({ action }) => action === 'identity:linked');
  t.true(rows.some(({ action }) => action === 'sign_on:refused'));
  t.deepEqual(
    rows
      .filter(({ entity_id }) => entity_id === linked.entity_id)
      .slice(0, 3)
      .map(({ action }) => action),
    ['account:created', 'identity:linked', 'sign_in:accepted'],
  );
  t.notRegex(JSON.stringify(rows), /corp\.test/);
});

test.serial('a refused sign-on of a known person is in the audit of their organization', async (t) => {
  await signOn(auth.browser(), admin);
  await auth.sql.query('update auth.users set active = false where email = $1', [microsoft.claims.email]);
  t.is(errorOf(await signOn(auth.browser(), admin)), 'forbidden');
  const { rows } = await auth.sql.query(
    `select a.org_id = u.org_id as "isHome", a.actor_id = u.id as "isOwn" from audit_entries a, auth.users u
      where u.email = $1 and a.action = 'sign_on:refused' order by a.id desc limit 1`,
    [microsoft.claims.email],
  );
  t.deepEqual(rows, [{ isHome: true, isOwn: true }]);
});

test.serial('single sign-on does not exist without the three variables', async (t) => {
  const plain = await runAuth({}, { database: auth.testDatabase });
  t.teardown(() => plain.close());
  const address = encodeURIComponent(`${plain.url}/portals/admin/api/auth/callback`);
  t.is((await plain.browser().get(`/api/auth/sign-in/microsoft?callbackURL=${address}`)).status, 404);
});
