// Invitations with single sign-on: a proven address's domain takes precedence over them, and otherwise they need their
// token.
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { decodeJwt } from 'jose';
import type { Page } from './browser.ts';
import { type AuthUnderTest, runAuth } from './run-auth.ts';
import { runMicrosoft, signOn, type Tenant } from './run-microsoft.ts';

let microsoft: Tenant;
let auth: AuthUnderTest;
let org: string;
let admin: string;
let count = 0;

test.before(async () => {
  microsoft = await runMicrosoft();
  auth = await runAuth(microsoft.variables);
  org = await auth.createOrg({ emailDomains: ['Corp.Test'] });
  admin = `${auth.url}/portals/admin/api/auth/callback`;
});
test.after.always(async () => {
  await auth?.close();
  await microsoft?.stop();
});
test.beforeEach(() => {
  microsoft.claims = person();
});

/** Claims of a new user of the tenant, whose domain the organization lists. */
function person(domain = 'corp.test') {
  count += 1;
  return { oid: randomUUID(), name: `Person ${count}`, email: `person-${count}@${domain}`, xms_edov: true };
}

const tokenOf = ({ location }: Page) => new URL(location ?? '').searchParams.get('token') ?? '';
const errorOf = ({ location }: Page) => new URL(location ?? '').searchParams.get('error');

test.serial(
  'an open invitation of the organization that lists the domain is accepted with the first sign-on',
  async (t) => {
    const offer = await auth.invite({ email: String(microsoft.claims.email), orgId: org, role: 'auditor' });
    t.like(decodeJwt(tokenOf(await signOn(auth.browser(), admin))), { sub: offer.id, org, role: 'org_admin' });
  },
);

test.serial(
  'the domain of the address decides before an invitation of another organization, with its token or without',
  async (t) => {
    const stranger = await auth.createOrg();
    for (const withToken of [false, true]) {
      microsoft.claims = person();
      const email = String(microsoft.claims.email);
      const { token } = await auth.invite({ email, orgId: stranger, role: 'org_admin' });
      const page = await signOn(auth.browser(), admin, withToken ? { invitation: token } : {});
      t.like(decodeJwt(tokenOf(page)), { org, role: 'underwriter' });
      const { rows } = await auth.sql.query(
        'select org_id from auth.users where email = $1 and person_id is not null',
        [email],
      );
      t.deepEqual(rows, [{ org_id: org }]);
    }
  },
);

test.serial(
  'a person who accepted elsewhere signs in where their domain is listed, with the rights of that organization',
  async (t) => {
    const stranger = await auth.createOrg();
    const email = String(microsoft.claims.email);
    await auth.createUser({ email, orgId: stranger, role: 'auditor' });
    const browser = auth.browser();
    t.like(decodeJwt(tokenOf(await signOn(browser, admin))), { org, role: 'underwriter' });
    const { data } = (await browser.get('/api/auth/organizations')).body;
    t.deepEqual(
      data.map(({ orgId, role, current }: Record<string, unknown>) => ({ orgId, role, current })),
      [
        { orgId: org, role: 'underwriter', current: true },
        { orgId: stranger, role: 'auditor', current: false },
      ],
    );
  },
);

test.serial(
  'an invitation is accepted with its token, and only by its address, where no organization lists the domain',
  async (t) => {
    const inviting = await auth.createOrg();
    microsoft.claims = person('unlisted.test');
    const { claims } = microsoft;
    const { id, token } = await auth.invite({ email: String(claims.email), orgId: inviting, role: 'auditor' });
    t.is(errorOf(await signOn(auth.browser(), admin)), 'forbidden', 'without the token');
    t.is(errorOf(await signOn(auth.browser(), admin, { invitation: `${id}.wrong` })), 'forbidden', 'with another one');
    microsoft.claims = person('unlisted.test');
    t.is(errorOf(await signOn(auth.browser(), admin, { invitation: token })), 'forbidden', 'by somebody else');
    microsoft.claims = claims;
    const page = await signOn(auth.browser(), admin, { invitation: token });
    t.like(decodeJwt(tokenOf(page)), { sub: id, org: inviting, role: 'org_admin' });
    t.like(decodeJwt(tokenOf(await signOn(auth.browser(), admin))), { sub: id, org: inviting });
  },
);

