// Links for setting a password, guessing, and sign-in in production, where signing up alone opens nothing.
import { createHash } from 'node:crypto';
import test from 'ava';
import { FAILURES_OF_CLIENT, LINKS_IN_WINDOW, SIGN_IN_ATTEMPTS } from '../../auth/lock-out.ts';
import { eventually } from '../support/eventually.ts';
import { type AuthUnderTest, runAuth } from './run-auth.ts';

const PASSWORD = 'correct horse battery staple';
const NEW_PASSWORD = 'another horse battery staple';
let auth: AuthUnderTest;
let org: string;
let count = 0;
const someone = (domain = 'example.test') => {
  count += 1;
  return `someone-${count}@${domain}`;
};

test.before(async () => {
  auth = await runAuth({ ENVIRONMENT: 'production', AUTH_URL: 'https://auth.bindery.test' });
  org = await auth.createOrg({ emailDomains: ['corp.test'] });
});
test.after.always(() => auth?.close());

const signUp = (email: string) => auth.browser().post('/api/auth/sign-up/email', { email, password: PASSWORD });
const signIn = (email: string, password = PASSWORD, browser = auth.browser()) =>
  browser.post('/api/auth/sign-in/email', { email, password });
const askForLink = (email: string, browser = auth.browser()) =>
  browser.post('/api/auth/request-password-reset', { email });
const useLink = (token: string, newPassword = NEW_PASSWORD) =>
  auth.browser().post('/api/auth/reset-password', { token, newPassword });
const tokenSentTo = (email: string, after = 0) =>
  eventually(
    () => {
      const mail = auth.mails.filter(({ to }) => to === email)[after];
      return mail && /^Token: (\S+)$/m.exec(mail.text)?.[1];
    },
    { what: 'the mail' },
  );
/** Adds a user of the organization with a password. */
async function member(email: string): Promise<void> {
  await signUp(email);
  await auth.createUser({ email, orgId: org, role: 'auditor' });
  await tokenSentTo(email);
}

test('signing up in production opens nothing, and signing in is 403 until the user is admitted', async (t) => {
  const email = someone();
  const page = await signUp(email);
  t.is(page.status, 201);
  t.like(page.body, { session: null, token: null, user: { email, role: null, orgId: null } });
  t.deepEqual(page.setCookies, []);
  const refused = await signIn(email);
  t.is(refused.status, 403);
  t.is(refused.body.error, 'forbidden');
  t.is((await signIn(email, 'a wrong password')).status, 401);
});

test('an address of a listed domain admits its owner once they have proved it, and only them', async (t) => {
  const email = someone('corp.test');
  await signUp(email);
  t.is((await signIn(email)).status, 403);
  t.is((await useLink(await tokenSentTo(email))).status, 200);
  t.is((await signIn(email)).status, 401);
  const page = await signIn(email, NEW_PASSWORD);
  t.like(page.body.user, { orgId: org, role: 'underwriter' });
});

test('the session cookie is Secure and keeps its name outside local development', async (t) => {
  const email = someone();
  await member(email);
  const { setCookies } = await signIn(email);
  t.regex(setCookies[0] ?? '', /^svc_session=[^;]+; Max-Age=28800; Path=\/api\/auth; HttpOnly; Secure; SameSite=Lax$/);
});

test('a link sets the password once; the old password and every session end with it', async (t) => {
  const email = someone();
  await member(email);
  const browser = auth.browser();
  await signIn(email, PASSWORD, browser);
  t.deepEqual((await askForLink(email)).body, { sent: true, expiresInSeconds: 3600 });
  const token = await tokenSentTo(email, 1);
  t.deepEqual((await useLink(token)).body, { reset: true });
  t.is((await browser.get('/api/auth/get-session')).status, 401);
  t.is((await signIn(email)).status, 401);
  t.is((await signIn(email, NEW_PASSWORD)).status, 200);
  t.is((await useLink(token, PASSWORD)).status, 401);
});

test('one of several simultaneous uses of a link succeeds', async (t) => {
  const email = someone();
  await member(email);
  await askForLink(email);
  const token = await tokenSentTo(email, 1);
  const pages = await Promise.all([1, 2, 3, 4].map(() => useLink(token)));
  t.deepEqual(pages.map(({ status }) => status).sort(), [200, 401, 401, 401]);
});

