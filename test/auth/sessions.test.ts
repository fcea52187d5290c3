// Accounts, passwords and sessions over HTTP, as a browser and as a program see them.

import test from 'ava';
import { decodeJwt, jwtVerify } from 'jose';
import { eventually } from '../support/eventually.ts';
import { type AuthUnderTest, runAuth } from './run-auth.ts';

const PASSWORD = 'correct horse battery staple';
let auth: AuthUnderTest;
let demoOrg: string;
let count = 0;
const someone = () => {
  count += 1;
  return `someone-${count}@example.test`;
};

test.before(async () => {
  auth = await runAuth({ ENVIRONMENT: 'local' });
  demoOrg = await auth.createOrg({ isDemo: true });
});
test.after.always(() => auth?.close());

const signUp = (email: string, browser = auth.browser()) =>
  browser.post('/api/auth/sign-up/email', { email, password: PASSWORD });

test('signing up joins the demo organization as a producer and signs in', async (t) => {
  const email = someone();
  const page = await signUp(email.toUpperCase());
  t.is(page.status, 201);
  t.like(page.body.user, { email, role: 'producer', orgId: demoOrg });
  t.regex(page.body.user.id, /^usr_/);
  t.regex(page.body.session.id, /^ses_/);
  t.regex(page.body.session.expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('the token of a producer is signed with the secret of the producer portal, lives 8 hours and names the session', async (t) => {
  const { body } = await signUp(someone());
  const key = new TextEncoder().encode(auth.config.portalJwtSecret);
  const { payload, protectedHeader } = await jwtVerify(body.token, key);
  t.is(protectedHeader.alg, 'HS256');
  t.is((payload.exp ?? 0) - (payload.iat ?? 0), 28_800);
  t.like(payload, { sub: body.user.id, org: demoOrg, role: 'producer', sid: body.session.id });
});

test('the session cookie is HttpOnly, SameSite=Lax and confined to /api/auth', async (t) => {
  const { setCookies } = await signUp(someone());
  t.is(setCookies.length, 1);
  t.regex(setCookies[0]!, /^svc_session=[^;]+; Max-Age=28800; Path=\/api\/auth; HttpOnly; SameSite=Lax$/);
});

test('signing in returns user, session and token, and the cookie reads the same session', async (t) => {
  const email = someone();
  await signUp(email);
  const browser = auth.browser();
  const signedIn = await browser.post('/api/auth/sign-in/email', { email, password: PASSWORD });
  t.is(signedIn.status, 200);
  const session = await browser.get('/api/auth/get-session');
  t.is(session.status, 200);
  t.deepEqual(session.body.user, signedIn.body.user);
  t.is(session.body.session.id, signedIn.body.session.id);
  t.is(decodeJwt(session.body.token).sub, signedIn.body.user.id);
});

test('an address has one account: the second sign-up is 409, and of ten simultaneous ones one succeeds', async (t) => {
  const email = someone();
  const pages = await Promise.all(Array.from({ length: 10 }, () => signUp(email)));
  t.deepEqual(pages.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
  t.is(pages.find(({ status }) => status === 409)?.body.error, 'already_exists');
  t.is((await signUp(email)).status, 409);
});

test('a wrong password and an unknown address get the same response', async (t) => {
  const email = someone();
  await signUp(email);
  const browser = auth.browser();
  const wrong = await browser.post('/api/auth/sign-in/email', { email, password: 'not the password' });
  const unknown = await browser.post('/api/auth/sign-in/email', { email: someone(), password: 'not the password' });
  for (const page of [wrong, unknown]) {
    t.is(page.status, 401);
    t.deepEqual({ ...page.body, requestId: '' }, { ...wrong.body, requestId: '' });
    t.deepEqual(page.setCookies, []);
  }
});

test('signing out ends the session for every copy of the cookie', async (t) => {
  const browser = auth.browser();
  await signUp(someone(), browser);
  const stolen = browser.cookie('svc_session')!;
  const out = await browser.post('/api/auth/sign-out');
  t.is(out.status, 200);
  t.regex(out.setCookies[0]!, /^svc_session=; Max-Age=0; Path=\/api\/auth;/);
  const thief = auth.browser();
  thief.setCookie('svc_session', stolen);
  t.is((await thief.get('/api/auth/get-session')).status, 401);
  t.is((await thief.post('/api/auth/sign-out')).status, 200);
});

test('signing in while signing out never fails in an undefined way', async (t) => {
  const email = someone();
  const browser = auth.browser();
  await signUp(email, browser);
  const pages = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      i % 2 === 0
        ? browser.post('/api/auth/sign-in/email', { email, password: PASSWORD })
        : browser.post('/api/auth/sign-out'),
    ),
  );
  t.true(pages.every(({ status }) => status === 200));
  t.true([200, 401].includes((await browser.get('/api/auth/get-session')).status));
});

test('a cookie whose signature is not ours opens nothing', async (t) => {
  const browser = auth.browser();
  const { body } = await signUp(someone(), browser);
  const [token] = decodeURIComponent(browser.cookie('svc_session')!).split('.');
  for (const forged of [token!, `${token}.${'A'.repeat(43)}=`, `${body.token}`, '', '%', 'x'.repeat(4_000)]) {
    const thief = auth.browser();
    thief.setCookie('svc_session', encodeURIComponent(forged));
    t.is((await thief.get('/api/auth/get-session')).status, 401, forged.slice(0, 20));
  }
});

test('a session of a deactivated user, or of one without an organization, is refused', async (t) => {
  for (const change of ['update auth.users set active = false', 'delete from auth.users']) {
    const email = someone();
    const browser = auth.browser();
    await signUp(email, browser);
    await auth.sql.query(`${change} where email = $1`, [email]);
    t.is((await browser.get('/api/auth/get-session')).status, 401);
    const again = await browser.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    t.is(again.status, 403);
    t.is(again.body.error, 'forbidden');
    t.deepEqual(again.setCookies, []);
  }
});

test('an invalid body is refused by the rule it breaks', async (t) => {
  const cases: [unknown, string, string][] = [
    [{ password: PASSWORD }, 'email', 'required'],
    [{ email: 'nobody', password: PASSWORD }, 'email', 'format'],
    [{ email: 7, password: PASSWORD }, 'email', 'type'],
    [{ email: someone(), password: 'elevenchars' }, 'password', 'min'],
    [{ email: someone(), password: 'x'.repeat(129) }, 'password', 'max'],
    [{ email: someone(), password: PASSWORD, role: 'superadmin' }, 'role', 'unknown_field'],
  ];
  for (const [body, field, rule] of cases) {
    const page = await auth.browser().post('/api/auth/sign-up/email', body);
    t.is(page.status, 400, field);
    t.is(page.body.error, 'validation_failed');
    t.like(page.body.details, { field, rule });
  }
  const broken = await auth.browser().post('/api/auth/sign-up/email', '{"email":');
  t.like(broken, { status: 400, body: { error: 'malformed_json' } });
  const form = await auth.browser().post('/api/auth/sign-in/email', 'email=a', { 'content-type': 'text/plain' });
  t.is(form.status, 415);
  const large = await auth.browser().post('/api/auth/sign-in/email', { email: 'x'.repeat(20_000), password: 'y' });
  t.is(large.status, 413);
});

test('no path of the library is reachable beside those of the specification', async (t) => {
  const paths = ['ok', 'error', 'sign-in/social', 'change-password', 'list-sessions', 'update-user', 'delete-user'];
  for (const path of [...paths, 'verify-email', 'link-social', 'revoke-sessions', 'token', 'get-session/']) {
    t.is((await auth.browser().get(`/api/auth/${path}`)).status, 404, path);
    t.is((await auth.browser().post(`/api/auth/${path}`, {})).status, 404, path);
  }
  const wrongMethod = await auth.browser().get('/api/auth/sign-out');
  t.is(wrongMethod.status, 405);
  t.is(wrongMethod.headers.get('allow'), 'POST');
});

test('every response carries a request id and the rate headers, and forbids caching', async (t) => {
  for (const path of ['/healthz', '/api/auth/get-session', '/nowhere']) {
    const page = await auth.browser().get(path, { 'x-request-id': 'req_given_by_the_caller' });
    t.is(page.headers.get('x-request-id'), 'req_given_by_the_caller');
    t.regex(page.headers.get('x-ratelimit-limit') ?? '', /^\d+$/, path);
    t.regex(page.headers.get('x-ratelimit-remaining') ?? '', /^\d+$/, path);
    t.true(Number(page.headers.get('x-ratelimit-reset')) > Date.now() / 1000 - 1, path);
    t.is(page.headers.get('cache-control'), 'no-store');
    if (page.body?.error) t.is(page.body.requestId, 'req_given_by_the_caller');
  }
  const replaced = await auth.browser().get('/healthz', { 'x-request-id': 'bad id!' });
  t.regex(replaced.headers.get('x-request-id') ?? '', /^req_/);
});

test("a page of another origin may neither write nor read with the user's cookies", async (t) => {
  const browser = auth.browser();
  await signUp(someone(), browser);
  const page = await browser.post('/api/auth/sign-out', undefined, { origin: 'https://evil.test' });
  t.is(page.status, 403);
  t.is(page.headers.get('access-control-allow-origin'), null);
  t.is((await browser.get('/api/auth/get-session')).status, 200);
});

test("a refused sign-in is in the audit of the user's organization, without address or password", async (t) => {
  const email = someone();
  const { body } = await signUp(email);
  await auth.browser().post('/api/auth/sign-in/email', { email, password: 'not the password' });
  const row = await eventually(
    async () => {
      const { rows } = await auth.sql.query(
        `select * from audit_entries where action = 'sign_in:refused' and entity_id = $1`,
        [body.user.id],
      );
      return rows[0];
    },
    { what: 'the audit' },
  );
  t.is(row.org_id, demoOrg);
  t.notRegex(JSON.stringify(row), /not the password|@example/);
});

test('the database role of the service reaches the schema auth and no table of the application', async (t) => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: auth.config.databaseAuthUrl });
  await client.connect();
  t.teardown(() => client.end());
  const { rows } = await client.query(
    `select table_schema from information_schema.role_table_grants where grantee = 'bindery_auth' group by 1`,
  );
  t.deepEqual(rows, [{ table_schema: 'auth' }]);
  await t.throwsAsync(client.query('select * from public.organizations'), { message: /permission denied/ });
});
