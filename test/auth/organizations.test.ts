// One person in several organizations: each has its own role, its own deactivation and its own tokens.
import test from 'ava';
import { decodeJwt } from 'jose';
import { newId } from '../../db/ids.ts';
import { organizationUuid } from '../../domain/ids.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';
import { type AuthUnderTest, runAuth } from './run-auth.ts';

const PASSWORD = 'correct horse battery staple';
let auth: AuthUnderTest;
let platform: Platform;
let home: string;
let second: string;
let aheadMs = 0;
let count = 0;

test.before(async (t) => {
  platform = await startPlatform(t, { worker: false, now: () => Date.now() + aheadMs });
  auth = await runAuth({}, { database: platform.testDatabase });
  home = platform.orgId;
  second = await auth.createOrg();
});
test.after.always(() => auth?.close());

/** Signs in a user who is an underwriter in one organization and an auditor in the other. */
async function memberOfBoth() {
  count += 1;
  const email = `member-${count}@example.test`;
  const [first, other] = [
    await auth.invite({ email, orgId: home, role: 'underwriter' }),
    await auth.invite({ email, orgId: second, role: 'auditor' }),
  ];
  const browser = auth.browser();
  await browser.post('/api/auth/reset-password', { token: first.token, newPassword: PASSWORD });
  await browser.post('/api/auth/sign-in/email', { email, password: PASSWORD });
  const accepted = await browser.post('/api/auth/accept-invitation', { token: other.token });
  await browser.post('/api/auth/switch', { orgId: home });
  const { body } = await browser.get('/api/auth/get-session');
  const secondToken = accepted.body.token as string;
  return {
    email,
    browser,
    homeId: first.id,
    secondId: other.id,
    session: body.session,
    token: body.token,
    secondToken,
  };
}
const exchange = (credential: string) =>
  platform.anonymous.post('/auth/session-exchange', undefined, { headers: { authorization: `Bearer ${credential}` } });
const reads = async (credential: string) =>
  (await platform.as({ credential }).get('/v1/policies', { query: {} })).status;

test.serial(
  'switching moves the session: its responses, its tokens and its exchange belong to the other organization',
  async (t) => {
    const { email, browser, homeId, secondId, session } = await memberOfBoth();
    for (const [orgId, id, role] of [
      [second, secondId, 'auditor'],
      [organizationUuid(home), homeId, 'underwriter'],
      [second, secondId, 'auditor'],
      [home, homeId, 'underwriter'],
    ] as const) {
      const page = await browser.post('/api/auth/switch', { orgId });
      t.is(page.status, 200);
      t.deepEqual(Object.keys(page.body).sort(), ['session', 'token', 'user']);
      t.is(page.body.session.id, session.id);
      t.like(page.body.user, { id, email, role });
      t.like(decodeJwt(page.body.token), { sub: id, role, sid: session.id, org: page.body.user.orgId });
      t.like((await browser.get('/api/auth/get-session')).body.user, { id, role });
      const exchanged = await exchange(page.body.session.token);
      t.like(decodeJwt(exchanged.body.token), { sub: id, org: page.body.user.orgId, role });
      t.is(await reads(page.body.token), 200);
    }
    const again = await auth.browser().post('/api/auth/sign-in/email', { email, password: PASSWORD });
    t.is(again.body.user.orgId, home, 'the last used');
  },
);

test.serial(
  'the list names every organization of the person with the role, and which the session acts in',
  async (t) => {
    const { browser, homeId, secondId } = await memberOfBoth();
    const { status, body } = await browser.get('/api/auth/organizations');
    t.is(status, 200);
    t.deepEqual(
      body.data.map(({ name, ...rest }: Record<string, unknown>) => rest),
      [
        { orgId: home, role: 'underwriter', userId: homeId, current: true },
        { orgId: second, role: 'auditor', userId: secondId, current: false },
      ],
    );
    t.true(body.data.every(({ name }: { name: string }) => name.length > 0));
    t.is((await auth.browser().get('/api/auth/organizations')).status, 401);
  },
);

