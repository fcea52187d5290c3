// Which JWTs open the API and which do not. Spec 2.3, 5.4, Contract 2 "JWT".
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { organizationUuid } from '../../../domain/ids.ts';
import { ROLES, type Role } from '../../../domain/permissions.ts';
import { VOUCHED } from '../../attacks/contract-roles.ts';
import { type Spine, startSpine } from '../spine/spine-app.ts';

let spine: Spine;

test.before('a spine', async (t) => {
  spine = await startSpine(t);
});

type Claims = Record<string, unknown>;

const now = () => Math.floor(Date.now() / 1000);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function claims(changes: Claims = {}): Claims {
  const iat = now();
  return { sub: 'usr_someone', org: spine.orgId, role: 'org_admin', iat, exp: iat + 28_800, ...changes };
}

function forge(header: Claims, payload: unknown, secret: string, hash = 'sha256'): string {
  const text = `${encode(header)}.${typeof payload === 'string' ? payload : encode(payload)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

const signed = (payload: unknown) => forge({ alg: 'HS256', typ: 'JWT' }, payload, spine.config.jwtSecret);

/** Sends a request that any valid credential gets a 200 or 403 for. */
const ask = async (token: string) => (await spine.with({ authorization: `Bearer ${token}` }).get('/v1/things')).status;

for (const [secretName, roles] of Object.entries(VOUCHED)) {
  for (const role of ROLES) {
    const holds = (roles as readonly Role[]).includes(role);
    test(`${secretName} ${holds ? 'vouches' : 'does not vouch'} for ${role}`, async (t) => {
      const secret = spine.config[secretName as 'jwtSecret'];
      const status = await ask(forge({ alg: 'HS256' }, claims({ role, typ: 'insured' }), secret));
      t.true(holds ? status === 200 || status === 403 : status === 401, `${status}`);
    });
  }
}

test('a claim that is missing or of another shape is refused', async (t) => {
  for (const name of ['sub', 'org', 'role', 'iat', 'exp']) {
    for (const value of [undefined, null, '', 5.5, {}, [], true]) {
      t.is(await ask(signed(claims({ [name]: value }))), 401, `${name} ${JSON.stringify(value)}`);
    }
  }
  for (const role of ['root', 'ORG_ADMIN', 'org_admin ', '__proto__', ['org_admin']]) {
    t.is(await ask(signed(claims({ role }))), 401, String(role));
  }
});

test('a life of 28,800 seconds is allowed and one second more is not', async (t) => {
  const iat = now();
  t.is(await ask(signed(claims({ iat, exp: iat + 28_800 }))), 200);
  t.is(await ask(signed(claims({ iat, exp: iat + 28_801 }))), 401);
  t.is(await ask(signed(claims({ iat, exp: iat + 900 }))), 200);
  t.is(await ask(signed(claims({ iat: iat - 30_000, exp: iat + 10 }))), 401);
});

test('an expired token is refused from the second of its expiry, a later one before its time', async (t) => {
  const iat = now();
  t.is(await ask(signed(claims({ iat: iat - 100, exp: iat }))), 401);
  t.is(await ask(signed(claims({ iat: iat - 28_800, exp: iat - 1 }))), 401);
  t.is(await ask(signed(claims({ iat: iat + 60, exp: iat + 600 }))), 401);
  t.is(await ask(signed(claims({ nbf: iat + 60 }))), 401);
  t.is(await ask(signed(claims({ nbf: 'soon' }))), 401);
  t.is(await ask(signed(claims({ nbf: iat - 60 }))), 200);
});

test('a token that was good is refused when it has expired, though it was seen before', async (t) => {
  let nowMs = Date.now();
  const clocked = await startSpine(t, { database: spine.testDatabase, deps: { now: () => nowMs } });
  const token = forge({ alg: 'HS256' }, claims({ org: clocked.orgId }), clocked.config.jwtSecret);
  const status = async () => (await clocked.with({ authorization: `Bearer ${token}` }).get('/v1/things')).status;
  t.is(await status(), 200);
  t.is(await status(), 200);
  nowMs += 29_000_000;
  t.is(await status(), 401);
});

test('the organization must exist; its UUID form names it too', async (t) => {
  t.is(await ask(signed(claims({ org: newId('organization') }))), 401);
  t.is(await ask(signed(claims({ org: 'org_nonsense' }))), 401);
  t.is(await ask(signed(claims({ org: organizationUuid(spine.orgId) }))), 200);
});

test('sub is any text up to 255 characters that can be stored', async (t) => {
  for (const sub of ['x', 'x'.repeat(255), 'auth0|5f7c', 'zoë@example.com', "'; drop table users --"]) {
    t.is(await ask(signed(claims({ sub }))), 200, sub);
  }
  for (const sub of ['x'.repeat(256), 'a\u0000b', 'a\nb']) t.is(await ask(signed(claims({ sub }))), 401);
});

test('only HS256 is accepted', async (t) => {
  const { jwtSecret } = spine.config;
  const payload = claims();
  const unsigned = (alg: string) => `${encode({ alg, typ: 'JWT' })}.${encode(payload)}.`;
  for (const alg of ['none', 'None', 'NONE', '']) t.is(await ask(unsigned(alg)), 401, alg);
  for (const [alg, hash] of [
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
    ['hs256', 'sha256'],
    ['RS256', 'sha256'],
    ['none', 'sha256'],
  ] as const) {
    t.is(await ask(forge({ alg }, payload, jwtSecret, hash)), 401, alg);
  }
  t.is(await ask(forge({}, payload, jwtSecret)), 401);
  t.is(await ask(forge({ alg: 'HS256', crit: ['exp'] }, payload, jwtSecret)), 401);
  t.is(await ask(forge({ alg: 'HS256', b64: false, crit: ['b64'] }, payload, jwtSecret)), 401);
});

test('a key that the token brings along is worth nothing', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = publicKey.export({ format: 'jwk' });
  const text = `${encode({ alg: 'RS256', jwk })}.${encode(claims())}`;
  t.is(await ask(`${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`), 401);
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  t.is(await ask(forge({ alg: 'HS256' }, claims(), pem)), 401);
});

test('an edited token is refused', async (t) => {
  const token = signed(claims({ role: 'underwriter' }));
  const [header = '', , signature = ''] = token.split('.');
  t.is(await ask(token), 200);
  t.is(await ask(`${header}.${encode(claims({ role: 'superadmin' }))}.${signature}`), 401);
  t.is(await ask(token.slice(0, -2)), 401);
  t.is(await ask(`${token}AA`), 401);
  t.is(await ask(`${token}.x`), 401);
  for (const payload of ['bm90IGpzb24', encode([]), encode(null), encode('x')]) t.is(await ask(signed(payload)), 401);
  t.is(await ask(signed(claims({ junk: 'x'.repeat(5_000) }))), 401);
});

test('a policyholder is let in with typ insured, and nowhere but into the portal', async (t) => {
  const secret = spine.config.policyholderJwtSecret;
  const token = (typ?: string) => forge({ alg: 'HS256' }, claims({ role: 'policyholder', typ }), secret);
  const insured = spine.with({ authorization: `Bearer ${token('insured')}` });
  t.is((await insured.get('/v1/portal/home')).status, 200);
  for (const path of ['/v1/things', '/v1/contracts', '/v1/tenants']) t.is((await insured.get(path)).status, 403, path);
  t.is(await ask(token()), 401);
  t.is(await ask(token('other')), 401);
  for (const role of ['org_admin', 'superadmin', 'auditor'] satisfies Role[]) {
    t.is((await spine.as(role).get('/v1/portal/home')).status, 403, role);
  }
});

test('a refused token of a known organization is in its audit, without the token', async (t) => {
  const org = await spine.createOrg();
  const iat = now();
  const token = signed(claims({ org, sub: 'usr_late', iat: iat - 28_800, exp: iat - 1 }));
  t.is(await ask(token), 401);
  const rows = await spine.database.forOrg(org, (em) =>
    em.execute("select actor_id, action, changes from audit_entries where action = 'credential:refused'"),
  );
  t.deepEqual(rows, [{ actor_id: 'usr_late', action: 'credential:refused', changes: { reason: 'expired' } }]);
  t.false(spine.logs.some((line) => line.includes(token) || line.includes(token.split('.')[2] ?? '?')));
  const forged = forge({ alg: 'HS256' }, claims({ org }), 'some other secret of thirty-two bytes');
  t.is(await ask(forged), 401);
  const after = await spine.database.forOrg(org, (em) => em.execute('select 1 from audit_entries'));
  t.is(after.length, rows.length);
});
