// An invitation is an offer: it admits no one by itself, says nothing about other organizations, and becomes a
// membership only when its e-mailed token comes back from a person who proves the address.
import test from 'ava';
import { decodeJwt } from 'jose';
import { eventually } from '../support/eventually.ts';
import { holdRow } from '../support/held-row.ts';
import { bodyOf } from '../support/house.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';
import type { Browser, Page } from './browser.ts';
import { type AuthUnderTest, runAuth } from './run-auth.ts';

const PASSWORD = 'correct horse battery staple';
const NEW_PASSWORD = 'another horse battery staple';
let auth: AuthUnderTest;
let platform: Platform;
let otherOrg: string;
let listingOrg: string;
let count = 0;
const someone = (domain = 'example.test') => {
  count += 1;
  return `someone-${count}@${domain}`;
};

test.before(async (t) => {
  platform = await startPlatform(t, { worker: false });
  const variables = { ENVIRONMENT: 'production', AUTH_URL: 'https://auth.test' };
  auth = await runAuth(variables, { database: platform.testDatabase });
  otherOrg = await auth.createOrg();
  listingOrg = await auth.createOrg({ emailDomains: ['Corp.Test'] });
});
test.after.always(() => auth?.close());

const adminOf = (org: string) => platform.as({ role: 'org_admin', org });
const invite = (org: string, email: string, role = 'auditor') => adminOf(org).post('/v1/users', { email, role });
const tokenSentTo = (email: string, nth = 0) =>
  eventually(
    () => {
      const mail = platform.mails.filter(({ to }) => to === email)[nth];
      return mail && /^Token: (\S+)$/m.exec(mail.text)?.[1];
    },
    { what: 'the mail' },
  );
const signIn = (email: string, password = PASSWORD, browser = auth.browser()) =>
  browser.post('/api/auth/sign-in/email', { email, password });
const setPassword = (token: string, newPassword = PASSWORD) =>
  auth.browser().post('/api/auth/reset-password', { token, newPassword });
const accept = (browser: Browser, token: string) => browser.post('/api/auth/accept-invitation', { token });
const organizationsOf = async (browser: Browser) =>
  (await browser.get('/api/auth/organizations')).body.data as Record<string, unknown>[];
const usersOf = async (org: string, email: string) =>
  (await adminOf(org).get('/v1/users', { query: { q: email } })).body.data as Record<string, unknown>[];

/** Adds a person who accepted an invitation, thereby proving the address, and is signed in. */
async function memberOf(org: string, role = 'underwriter') {
  const email = someone();
  const { id, token } = await auth.invite({ email, orgId: org, role });
  await setPassword(token);
  const browser = auth.browser();
  const { body } = await signIn(email, PASSWORD, browser);
  return { email, id, browser, body };
}

test('an organization that invites a member of another one does not take the member over', async (t) => {
  const { email, browser, body } = await memberOf(otherOrg);
  t.is((await invite(platform.orgId, email, 'org_admin')).status, 201);
  const again = await signIn(email);
  t.deepEqual(again.body.user, body.user);
  t.is((await browser.get('/api/auth/get-session')).status, 200);
  t.deepEqual(await organizationsOf(browser), [
    { orgId: otherOrg, name: 'Test organization', role: 'underwriter', userId: body.user.id, current: true },
  ]);
});

test('a user that the platform has promoted is not taken over by an invitation, however they signed up', async (t) => {
  for (const role of ['superadmin', 'platform_operator']) {
    const email = someone();
    const id = await auth.createUser({ email, orgId: otherOrg, role, origin: 'self_registered' });
    t.is((await invite(otherOrg, email)).status, 409, role);
    t.like(await usersOf(otherOrg, email), [{ id, role, status: 'active' }]);
  }
  const email = someone();
  await auth.createUser({ email, orgId: otherOrg, role: 'producer', origin: 'self_registered' });
  t.is((await invite(otherOrg, email)).status, 201, 'who only signed up is');
});