test('only the newest link is good, and a wrong one does not use it up', async (t) => {
  const email = someone();
  await member(email);
  await askForLink(email);
  const first = await tokenSentTo(email, 1);
  await askForLink(email);
  const second = await tokenSentTo(email, 2);
  const [user] = second.split('.');
  for (const wrong of [first, `${user}.wrong`, `${user}.`, 'nonsense', `${second}.more`, user ?? '']) {
    t.is((await useLink(wrong)).status, 401, wrong);
  }
  t.is((await useLink(second, 'short')).status, 400);
  t.is((await useLink(second)).status, 200);
});

test('an expired link is refused', async (t) => {
  const email = someone();
  await member(email);
  await askForLink(email);
  const token = await tokenSentTo(email, 1);
  await auth.sql.query(`update kv_entries set expires_at = now() - interval '1 second' where key like $1`, [
    `set-password:${token.split('.')[0]}`,
  ]);
  t.is((await useLink(token)).status, 401);
});

test('a request for a link does not reveal whether an account exists, and is limited alike', async (t) => {
  const known = someone();
  await member(known);
  for (const email of [known, someone()]) {
    for (let i = 0; i < LINKS_IN_WINDOW; i += 1) {
      const page = await askForLink(email);
      t.is(page.status, 200);
      t.deepEqual(page.body, { sent: true, expiresInSeconds: 3600 });
    }
    const page = await askForLink(email);
    t.is(page.status, 429);
    t.true(Number(page.headers.get('retry-after')) > 800);
  }
});

test('one client may request five links to an address a day, and leaves the rest of the day to others', async (t) => {
  const email = someone();
  const [client, other] = [auth.browser(), auth.browser()];
  const name = createHash('sha256').update(email).digest('hex');
  const quarterHour = async (browser: typeof client) => {
    const statuses: number[] = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await askForLink(email, browser)).status);
    await auth.sql.query('delete from kv_entries where key = $1', [`link:${name}`]);
    return statuses;
  };
  t.deepEqual(await quarterHour(client), [200, 200, 200, 429]);
  t.deepEqual(await quarterHour(client), [200, 200, 429, 429]);
  t.deepEqual(await quarterHour(client), [429, 429, 429, 429]);
  t.deepEqual(await quarterHour(other), [200, 200, 200, 429]);
});

test('no link is sent to people who do not exist, are not active, or sign in with Microsoft', async (t) => {
  const inactive = someone();
  const linked = someone();
  await auth.createUser({ email: inactive, orgId: org, role: 'auditor', active: false });
  const id = await auth.createUser({ email: linked, orgId: org, role: 'auditor' });
  await auth.sql.query(
    `insert into auth.accounts (id, account_id, provider_id, person_id)
      select 'a1', 't:o', 'microsoft', person_id from auth.users where id = $1`,
    [id],
  );
  const last = someone();
  await auth.createUser({ email: last, orgId: org, role: 'auditor' });
  for (const email of [inactive, linked, someone(), last]) await askForLink(email);
  await tokenSentTo(last);
  t.deepEqual(
    auth.mails.filter(({ to }) => to === inactive || to === linked),
    [],
  );
});

test('guessing is stopped for the address, known or not, even with the right password; proving the mailbox reopens it', async (t) => {
  const known = someone();
  await member(known);
  for (const email of [known, someone()]) {
    for (let i = 0; i < SIGN_IN_ATTEMPTS; i += 1) t.is((await signIn(email, 'a wrong password')).status, 401);
    const locked = await signIn(email);
    t.is(locked.status, 429);
    t.is(locked.body.error, 'rate_limited');
    t.true(Number(locked.headers.get('retry-after')) > 800);
  }
  await askForLink(known);
  await useLink(await tokenSentTo(known, 1));
  t.is((await signIn(known, NEW_PASSWORD)).status, 200);
});

test('simultaneous attempts are counted before they are compared', async (t) => {
  const email = someone();
  const pages = await Promise.all(
    Array.from({ length: SIGN_IN_ATTEMPTS + 8 }, () => signIn(email, 'a wrong password')),
  );
  t.is(pages.filter(({ status }) => status === 401).length, SIGN_IN_ATTEMPTS);
  t.is(pages.filter(({ status }) => status === 429).length, 8);
});

