// The audit of accounts and sessions, and that nothing happens to them without a record.
import { createHmac } from 'node:crypto';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { type AuthUnderTest, runAuth } from './run-auth.ts';

const PASSWORD = 'correct horse battery staple';
const NEW_PASSWORD = 'another horse battery staple';
const SIGNATURE = 'auth.record_audit(text, text, text, text, jsonb)';
let auth: AuthUnderTest;
let demoOrg: string;
let count = 0;
const someone = (domain = 'example.test') => {
  count += 1;
  return `someone-${count}@${domain}`;
};

test.before(async () => {
  auth = await runAuth({ ENVIRONMENT: 'local' });
  demoOrg = await auth.createOrg({ isDemo: true });
});
test.after.always(() => auth?.close());

const signUp = (email: string, browser = auth.browser()) =>
  browser.post('/api/auth/sign-up/email', { email, password: PASSWORD });
const signIn = (email: string, browser = auth.browser()) =>
  browser.post('/api/auth/sign-in/email', { email, password: PASSWORD });

interface Row {
  org_id: string;
  actor_kind: string;
  actor_id: string;
  actor_role: string;
  action: string;
  entity_type: string;
  request_id: string;
  changes: Record<string, unknown>;
}

/** A session in the audit: the HMAC of its id, which cannot be turned back into the id without the server's key. */
const nameOf = (sessionId: string) =>
  createHmac('sha256', auth.config.authSecret).update(`session:${sessionId}`).digest('hex');

/** A user's audit rows, oldest first. */
async function auditRowsOf(userId: string): Promise<Row[]> {
  const { rows } = await auth.sql.query(
    `select org_id, actor_kind, actor_id, actor_role, action, entity_type, request_id, changes
      from audit_entries where entity_id = $1 order by id`,
    [userId],
  );
  return rows;
}

const actionsOn = async (userId: string) => (await auditRowsOf(userId)).map(({ action }) => action);

async function linkSentTo(email: string): Promise<string> {
  return eventually(
    () => {
      const mail = auth.mails.find(({ to }) => to === email);
      return mail && /^Token: (\S+)$/m.exec(mail.text)?.[1];
    },
    { what: 'the mail' },
  );
}

async function passwordHashOf(userId: string): Promise<string> {
  const { rows } = await auth.sql.query(
    'select a.password from auth.accounts a join auth.users u using (person_id) where u.id = $1',
    [userId],
  );
  return rows[0]?.password;
}

/** While this is in effect, no audit row of an account can be written. */
async function withoutAudit<T>(work: () => Promise<T>): Promise<T> {
  await auth.sql.query(`revoke execute on function ${SIGNATURE} from bindery_auth`);
  try {
    return await work();
  } finally {
    await auth.sql.query(`grant execute on function ${SIGNATURE} to bindery_auth`);
  }
}

test.serial(
  'an account, each sign-in and each sign-out are recorded with the id of the request and a name of the session, and nothing private',
  async (t) => {
    const email = someone();
    const browser = auth.browser();
    const { body: signedUp } = await signUp(email, browser);
    await browser.post('/api/auth/sign-out');
    const again = await browser.post(
      '/api/auth/sign-in/email',
      { email, password: PASSWORD },
      { 'x-request-id': 'sign-in-of-test' },
    );
    const rows = await auditRowsOf(signedUp.user.id);
    const who = { org_id: demoOrg, actor_kind: 'user', actor_id: signedUp.user.id, actor_role: 'producer' };
    for (const row of rows) t.like(row, { ...who, entity_type: 'user' });
    t.deepEqual(
      rows.map(({ action, changes }) => ({ action, changes })),
      [
        {
          action: 'account:created',
          changes: {
            origin: { before: null, after: 'self_registered' },
            role: { before: null, after: 'producer' },
            orgId: { before: null, after: demoOrg },
          },
        },
        { action: 'sign_in:accepted', changes: { session: nameOf(signedUp.session.id) } },
        { action: 'sign_out:accepted', changes: { session: nameOf(signedUp.session.id) } },
        { action: 'sign_in:accepted', changes: { session: nameOf(again.body.session.id) } },
      ],
    );
    t.is(rows.at(-1)?.request_id, 'sign-in-of-test');
    t.notRegex(JSON.stringify(rows), /@example|horse|ses_/);
    t.not(nameOf(signedUp.session.id), nameOf(again.body.session.id));
  },
);