test.serial(
  'an organization that is unknown, foreign, or only offered is 404 alike, and the session stays',
  async (t) => {
    const { email, browser, homeId } = await memberOfBoth();
    const offering = await auth.createOrg();
    await auth.invite({ email, orgId: offering, role: 'auditor' });
    for (const orgId of [newId('organization'), await auth.createOrg(), offering, 'org_nonsense', 'platform']) {
      const page = await browser.post('/api/auth/switch', { orgId });
      t.is(page.status, 404, orgId);
      t.is(page.body.error, 'not_found');
    }
    t.is((await browser.post('/api/auth/switch', {})).status, 400);
    t.is((await auth.browser().post('/api/auth/switch', { orgId: home })).status, 401);
    t.is((await browser.get('/api/auth/get-session')).body.user.id, homeId);
  },
);

test.serial('a person deactivated in one organization is out of it within 30 seconds, and of no other', async (t) => {
  const { email, browser, homeId, secondId, token, secondToken } = await memberOfBoth();
  const admin = platform.as({ role: 'org_admin', org: second });
  const lastThere = auth.browser();
  await lastThere.post('/api/auth/sign-in/email', { email, password: PASSWORD });
  t.is((await lastThere.post('/api/auth/switch', { orgId: second })).status, 200);
  t.is((await admin.patch(`/v1/users/${homeId}`, { active: false })).status, 404);
  t.is((await admin.patch(`/v1/users/${secondId}`, { active: false })).status, 200);
  aheadMs += 30_000;
  t.is(await reads(secondToken), 401);
  t.is(await reads(token), 200);
  t.is((await browser.get('/api/auth/get-session')).body.user.id, homeId);
  t.is((await browser.post('/api/auth/switch', { orgId: second })).status, 404);
  t.deepEqual(
    (await browser.get('/api/auth/organizations')).body.data.map(({ orgId }: { orgId: string }) => orgId),
    [home],
  );
  const again = await auth.browser().post('/api/auth/sign-in/email', { email, password: PASSWORD });
  t.like(again.body.user, { id: homeId, orgId: home });
});

test.serial('sessions that act in the organization of a deactivated user end, and cannot be exchanged', async (t) => {
  const { browser, secondId, session } = await memberOfBoth();
  await browser.post('/api/auth/switch', { orgId: second });
  const admin = platform.as({ role: 'org_admin', org: second });
  for (const active of [false, true]) {
    t.is((await admin.patch(`/v1/users/${secondId}`, { active })).status, 200);
    t.is((await browser.get('/api/auth/get-session')).status, 401, `active: ${active}`);
    t.is((await browser.post('/api/auth/switch', { orgId: home })).status, 401);
    t.is((await exchange(session.token)).status, 401);
  }
});

test.serial('a change of role in one organization leaves role and tokens of the other', async (t) => {
  const { browser, secondId, token } = await memberOfBoth();
  await platform.as({ role: 'org_admin', org: second }).patch(`/v1/users/${secondId}`, { role: 'org_admin' });
  aheadMs += 30_000;
  t.is(await reads(token), 200);
  t.is((await browser.get('/api/auth/get-session')).body.user.role, 'underwriter');
});

test.serial('switching ends no token: neither of the session that moves nor of another one', async (t) => {
  const { email, browser, homeId, token } = await memberOfBoth();
  const other = auth.browser();
  const opened = (await other.post('/api/auth/sign-in/email', { email, password: PASSWORD })).body;
  t.is(opened.user.id, homeId);
  const switched = (await browser.post('/api/auth/switch', { orgId: second })).body;
  aheadMs += 30_000;
  for (const each of [token, opened.token, switched.token]) t.is(await reads(each), 200);
  t.is((await other.get('/api/auth/get-session')).body.user.id, homeId);
  for (const each of [opened.token, opened.session.token]) {
    t.like(decodeJwt((await exchange(each)).body.token), { sub: homeId, org: home, role: 'underwriter' });
  }
});

test.serial('relations of one organization mean nothing in the other', async (t) => {
  const { homeId, secondId } = await memberOfBoth();
  const limits = { maxLimit: 100_000, maxPremium: 1_000 };
  const admin = platform.as({ role: 'org_admin', org: home });
  t.is((await admin.put(`/v1/users/${homeId}/authority`, limits)).status, 200);
  t.is((await admin.put(`/v1/users/${secondId}/authority`, limits)).status, 404);
  const { rows } = await auth.sql.query('select org_id, subject_id from relations where subject_id = any ($1)', [
    [homeId, secondId],
  ]);
  t.deepEqual(rows, [{ org_id: home, subject_id: homeId }]);
});