test('one client that tries many addresses is stopped, and a success does not reset the count', async (t) => {
  const email = someone();
  await member(email);
  const browser = auth.browser();
  for (let i = 0; i < 3; i += 1) await signIn(someone(), 'a wrong password', browser);
  t.is((await signIn(email, PASSWORD, browser)).status, 200);
  const { rowCount } = await auth.sql.query(
    `update kv_entries set value = $1::text::jsonb where key like 'sign-in-client:%' and value = '3'`,
    [String(FAILURES_OF_CLIENT)],
  );
  t.is(rowCount, 1);
  browser.clear();
  t.is((await signIn(email, PASSWORD, browser)).status, 429);
});

test('wrong passwords from all addresses of an IPv6 network are counted as those of one client', async (t) => {
  for (const host of ['::1', ':1:2:3:4']) {
    const headers = { 'x-forwarded-for': `2001:db8:6:6${host}` };
    await auth.browser().post('/api/auth/sign-in/email', { email: someone(), password: 'a wrong password' }, headers);
  }
  const network = createHash('sha256').update('2001:db8:6:6::/64').digest('hex');
  const { rows } = await auth.sql.query('select value from kv_entries where key = $1', [`sign-in-client:${network}`]);
  t.deepEqual(rows, [{ value: 2 }]);
});

test('an address without a session gets 120 responses a minute, and one with a session gets more', async (t) => {
  const browser = auth.browser();
  const pages = await Promise.all(Array.from({ length: 121 }, () => browser.get('/api/auth/get-session')));
  t.is(pages.filter(({ status }) => status === 429).length, 1);
  const refused = pages.find(({ status }) => status === 429);
  t.is(refused?.headers.get('x-ratelimit-remaining'), '0');
  t.regex(refused?.headers.get('retry-after') ?? '', /^\d+$/);
  browser.setCookie('svc_session', 'forged.signature');
  t.is((await browser.get('/api/auth/get-session')).status, 429);
});

/** How many connections wait for a lock in the database under test. */
async function waiting(): Promise<number> {
  const { rows } = await auth.sql.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
}

/** Makes a change to a person and then a sign-in wait for the person's row, so that they happen in this order. */
async function changedDuring<C, S>(email: string, change: () => Promise<C>, open: () => Promise<S>): Promise<[C, S]> {
  const held = await auth.sql.connect();
  try {
    await held.query('begin');
    await held.query('select from auth.people where email = $1 for update', [email]);
    const changed = change();
    await eventually(async () => (await waiting()) >= 1, { what: 'the change to wait for the row' });
    const opened = open();
    await eventually(async () => (await waiting()) >= 2, { what: 'the sign-in to wait for the row' });
    await held.query('commit');
    return await Promise.all([changed, opened]);
  } finally {
    held.release(true);
  }
}

const sessionsOf = async (email: string) =>
  (
    await auth.sql.query(
      'select s.id from auth.sessions s join auth.people p on p.id = s.person_id where p.email = $1',
      [email],
    )
  ).rowCount;

test.serial('a sign-in that compared the old password before a link set another one opens no session', async (t) => {
  const email = someone();
  await member(email);
  await askForLink(email);
  const token = await tokenSentTo(email, 1);
  const [changed, opened] = await changedDuring(
    email,
    () => useLink(token),
    () => signIn(email),
  );
  t.is(changed.status, 200);
  t.is(opened.status, 401);
  t.deepEqual(opened.setCookies, []);
  t.is(await sessionsOf(email), 0);
  t.is((await signIn(email, NEW_PASSWORD)).status, 200);
});

test.serial(
  'a person who registered the address of somebody else gains nothing when the owner accepts an invitation',
  async (t) => {
    const email = someone();
    const home = await auth.createOrg();
    await signUp(email);
    await auth.createUser({ email, orgId: home, role: 'producer', origin: 'self_registered' });
    const { token } = await auth.invite({ email, orgId: org, role: 'org_admin' });
    const [accepted, opened] = await changedDuring(
      email,
      () => useLink(token),
      () => signIn(email),
    );
    t.is(accepted.status, 200);
    t.is(opened.status, 401);
    t.is(await sessionsOf(email), 0);
  },
);
