// An organization's users: invited, changed and limited by its administrators, and by no one else.
import { spawn } from 'node:child_process';
import test from 'ava';
import { newId } from '../../db/ids.ts';
import { createMail } from '../../providers/mail.ts';
import { collect } from '../scripts/run-script.ts';
import { eventually } from '../support/eventually.ts';
import { startPlatform } from '../support/platform.ts';
import { type Platform, runPlatform } from '../support/run-platform.ts';
import { type SmtpServer, startSmtpServer } from '../support/servers/smtp.ts';
import { type AuthUnderTest, runAuth } from './run-auth.ts';

const PASSWORD = 'correct horse battery staple';
let auth: AuthUnderTest;
let platform: Platform;
let count = 0;
const someone = () => {
  count += 1;
  return `someone-${count}@example.test`;
};

test.before(async (t) => {
  platform = await startPlatform(t, { worker: false });
  auth = await runAuth(
    { ENVIRONMENT: 'production', AUTH_URL: 'https://auth.test' },
    { database: platform.testDatabase },
  );
});
test.after.always(() => auth?.close());

const admin = () => platform.as('org_admin');
const mailsTo = (email: string) => platform.mails.filter(({ to }) => to === email);
const tokenSentTo = (email: string) =>
  eventually(
    () => {
      const mail = platform.mails.find(({ to }) => to === email);
      return mail && /^Token: (\S+)$/m.exec(mail.text)?.[1];
    },
    { what: 'the mail' },
  );
const signIn = (email: string, password = PASSWORD) =>
  auth.browser().post('/api/auth/sign-in/email', { email, password });

test('an invited user sets a password by the e-mailed link and signs in with the role', async (t) => {
  const email = someone();
  const { status, body, headers } = await admin().post('/v1/users', {
    email: email.toUpperCase(),
    role: 'underwriter',
  });
  t.is(status, 201);
  t.like(body, { email, role: 'underwriter', active: true, origin: 'invited', orgId: platform.orgId, producerIds: [] });
  t.truthy(headers.get('etag'));
  t.is((await signIn(email)).status, 401);
  const token = await tokenSentTo(email);
  t.is((await auth.browser().post('/api/auth/reset-password', { token, newPassword: PASSWORD })).status, 200);
  t.like((await signIn(email)).body.user, { id: body.id, role: 'underwriter', orgId: platform.orgId });
});

test('an invitation says whether its e-mail was sent, and is sent again after it was taken back', async (t) => {
  const email = someone();
  const [first, pending] = [
    await admin().post('/v1/users', { email, role: 'org_admin' }),
    await admin().post('/v1/users', { email, role: 'org_admin' }),
  ];
  t.deepEqual([first.status, first.body.invitationSent, pending.status], [201, true, 409]);
  const earlier = await tokenSentTo(email);
  t.is((await admin().patch(`/v1/users/${first.body.id}`, { active: false })).status, 200);
  t.is((await admin().post('/v1/users', { email, role: 'org_admin' })).status, 201);
  const accept = (token: string) => auth.browser().post('/api/auth/reset-password', { token, newPassword: PASSWORD });
  t.is((await accept(earlier)).status, 401);
  const later = await eventually(() => mailsTo(email)[1], { what: 'the second mail' });
  t.is((await accept(/^Token: (\S+)$/m.exec(later.text)?.[1] ?? '')).status, 200);
});

/** Runs a platform whose API sends its e-mails through this server. */
async function mailingThrough(server: SmtpServer, work: (mailing: Platform) => Promise<void>): Promise<void> {
  const settings = { mailFrom: 'no-reply@bindery.test', emailProvider: { apiKey: null, baseUrl: server.url } };
  const apiMail = createMail({ smtpUrl: server.url, ...settings, dataDir: '' });
  const mailing = await runPlatform({ worker: false, apiMail, database: platform.testDatabase });
  try {
    await work(mailing);
  } finally {
    await server.close();
    await mailing.close();
  }
}

test('an invitation returns within a few seconds while the mail server hangs, and says that it was not sent', async (t) => {
  const server = await startSmtpServer({ isSilent: true });
  await mailingThrough(server, async (mailing) => {
    const invited = await mailing.as('org_admin').post('/v1/users', { email: someone(), role: 'auditor' });
    t.like(invited, { status: 201, body: { invitationSent: false } });
    t.is(server.connections(), 1, 'the server itself is given ten seconds, which are not over');
  });
});

test('create-admin ends with an error while the mail server refuses, says how to go on, and sends again afterwards', async (t) => {
  const email = someone();
  const replies: Record<string, string> = { MAIL: '550 5.7.1 you may not write here' };
  const server = await startSmtpServer({ replies });
  await mailingThrough(server, async (mailing) => {
    const { port } = new URL(mailing.url);
    const env = { ...process.env, PORT: port, API_SECRET: mailing.config.apiSecret ?? '', ENVIRONMENT: 'local' };
    const args = ['scripts/admin.ts', 'create-admin', email, '--org', mailing.orgId];
    const create = () => collect(spawn(process.execPath, args, { env }));
    const refused = await create();
    t.is(refused.code, 1);
    t.is(refused.stdout, '');
    t.regex(refused.stderr, /^usr_\w+ {2}.*\nNOT SENT: .*SMTP_URL.*same command again.*DATA_DIR/s);
    delete replies.MAIL;
    const sent = await create();
    t.deepEqual([sent.code, sent.stderr], [0, '']);
    t.regex(sent.stdout, /an invitation is on its way/);
    t.regex(server.received.join(''), new RegExp(`RCPT TO:<${email}>`));
  });
});

