// The session exchange against everything that is not the session: tokens of every secret and role that name another
// person's session, forged ones, and tokens of people who are no longer what their token says.
import test from 'ava';
import { decodeJwt } from 'jose';
import { type AuthUnderTest, runAuth } from '../auth/run-auth.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';
import { ALL_ROLES, isVouched, type RoleName, SECRET_NAMES, secretOf } from './contract-roles.ts';
import { bearer, breaches, type Fire, lineTo, pairs } from './fire.ts';
import { claimsOf, forgedTokens, fromElsewhere, tokenOf } from './forgery.ts';

/** A person with a session. */
interface Person {
  id: string;
  role: RoleName;
  sessionId: string;
  /** The session's sealed token. */
  session: string;
  /** The token from sign-in. */
  token: string;
}

const PASSWORD = 'correct horse battery staple';

let platform: Platform;
let auth: AuthUnderTest;
let fire: Fire;
let org: string;
let people: Person[];

test.before('somebody of every role is signed in', async (t) => {
  platform = await startPlatform(t, { worker: false, variables: { TRUST_PROXY: 'true' } });
  auth = await runAuth({}, { database: platform.testDatabase });
  fire = lineTo(platform.url);
  // Outside production, signing up immediately makes a person a member of this organization.
  org = await auth.createOrg({ isDemo: true });
  people = [];
  for (const role of ALL_ROLES.filter((each) => each !== 'policyholder')) people.push(await signedIn(role));
});
test.after.always(() => auth?.close());

test('a token that names a session is exchanged only for the identity in the session itself', async (t) => {
  const attacker = await signedIn('producer', 'attacker');
  const forged = pairs(pairs(SECRET_NAMES, ALL_ROLES), pairs([true, false], [true, false])).map(
    ([[secret, role], [isSubject, isHome]]) => ({ secret, role, isSubject, isHome }),
  );
  const found = await breaches(pairs(people, forged), async ([person, { secret, role, isSubject, isHome }]) => {
    const claims = { role, sub: isSubject ? person.id : attacker.id, sid: person.sessionId };
    const token = tokenOf(platform.config, secret, claimsOf(isHome ? org : platform.orgId, claims));
    const isRight = isSubject && isHome && role === person.role && isVouched(secret, role);
    const { status, body, text } = await exchange(token);
    const what = `the session of ${person.role} by ${role} of ${secret}, ${isSubject ? '' : 'another subject, '}${isHome ? '' : 'another organization'}`;
    if (!isRight) return status === 401 ? null : `${what}: ${status} ${text.slice(0, 80)}`;
    const given = status === 200 ? decodeJwt(body.token) : {};
    const isTheirs = given.sub === person.id && given.role === person.role && given.org === org;
    return isTheirs ? null : `${what}: ${status} ${text.slice(0, 80)}`;
  });
  t.deepEqual(found, []);
  t.log(`${people.length} sessions, ${forged.length} tokens for each`);
});

test('a forged token is exchanged for nothing, though it names a session that lives', async (t) => {
  const found = await breaches(
    people.flatMap((person) => {
      const secret = secretOf(person.role);
      const good = claimsOf(org, { sub: person.id, role: person.role, sid: person.sessionId });
      return forgedTokens(platform.config, good, platform.orgId, secret).map((forged) => ({ person, ...forged }));
    }),
    async ({ person, what, token }) => {
      const { status, text } = await exchange(token);
      return status === 401 ? null : `the session of ${person.role} with ${what}: ${status} ${text.slice(0, 80)}`;
    },
  );
  t.deepEqual(found, []);
});

test('anything but the sealed token of a session is exchanged for nothing', async (t) => {
  const [{ session, sessionId, token, id }] = people as [Person];
  const [raw = '', seal = ''] = session.split('.');
  const good = claimsOf(org, { sub: id, role: people[0]?.role });
  const tried = {
    'the id of a session': sessionId,
    'its token without a seal': raw,
    'with another seal': `${raw}.${'A'.repeat(seal.length)}`,
    'another token with its seal': `${raw.split('').reverse().join('')}.${seal}`,
    'a token without a session': tokenOf(platform.config, 'jwtSecret', good),
    'a session as a list': tokenOf(platform.config, 'jwtSecret', { ...good, sid: [sessionId] }),
    'a session as an object': tokenOf(platform.config, 'jwtSecret', { ...good, sid: { $ne: null } }),
    'a wildcard for a session': tokenOf(platform.config, 'jwtSecret', { ...good, sid: '%' }),
    'a session that is not there': tokenOf(platform.config, 'jwtSecret', { ...good, sid: `ses_${'0'.repeat(26)}` }),
    'the machine secret': platform.config.apiSecret,
    'the secret of the sessions': platform.config.authSecret,
  };
  const found = await breaches(Object.entries(tried), async ([what, credential]) => {
    const { status, text } = await exchange(credential);
    return status === 401 ? null : `${what}: ${status} ${text.slice(0, 80)}`;
  });
  t.deepEqual(found, []);
  const two = [bearer(token), bearer(session), fromElsewhere()];
  t.is((await fire({ method: 'POST', path: '/auth/session-exchange', headers: two })).status, 401, 'two credentials');
});

test('a user whose role changed, who was deactivated or who signed out exchanges no older token', async (t) => {
  const admin = platform.as({ role: 'superadmin', org, sub: 'usr_of_the_platform' });
  const [demoted, gone, out] = [
    await signedIn('org_admin', 'demoted'),
    await signedIn('org_admin', 'gone'),
    await signedIn('org_admin', 'out'),
  ];
  t.is((await admin.patch(`/v1/users/${demoted.id}`, { role: 'auditor' })).status, 200);
  t.is((await admin.patch(`/v1/users/${gone.id}`, { active: false })).status, 200);
  await auth.sql.query('delete from auth.sessions where id = $1', [out.sessionId]);
  for (const { id, role, sessionId, token } of [demoted, gone, out]) {
    t.is((await exchange(token)).status, 401, id);
    const forged = tokenOf(platform.config, 'jwtSecret', claimsOf(org, { sub: id, role, sid: sessionId }));
    t.is((await exchange(forged)).status, 401, `${id}, forged`);
  }
  for (const { session } of [gone, out]) t.is((await exchange(session)).status, 401);
  const { status, body } = await exchange(demoted.session);
  t.is(status, 200);
  t.is(decodeJwt(body.token).role, 'auditor', 'the session goes on as what its user is now');
});

test('no audit row that an administrator reads names a session', async (t) => {
  const admin = platform.as({ role: 'org_admin', org, sub: 'usr_reading_the_audit' });
  const { status, text, body } = await admin.get('/v1/audit', { query: { limit: 100 } });
  t.is(status, 200);
  t.true(body.data.some(({ action }: { action: string }) => action === 'sign_in:accepted'));
  t.deepEqual(
    people.filter(({ sessionId }) => text.includes(sessionId)).map(({ role }) => role),
    [],
  );
});

async function signedIn(role: RoleName, name: string = role): Promise<Person> {
  const email = `${name.replaceAll('_', '-')}@example.test`;
  const { body } = await auth.browser().post('/api/auth/sign-up/email', { email, password: PASSWORD });
  const { user, session, token } = body;
  await auth.sql.query('update auth.users set role = $1 where id = $2', [role, user.id]);
  return { id: user.id, role, sessionId: session.id, session: session.token, token };
}

function exchange(credential: string) {
  return fire({ method: 'POST', path: '/auth/session-exchange', headers: [bearer(credential), fromElsewhere()] });
}
