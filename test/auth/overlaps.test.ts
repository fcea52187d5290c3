// Simultaneous events for one person: a session is opened or moved, or ends with the password or membership it depends
// on. No session outlives what it depends on, and nothing deadlocks.
import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { type HeldRow, holdRow, holdTable } from '../support/held-row.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';
import { type AuthUnderTest, runAuth } from './run-auth.ts';
import { goToProvider, runMicrosoft, signOn, type Tenant } from './run-microsoft.ts';

const PASSWORD = 'correct horse battery staple';
const NEW_PASSWORD = 'another horse battery staple';
let auth: AuthUnderTest;
let platform: Platform;
let microsoft: Tenant;
let home: string;
let second: string;
let count = 0;

test.before(async (t) => {
  platform = await startPlatform(t, { worker: false });
  microsoft = await runMicrosoft();
  auth = await runAuth(microsoft.variables, { database: platform.testDatabase });
  home = platform.orgId;
  second = await auth.createOrg();
});
test.after.always(async () => {
  await auth?.close();
  await microsoft?.stop();
});

/** Blocks session writes; a failing test releases them too. */
async function holdSessions(t: ExecutionContext): Promise<HeldRow> {
  const held = await holdTable(platform.testDatabase.ownerUrl, 'auth.sessions');
  t.teardown(() => held.release().catch(() => {}));
  return held;
}
const adminOf = (org: string) => platform.as({ role: 'org_admin', org });
const sessionsOf = async (email: string) => {
  const { rows } = await auth.sql.query(
    'select s.id from auth.sessions s join auth.people p on p.id = s.person_id where p.email = $1',
    [email],
  );
  return rows.length;
};

/** Adds a person with a password who is a member of both organizations, and signs them in to the first. */
async function memberOfBoth() {
  count += 1;
  const email = `member-${count}@example.test`;
  const offer = await auth.invite({ email, orgId: home, role: 'auditor' });
  const browser = auth.browser();
  await browser.post('/api/auth/reset-password', { token: offer.token, newPassword: PASSWORD });
  const signIn = (password = PASSWORD, from = auth.browser()) =>
    from.post('/api/auth/sign-in/email', { email, password });
  await signIn(PASSWORD, browser);
  const other = await auth.invite({ email, orgId: second, role: 'auditor' });
  await browser.post('/api/auth/accept-invitation', { token: other.token });
  await browser.post('/api/auth/switch', { orgId: home });
  return { email, browser, signIn, homeId: offer.id, secondId: other.id };
}

async function passwordLinkOf(email: string): Promise<string> {
  await auth.browser().post('/api/auth/request-password-reset', { email });
  const token = () => /^Token: (\S+)$/m.exec(auth.mails.findLast(({ to }) => to === email)?.text ?? '')?.[1];
  return eventually(token, { what: 'the mail' });
}

test.serial('a sign-in with a password that is being replaced opens no session', async (t) => {
  const { email, signIn } = await memberOfBoth();
  const token = await passwordLinkOf(email);
  const sessions = await holdSessions(t);
  const signedIn = signIn();
  await sessions.isWaitedFor();
  const reset = auth.browser().post('/api/auth/reset-password', { token, newPassword: NEW_PASSWORD });
  await sessions.isWaitedFor(2);
  await sessions.release();
  t.is((await reset).status, 200);
  const { status, body, setCookies } = await signedIn;
  t.is(status, 401);
  t.is(body.error, 'unauthenticated');
  t.deepEqual(setCookies, []);
  t.is(await sessionsOf(email), 0);
  t.is((await signIn(NEW_PASSWORD)).status, 200);
});

test.serial('a sign-in at an organization that deactivates the user meanwhile opens no session', async (t) => {
  const { email, browser, signIn, homeId } = await memberOfBoth();
  await browser.post('/api/auth/sign-out');
  const sessions = await holdSessions(t);
  const signedIn = signIn();
  await sessions.isWaitedFor();
  const deactivated = adminOf(home).patch(`/v1/users/${homeId}`, { active: false });
  await sessions.isWaitedFor(2);
  await sessions.release();
  t.is((await deactivated).status, 200);
  const { status, body } = await signedIn;
  t.is(status, 403);
  t.is(body.error, 'forbidden');
  t.is(await sessionsOf(email), 0);
});