test('an organization invites an address once, even in ten simultaneous calls; another one may invite it as well', async (t) => {
  const email = someone();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => admin().post('/v1/users', { email, role: 'auditor' })),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
  const elsewhere = platform.as({ role: 'org_admin', org: await platform.createOrg() });
  t.is((await elsewhere.post('/v1/users', { email, role: 'auditor' })).status, 201);
});

test('accepting an invitation ends the password that anybody could have signed up with', async (t) => {
  const email = someone();
  await auth.browser().post('/api/auth/sign-up/email', { email, password: PASSWORD });
  t.is((await signIn(email)).status, 403);
  const { status, body } = await admin().post('/v1/users', { email, role: 'auditor' });
  t.is(status, 201);
  t.is((await signIn(email)).status, 403, 'an offer opens nothing');
  const token = await tokenSentTo(email);
  const newPassword = 'another horse battery staple';
  t.is((await auth.browser().post('/api/auth/reset-password', { token, newPassword })).status, 200);
  t.is((await signIn(email)).status, 401);
  t.is((await signIn(email, newPassword)).body.user.id, body.id);
});

test("a producer's user is a member of the producer, and sees its policies", async (t) => {
  const producerId = newId('producer');
  await auth.sql.query(`insert into producers (id, org_id, name, status) values ($1, $2, 'P', 'active')`, [
    producerId,
    platform.orgId,
  ]);
  const { body } = await admin().post('/v1/users', { email: someone(), role: 'producer', producerId });
  t.deepEqual(body.producerIds, [producerId]);
  const unknown = await admin().post('/v1/users', {
    email: someone(),
    role: 'producer',
    producerId: newId('producer'),
  });
  t.like(unknown.body.details, { field: 'producerId', rule: 'unknown_reference' });
  const odd = await admin().post('/v1/users', { email: someone(), role: 'auditor', producerId });
  t.is(odd.status, 400);
});

test('a body that breaks the rules is refused', async (t) => {
  const cases: [object, string, string][] = [
    [{ role: 'auditor' }, 'email', 'required'],
    [{ email: 'nobody', role: 'auditor' }, 'email', 'format'],
    [{ email: someone(), role: 'policyholder' }, 'role', 'enum'],
    [{ email: someone(), role: 'auditor', orgId: 'x' }, 'orgId', 'unknown_field'],
  ];
  for (const [body, field, rule] of cases) {
    const { status, body: answer } = await admin().post('/v1/users', body);
    t.is(status, 400);
    t.like(answer.details, { field, rule });
  }
});

test('only the platform gives, changes or takes away roles of the platform, and nobody changes their own row', async (t) => {
  const email = someone();
  for (const role of ['superadmin', 'platform_operator']) {
    t.is((await admin().post('/v1/users', { email: someone(), role })).status, 403);
  }
  const { body } = await platform.as('superadmin').post('/v1/users', { email, role: 'platform_operator' });
  t.is(body.role, 'platform_operator');
  t.is((await admin().patch(`/v1/users/${body.id}`, { active: false })).status, 403);
  const plain = await admin().post('/v1/users', { email: someone(), role: 'org_admin' });
  t.is((await admin().patch(`/v1/users/${plain.body.id}`, { role: 'superadmin' })).status, 403);
  const self = platform.as({ role: 'org_admin', sub: plain.body.id });
  t.is((await self.patch(`/v1/users/${plain.body.id}`, { role: 'auditor' })).status, 403);
});

test('two administrators cannot demote each other at the same time: the organization keeps one', async (t) => {
  const orgId = await platform.createOrg();
  const facts = { orgId, role: 'org_admin', origin: 'seeded' } as const;
  const first = await auth.createUser({ ...facts, email: someone() });
  const second = await auth.createUser({ ...facts, email: someone() });
  const attack = (sub: string, other: string) =>
    platform.as({ role: 'org_admin', org: orgId, sub }).patch(`/v1/users/${other}`, { role: 'auditor' });
  const answers = await Promise.all([attack(first, second), attack(second, first)]);
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 403], answers.map(({ text }) => text).join());
  const { body } = await platform.as({ role: 'auditor', org: orgId }).get('/v1/users?role=org_admin');
  t.is(body.data.length, 1);
});