test.serial('signing out without a session is no event', async (t) => {
  const before = await auth.sql.query('select count(*) from audit_entries');
  t.is((await auth.browser().post('/api/auth/sign-out')).status, 200);
  t.deepEqual((await auth.sql.query('select count(*) from audit_entries')).rows, before.rows);
});

test.serial('joining the organization of a listed domain is recorded once, with the new role', async (t) => {
  const orgId = await auth.createOrg({ emailDomains: ['corp.test'] });
  const email = someone('corp.test');
  const { body } = await signUp(email);
  await auth.sql.query('delete from auth.users where id = $1', [body.user.id]);
  await auth.sql.query('update auth.people set email_verified = true where email = $1', [email]);
  const pages = await Promise.all([signIn(email), signIn(email)]);
  const id = pages[0]?.body.user.id;
  t.deepEqual(
    pages.map(({ status }) => status),
    [200, 200],
  );
  const [joined, ...more] = (await auditRowsOf(id)).filter(({ action }) => action === 'account:joined');
  t.deepEqual(more, []);
  t.like(joined, { org_id: orgId, actor_role: 'underwriter' });
  t.deepEqual(joined?.changes, {
    role: { before: null, after: 'underwriter' },
    orgId: { before: null, after: orgId },
    origin: { before: null, after: 'domain' },
  });
});

test.serial('an account that cannot be recorded is not made', async (t) => {
  const email = someone();
  t.is((await withoutAudit(() => signUp(email))).status, 500);
  const { rowCount } = await auth.sql.query('select from auth.people where email = $1', [email]);
  t.is(rowCount, 0);
  t.is((await signUp(email)).status, 201);
});

test.serial(
  'a session that cannot be recorded is not opened, and one whose end cannot be recorded lives on',
  async (t) => {
    const email = someone();
    const browser = auth.browser();
    const { body } = await signUp(email, browser);
    const sessions = async () =>
      (await auth.sql.query('select id from auth.sessions where user_id = $1', [body.user.id])).rows;
    const refused = await withoutAudit(() => signIn(email));
    t.is(refused.status, 500);
    t.deepEqual(refused.setCookies, []);
    t.deepEqual(await sessions(), [{ id: body.session.id }]);
    t.is((await withoutAudit(() => browser.post('/api/auth/sign-out'))).status, 500);
    t.deepEqual(await sessions(), [{ id: body.session.id }]);
    t.is((await browser.get('/api/auth/get-session')).status, 200);
  },
);

test.serial('a password whose change cannot be recorded stays, and one that is changed is recorded', async (t) => {
  const email = someone();
  const { body } = await signUp(email);
  const before = await passwordHashOf(body.user.id);
  const reset = async () => {
    await auth.browser().post('/api/auth/request-password-reset', { email });
    const token = await linkSentTo(email);
    auth.mails.length = 0;
    return token;
  };
  const useLink = (token: string) =>
    auth.browser().post('/api/auth/reset-password', { token, newPassword: NEW_PASSWORD });
  const first = await reset();
  t.is((await withoutAudit(() => useLink(first))).status, 500);
  t.is(await passwordHashOf(body.user.id), before);
  t.is((await useLink(await reset())).status, 200);
  t.not(await passwordHashOf(body.user.id), before);
  t.deepEqual(await actionsOn(body.user.id), ['account:created', 'sign_in:accepted', 'password:reset']);
});

test.serial(
  'the service can speak of a user in their own name alone: organization and role come from their row',
  async (t) => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: auth.config.databaseAuthUrl });
    await client.connect();
    t.teardown(() => client.end());
    await t.throwsAsync(client.query('select * from public.audit_entries'), { message: /permission denied/ });
    await t.throwsAsync(client.query(`insert into public.audit_entries (id) values ('x')`), {
      message: /permission denied/,
    });
    await client.query(`select auth.record_audit('aud_of_nobody', 'usr_nobody', 'sign_in:refused', 'r', '{}')`);
    const { rows } = await auth.sql.query(
      `select org_id, actor_id, actor_role, entity_id from audit_entries where id = 'aud_of_nobody'`,
    );
    t.deepEqual(rows, [{ org_id: 'platform', actor_id: 'unknown', actor_role: 'none', entity_id: null }]);
  },
);