test('the response is the same for an address known elsewhere, as member or as invited, and for a new one', async (t) => {
  const { email: member } = await memberOf(otherOrg);
  const invited = someone();
  await invite(otherOrg, invited);
  const signedUp = someone();
  await auth.browser().post('/api/auth/sign-up/email', { email: signedUp, password: PASSWORD });
  const fresh = someone();
  const answers = [];
  for (const email of [fresh, member, invited, signedUp]) {
    const { status, body } = await invite(platform.orgId, email);
    t.regex(body.id, /^usr_/);
    const listed = await usersOf(platform.orgId, email);
    answers.push({ status, body: masked(body), listed: listed.map(masked) });
  }
  for (const answer of answers) t.deepEqual(answer, answers[0]);
  const mails = await Promise.all(
    [fresh, member, invited, signedUp].map(async (email) => {
      const token = await tokenSentTo(email, email === invited ? 1 : 0);
      const mail = platform.mails.find(({ to, text }) => to === email && text.includes(token));
      return { subject: mail?.subject, text: mail?.text.replace(token, '') };
    }),
  );
  for (const mail of mails) t.deepEqual(mail, mails[0]);
});

test('an invitation names the organization, and the inviter where their name is on file', async (t) => {
  const admin = await memberOf(platform.orgId, 'org_admin');
  const { name } = bodyOf(await platform.as('machine').get(`/v1/organizations/${platform.orgId}`));
  const email = someone();
  const inviter = platform.as({ credential: admin.body.token });
  bodyOf(await inviter.post('/v1/users', { email, role: 'auditor', name: 'Ann' }), 201);
  await tokenSentTo(email);
  const mail = platform.mails.find(({ to }) => to === email);
  t.is(mail?.subject, `You have been invited to ${name} on Bindery`);
  t.true(mail?.text.startsWith(`${admin.email} has invited you to ${name} on Bindery.`), mail?.text);
});

const masked = (user: Record<string, unknown>) => ({
  ...user,
  ...{ id: '', email: '', name: '', createdAt: '', updatedAt: '' },
});

test('an address of a domain that another organization lists is refused, and nothing is left of it', async (t) => {
  for (const email of [someone('corp.test'), someone('CORP.Test')]) {
    const { status, body } = await invite(platform.orgId, email);
    t.is(status, 400);
    t.is(body.error, 'validation_failed');
    t.is(body.details.field, 'email');
    t.deepEqual(await usersOf(platform.orgId, email), []);
  }
  t.is((await invite(listingOrg, someone('corp.test'))).status, 201);
  t.is((await invite(platform.orgId, someone('sub.corp.test'))).status, 201);
});

test('an invitation can no longer be accepted once another organization lists the domain', async (t) => {
  const [byPassword, signedIn] = [someone('later.test'), someone('later.test')];
  const first = await auth.invite({ email: byPassword, orgId: otherOrg, role: 'auditor' });
  const own = await auth.invite({ email: signedIn, orgId: platform.orgId, role: 'auditor' });
  await setPassword(own.token);
  const browser = auth.browser();
  await signIn(signedIn, PASSWORD, browser);
  const second = await auth.invite({ email: signedIn, orgId: otherOrg, role: 'auditor' });
  await auth.createOrg({ emailDomains: ['later.test'] });
  t.is((await setPassword(first.token)).status, 401);
  t.is((await signIn(byPassword)).status, 401);
  t.is((await accept(browser, second.token)).status, 404);
});

test('an invited user is listed as invited until they accept, and stays the same user', async (t) => {
  const email = someone();
  const { body } = await invite(platform.orgId, email, 'underwriter');
  t.like(body, { status: 'invited', active: true, emailVerified: false });
  t.like((await usersOf(platform.orgId, email))[0], { id: body.id, status: 'invited' });
  await adminOf(platform.orgId).patch(`/v1/users/${body.id}`, { role: 'auditor' });
  await setPassword(await tokenSentTo(email));
  t.like((await usersOf(platform.orgId, email))[0], {
    ...{ id: body.id, status: 'active', role: 'auditor', origin: 'invited', emailVerified: true },
  });
  t.like((await signIn(email)).body.user, { id: body.id, role: 'auditor' });
  for (const [status, found] of [
    ['invited', 0],
    ['active', 1],
    ['deactivated', 0],
  ] as const) {
    const { body: page } = await adminOf(platform.orgId).get('/v1/users', { query: { q: email, status } });
    t.is(page.data.length, found, status);
  }
});