test('users are administered by org_admin, read by auditors, and closed to keys and everybody else', async (t) => {
  const { body } = await admin().post('/v1/users', { email: someone(), role: 'auditor' });
  const { body: key } = await admin().post('/v1/api-keys', { name: 'k', scopes: ['*'] });
  for (const [caller, reads, writes] of [
    ['auditor', 200, 403],
    ['underwriter', 403, 403],
    ['platform_operator', 403, 403],
    [{ apiKey: key.key }, 403, 403],
  ] as const) {
    const client = platform.as(caller);
    t.is((await client.get('/v1/users')).status, reads);
    t.is((await client.post('/v1/users', { email: someone(), role: 'auditor' })).status, writes);
    t.is((await client.patch(`/v1/users/${body.id}`, { active: false })).status, writes);
    t.is((await client.put(`/v1/users/${body.id}/authority`, { maxLimit: 1, maxPremium: 1 })).status, writes);
  }
  const elsewhere = platform.as({ role: 'org_admin', org: await platform.createOrg() });
  t.is((await elsewhere.patch(`/v1/users/${body.id}`, { active: false })).status, 404);
  t.is((await elsewhere.get(`/v1/users/${body.id}/authority`)).status, 404);
  t.deepEqual((await elsewhere.get('/v1/users')).body.data, []);
});

test('the list has pages and filters', async (t) => {
  const org = await platform.createOrg();
  const client = platform.as({ role: 'org_admin', org });
  for (const role of ['auditor', 'auditor', 'underwriter']) await client.post('/v1/users', { email: someone(), role });
  const first = await client.get('/v1/users', { query: { limit: 2 } });
  t.is(first.body.data.length, 2);
  const second = await client.get('/v1/users', { query: { limit: 2, cursor: first.body.nextCursor } });
  t.is(second.body.data.length, 1);
  t.is(second.body.nextCursor, null);
  t.is((await client.get('/v1/users', { query: { role: 'auditor' } })).body.data.length, 2);
  t.is((await client.get('/v1/users', { query: { active: false } })).body.data.length, 0);
  t.is((await client.get('/v1/users', { query: { q: first.body.data[0].email } })).body.data.length, 1);
});

test('a change needs the version the caller has seen, when they name one', async (t) => {
  const made = await admin().post('/v1/users', { email: someone(), role: 'auditor' });
  const change = (etag: string) =>
    admin().patch(`/v1/users/${made.body.id}`, { role: 'underwriter' }, { headers: { 'if-match': etag } });
  const etag = made.headers.get('etag') ?? '';
  t.is((await change(etag)).status, 200);
  t.is((await change(etag)).status, 412);
});

test('a change of role is in the audit with before and after', async (t) => {
  const { body } = await admin().post('/v1/users', { email: someone(), role: 'auditor' });
  await admin().patch(`/v1/users/${body.id}`, { role: 'underwriter' });
  const { rows } = await auth.sql.query(
    `select changes from audit_entries where entity_id = $1 and action = 'user:update'`,
    [body.id],
  );
  t.deepEqual(rows, [{ changes: { role: { before: 'auditor', after: 'underwriter' } } }]);
});

test("a user has the contract's limits until they are given their own, which never exceed it", async (t) => {
  const { body } = await admin().post('/v1/users', { email: someone(), role: 'underwriter' });
  const path = `/v1/users/${body.id}/authority`;
  const inherited = await admin().get(path);
  t.true(inherited.body.inherited);
  const { maxLimit, maxPremium } = inherited.body;
  const own = { maxLimit: maxLimit / 2, maxPremium: maxPremium / 2, linesOfBusiness: ['GL'] };
  const set = await admin().put(path, own);
  t.is(set.status, 200);
  t.like(set.body, { ...own, inherited: false });
  t.like((await admin().get(path)).body, { ...own, inherited: false });
  for (const excess of [{ maxLimit: maxLimit + 0.01 }, { maxPremium: maxPremium + 0.01 }]) {
    const refused = await admin().put(path, { ...own, ...excess });
    t.is(refused.status, 422);
    t.is(refused.body.error, 'delegated_authority_exceeded');
    t.is(refused.body.details.daFlags.length, 1);
  }
  t.is((await admin().put(path, { ...own, maxLimit: 1.001 })).status, 400);
  t.is((await admin().put(path, { ...own, linesOfBusiness: ['XX'] })).status, 400);
  t.is((await admin().put(path, { ...own, maxLimit, maxPremium })).status, 200);
});

test('If-Match never replaces limits that somebody else has given since they were read', async (t) => {
  const { body } = await admin().post('/v1/users', { email: someone(), role: 'underwriter' });
  const path = `/v1/users/${body.id}/authority`;
  const tagOf = async () => ({ 'If-Match': (await admin().get(path)).headers.get('etag') ?? '' });
  const limits = (maxLimit: number) => ({ maxLimit, maxPremium: 1_000 });
  const inherited = await tagOf();
  const first = await admin().put(path, limits(100_000), { headers: inherited });
  t.is(first.status, 200);
  t.is(first.headers.get('etag'), (await tagOf())['If-Match']);
  for (const headers of [inherited, { 'If-Match': `"${body.id}.1"` }]) {
    for (const limit of [200_000, 1_000_000_000]) {
      t.is((await admin().put(path, limits(limit), { headers })).body.error, 'precondition_failed', `${limit}`);
    }
  }
  t.is((await admin().put(path, limits(300_000), { headers: await tagOf() })).status, 200);
  t.is((await admin().get(path)).body.maxLimit, 300_000);
});