test.serial('single sign-on at an organization that deactivates the user meanwhile opens no session', async (t) => {
  count += 1;
  const email = `member-${count}@example.test`;
  microsoft.claims = { oid: randomUUID(), name: 'M', email, xms_edov: true };
  const id = await auth.createUser({ email, orgId: home, role: 'org_admin' });
  const portal = `${auth.url}/portals/admin/api/auth/callback`;
  const [first, browser] = [auth.browser(), auth.browser()];
  const token = new URL((await signOn(first, portal)).location ?? '').searchParams.get('token');
  t.truthy(token);
  await first.post('/api/auth/sign-out');
  const back = await goToProvider(browser, portal);
  const sessions = await holdSessions(t);
  const signedOn = browser.get(back);
  await sessions.isWaitedFor();
  await auth.sql.query('update auth.users set active = false where id = $1', [id]);
  await sessions.release();
  t.is(new URL((await signedOn).location ?? '').searchParams.get('error'), 'forbidden');
  t.is(await sessionsOf(email), 0);
});

test.serial('a session that moves while its target is deactivated never acts there', async (t) => {
  const { browser, homeId, secondId } = await memberOfBoth();
  const sessions = await holdSessions(t);
  const moved = browser.post('/api/auth/switch', { orgId: second });
  await sessions.isWaitedFor();
  const deactivated = adminOf(second).patch(`/v1/users/${secondId}`, { active: false });
  await sessions.isWaitedFor(2);
  await sessions.release();
  t.is((await deactivated).status, 200);
  t.true([200, 404].includes((await moved).status));
  await adminOf(second).patch(`/v1/users/${secondId}`, { active: true });
  const { status, body } = await browser.get('/api/auth/get-session');
  t.true(status === 401 || body.user.id === homeId);
});

type Member = Awaited<ReturnType<typeof memberOfBoth>>;

/** Changes to a person's memberships or sessions; `reach` provides what each needs beforehand. */
const CHANGES: Record<
  string,
  { reach?: (of: Member) => Promise<string>; send: (of: Member, token: string) => unknown }
> = {
  'giving a role of the platform': { send: ({ homeId }) => patch(homeId, { role: 'platform_operator' }) },
  'a deactivation': { send: ({ homeId }) => patch(homeId, { active: false }) },
  'a new password': { reach: ({ email }) => passwordLinkOf(email), send: (_, token) => setPassword(token) },
  'an invitation that is accepted by a password': { reach: offerTo, send: (_, token) => setPassword(token) },
  'an invitation that is accepted signed in': {
    reach: offerTo,
    send: ({ browser }, token) => browser.post('/api/auth/accept-invitation', { token }),
  },
  'a switch': { send: ({ browser }) => browser.post('/api/auth/switch', { orgId: second }) },
  'a sign-in': { send: ({ signIn }) => signIn() },
};

const setPassword = (token: string) =>
  auth.browser().post('/api/auth/reset-password', { token, newPassword: NEW_PASSWORD });
const patch = (id: string, changes: object) =>
  platform.as('superadmin').patch(`/v1/users/${id}`, changes, { query: { orgId: home } });

async function offerTo({ email }: Member): Promise<string> {
  const { token } = await auth.invite({ email, orgId: await auth.createOrg(), role: 'auditor' });
  return token;
}

for (const [name, { reach, send }] of Object.entries(CHANGES)) {
  test.serial(`${name} waits for the person and holds none of their rows yet`, async (t) => {
    const member = await memberOfBoth();
    const token = (await reach?.(member)) ?? '';
    const person = await holdRow(platform.testDatabase.ownerUrl, 'auth.people', 'email = $1', member.email);
    t.teardown(() => person.release().catch(() => {}));
    const answer = send(member, token);
    await person.isWaitedFor();
    const [users, sessions] = ['email = $1', 'person_id = (select id from auth.people where email = $1)'];
    for (const rows of [`auth.users where ${users}`, `auth.sessions where ${sessions}`]) {
      await t.notThrowsAsync(person.change(`select from ${rows} for update nowait`, [member.email]));
    }
    await person.release();
    t.true(((await answer) as { status: number }).status < 500);
  });
}