test('a person signed in with the proved address accepts, and acts in that organization from then on', async (t) => {
  const { email, browser, body } = await memberOf(otherOrg);
  const offer = await invite(platform.orgId, email, 'auditor');
  const token = await tokenSentTo(email);
  const page = await accept(browser, token);
  t.is(page.status, 200);
  t.like(page.body.user, { id: offer.body.id, email, role: 'auditor', orgId: platform.orgId });
  t.like(decodeJwt(page.body.token), { sub: offer.body.id, org: platform.orgId, role: 'auditor' });
  t.true(Number(decodeJwt(page.body.token).std) > 0, 'with the membership begins a standing');
  t.is(page.body.session.id, body.session.id);
  t.is((await platform.as({ credential: page.body.token }).get('/v1/policies')).status, 200);
  t.is((await accept(browser, token)).status, 404, 'once');
  t.deepEqual(
    (await organizationsOf(browser)).map(({ orgId, current }) => ({ orgId, current })),
    [
      { orgId: platform.orgId, current: true },
      { orgId: otherOrg, current: false },
    ],
  );
  t.like((await signIn(email)).body.user, { orgId: platform.orgId }, 'the last used');
});

test('nobody accepts without a session, for another address, or before their own is proved', async (t) => {
  const email = someone();
  const { token } = await auth.invite({ email, orgId: platform.orgId, role: 'auditor' });
  t.is((await accept(auth.browser(), token)).status, 401);
  const { browser } = await memberOf(otherOrg);
  t.is((await accept(browser, token)).status, 404);
  const unproved = await memberOf(otherOrg);
  const own = await auth.invite({ email: unproved.email, orgId: platform.orgId, role: 'auditor' });
  await auth.sql.query('update auth.people set email_verified = false where email = $1', [unproved.email]);
  t.is((await accept(unproved.browser, own.token)).status, 403);
  t.is((await setPassword(token)).status, 200, 'it is still open');
});

test('an invitation that was revoked, replaced or has expired is accepted by nobody, and may be made again', async (t) => {
  const { email, browser } = await memberOf(otherOrg);
  const { body } = await invite(platform.orgId, email);
  const first = await tokenSentTo(email);
  t.is((await invite(platform.orgId, email)).status, 409);
  const admin = adminOf(platform.orgId);
  const revoked = await admin.patch(`/v1/users/${body.id}`, { active: false });
  t.like(revoked.body, { active: false, status: 'deactivated' });
  t.is((await accept(browser, first)).status, 404);
  t.is((await setPassword(first)).status, 401);
  const again = await invite(platform.orgId, email, 'underwriter');
  t.is(again.status, 201);
  t.like(again.body, { status: 'invited', role: 'underwriter' });
  const second = await tokenSentTo(email, 1);
  t.is((await accept(browser, first)).status, 404, 'the old token');
  await auth.sql.query(`update auth.users set invitation_expires_at = now() where id = $1`, [again.body.id]);
  t.is((await accept(browser, second)).status, 404, 'expired');
  t.is((await invite(platform.orgId, email)).status, 201);
  t.is((await accept(browser, await tokenSentTo(email, 2))).status, 200);
  t.is((await invite(platform.orgId, email)).status, 409, 'a member');
});

test('an invitation that is made again has none of the rights of the one before', async (t) => {
  const { rows } = await auth.sql.query(
    `insert into producers (id, org_id, name, status) values ('prd_of_invitations', $1, 'P', 'active') returning id`,
    [platform.orgId],
  );
  const email = someone();
  const admin = adminOf(platform.orgId);
  await auth.invite({ email, orgId: platform.orgId, role: 'producer' });
  const [offer] = await usersOf(platform.orgId, email);
  await auth.sql.query(
    `insert into relations (id, org_id, object_type, object_id, relation, subject_type, subject_id)
      values ('rel_of_invitations', $1, 'producer', $2, 'member', 'user', $3)`,
    [platform.orgId, rows[0].id, offer?.id],
  );
  t.deepEqual((await usersOf(platform.orgId, email))[0]?.producerIds, [rows[0].id]);
  await admin.patch(`/v1/users/${offer?.id}`, { active: false });
  await admin.post('/v1/users', { email, role: 'producer' });
  t.deepEqual((await usersOf(platform.orgId, email))[0]?.producerIds, []);
});