test.serial(
  'a person who signed on before accepts another invitation in the offered role, and signs in there',
  async (t) => {
    await signOn(auth.browser(), admin);
    const second = await auth.createOrg();
    const email = String(microsoft.claims.email);
    await auth.sql.query(`update organizations set email_domains = '[]' where id = $1`, [org]);
    t.teardown(() => auth.sql.query(`update organizations set email_domains = '["Corp.Test"]' where id = $1`, [org]));
    const { id, token } = await auth.invite({ email, orgId: second, role: 'auditor' });
    t.like(decodeJwt(tokenOf(await signOn(auth.browser(), admin))), { org });
    t.like(decodeJwt(tokenOf(await signOn(auth.browser(), admin, { invitation: token }))), {
      sub: id,
      org: second,
      role: 'auditor',
    });
  },
);

test.serial('a portal takes its user in by the membership used last of those that it admits', async (t) => {
  const second = await auth.createOrg();
  const email = String(microsoft.claims.email);
  const browser = auth.browser();
  t.like(decodeJwt(tokenOf(await signOn(browser, admin))), { org, role: 'underwriter' });
  await auth.sql.query(
    `insert into auth.users (id, person_id, member_since, last_used_at, email, name, org_id, role, origin)
      select 'usr_of_finance', id, now(), now(), $1, $1, $2, 'billing_admin', 'invited' from auth.people where email = $1`,
    [email, second],
  );
  await browser.post('/api/auth/switch', { orgId: org });
  const portal = (name: string) => `${auth.url}/portals/${name}/api/auth/callback`;
  t.like(decodeJwt(tokenOf(await signOn(browser, portal('finance')))), { org: second, role: 'billing_admin' });
  t.is((await browser.get('/api/auth/get-session')).body.user.orgId, second);
  t.like(decodeJwt(tokenOf(await signOn(browser, admin))), { org: second }, 'it admits both');
  await browser.post('/api/auth/switch', { orgId: org });
  t.like(decodeJwt(tokenOf(await signOn(browser, admin))), { org });
  t.is(errorOf(await signOn(browser, portal('producer'))), 'forbidden', 'it admits neither');
  await auth.sql.query(`update auth.users set active = false where id = 'usr_of_finance'`);
  t.is(errorOf(await signOn(browser, portal('finance'))), 'forbidden', 'nor one that was deactivated');
});

test.serial(
  'a user of the platform signs in at home, whichever organization lists the domain of their address',
  async (t) => {
    const home = await auth.createOrg();
    await auth.createUser({ email: String(microsoft.claims.email), orgId: home, role: 'superadmin', origin: 'seeded' });
    t.like(decodeJwt(tokenOf(await signOn(auth.browser(), admin))), { org: home, role: 'superadmin' });
  },
);

test.serial('the first sign-on ends password, sessions and tokens of every organization of the person', async (t) => {
  const elsewhere = await auth.createOrg();
  const { email } = microsoft.claims;
  const password = 'correct horse battery staple';
  await auth.browser().post('/api/auth/sign-up/email', { email, password });
  await auth.createUser({ email: String(email), orgId: elsewhere, role: 'auditor' });
  const squatter = auth.browser();
  t.is((await squatter.post('/api/auth/sign-in/email', { email, password })).status, 200);
  t.like(decodeJwt(tokenOf(await signOn(auth.browser(), admin))), { org });
  t.is((await squatter.get('/api/auth/get-session')).status, 401);
  t.is((await squatter.post('/api/auth/sign-in/email', { email, password })).status, 401);
  const { rows } = await auth.sql.query('select tokens_valid_from from auth.users where org_id = $1', [elsewhere]);
  t.truthy(rows[0].tokens_valid_from);
});