test('one of several simultaneous acceptances of an invitation, by any proof, succeeds', async (t) => {
  const { email, browser } = await memberOf(otherOrg);
  const atOnce = async (id: string, sends: (() => Promise<Page>)[]) => {
    const offer = await holdRow(platform.testDatabase.ownerUrl, 'auth.users', 'id = $1', id);
    t.teardown(() => offer.release().catch(() => {}));
    const answers = sends.map((send) => send());
    await offer.isWaitedFor(2);
    await offer.release();
    return (await Promise.all(answers)).map(({ status }) => status).sort();
  };
  const { id, token } = await auth.invite({ email, orgId: platform.orgId, role: 'auditor' });
  const signedIn = () => accept(browser, token);
  t.deepEqual(await atOnce(id, [signedIn, signedIn]), [200, 404]);
  const fresh = await auth.invite({ email: someone(), orgId: platform.orgId, role: 'auditor' });
  const byPassword = () => setPassword(fresh.token);
  t.deepEqual(await atOnce(fresh.id, [byPassword, byPassword, byPassword]), [200, 401, 401]);
  const either = await memberOf(otherOrg);
  const offer = await auth.invite({ email: either.email, orgId: platform.orgId, role: 'auditor' });
  const ways = [() => accept(either.browser, offer.token), () => setPassword(offer.token)];
  t.is((await atOnce(offer.id, ways)).filter((status) => status === 200).length, 1);
});

test('a member of another organization accepting by a password ends the old one, and its sessions and tokens', async (t) => {
  const { email, browser } = await memberOf(otherOrg);
  const { token } = await auth.invite({ email, orgId: platform.orgId, role: 'auditor' });
  t.is((await setPassword(token, NEW_PASSWORD)).status, 200);
  t.is((await browser.get('/api/auth/get-session')).status, 401);
  t.is((await signIn(email)).status, 401);
  const page = await signIn(email, NEW_PASSWORD);
  t.is(page.body.user.orgId, platform.orgId);
});

test('no password link is sent to an address that is only invited', async (t) => {
  const [email, known] = [someone(), (await memberOf(otherOrg)).email];
  await auth.invite({ email, orgId: platform.orgId, role: 'auditor' });
  for (const address of [email, known]) {
    const { body } = await auth.browser().post('/api/auth/request-password-reset', { email: address });
    t.is(body.sent, true);
  }
  await eventually(() => auth.mails.find(({ to }) => to === known), { what: 'the other mail' });
  t.false(auth.mails.some(({ to }) => to === email));
});

test('a role of the platform has one home: it is not joined by another membership, nor the other way round', async (t) => {
  const operator = await memberOf(otherOrg, 'platform_operator');
  const ordinary = await auth.invite({ email: operator.email, orgId: platform.orgId, role: 'auditor' });
  t.is((await accept(operator.browser, ordinary.token)).status, 403);
  const member = await memberOf(otherOrg);
  const ofPlatform = await auth.invite({ email: member.email, orgId: platform.orgId, role: 'superadmin' });
  t.is((await accept(member.browser, ofPlatform.token)).status, 403);
  await auth.sql.query(`update auth.users set role = 'auditor' where id = $1`, [ofPlatform.id]);
  t.is((await accept(member.browser, ofPlatform.token)).status, 200);
  const given = await platform
    .as('superadmin')
    .patch(`/v1/users/${ofPlatform.id}`, { role: 'platform_operator' }, { query: { orgId: platform.orgId } });
  t.is(given.status, 400);
  t.is(given.body.details.field, 'role');
});

test('accepting is in the audit of the organization that invited, and names no other', async (t) => {
  const { email, browser, id } = await memberOf(otherOrg);
  const offer = await auth.invite({ email, orgId: platform.orgId, role: 'auditor' });
  await accept(browser, offer.token);
  await browser.post('/api/auth/switch', { orgId: otherOrg });
  const { rows } = await auth.sql.query('select * from audit_entries where entity_id = any ($1) order by id', [
    [id, offer.id],
  ]);
  const actions = rows.filter(({ org_id }) => org_id === platform.orgId).map(({ action }) => action);
  t.deepEqual(actions, ['invitation:accepted', 'session:switched']);
  for (const row of rows) {
    const foreign = row.org_id === otherOrg ? [platform.orgId, offer.id] : [otherOrg, id];
    for (const name of [...foreign, email, offer.token]) t.false(JSON.stringify(row).includes(name));
  }
});
