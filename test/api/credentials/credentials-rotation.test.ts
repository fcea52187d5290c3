// Secrets during rotation, at the API: tokens signed with the previous one still work, but only in its own roles.
import test from 'ava';
import { SignJWT } from 'jose';
import { issueCode, redeemCode } from '../../../api/credentials/one-time-codes.ts';
import { SECRET_NAMES } from '../../../config.ts';
import { createKvTable } from '../../../db/kv-store.ts';
import { ROLES_BY_SECRET, type SigningSecret } from '../../../domain/access/portals.ts';
import { ROLES } from '../../../domain/permissions.ts';
import { type Spine, startSpine } from '../spine/spine-app.ts';

const previousOf = (name: string) => `${name.toLowerCase()}-before-0123456789abcdef0123456789`;
const PREVIOUS = Object.fromEntries(SECRET_NAMES.map((name) => [`${name}_PREVIOUS`, previousOf(name)]));
/** By hand: variable name → name in the configuration. */
const JWT_SECRETS: Record<string, SigningSecret> = {
  JWT_SECRET: 'jwtSecret',
  FINANCE_JWT_SECRET: 'financeJwtSecret',
  COMPLIANCE_JWT_SECRET: 'complianceJwtSecret',
  CARRIER_JWT_SECRET: 'carrierJwtSecret',
  PORTAL_JWT_SECRET: 'portalJwtSecret',
  POLICYHOLDER_JWT_SECRET: 'policyholderJwtSecret',
};

let rotating: Spine;
/** The same platform after the previous secrets were removed. */
let done: Spine;

test.before('spines', async (t) => {
  rotating = await startSpine(t, { variables: PREVIOUS });
  done = await startSpine(t, { database: rotating.testDatabase });
});

function sign(secret: string, role: string): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  return new SignJWT({ sub: 'usr_someone', org: rotating.orgId, role, typ: 'insured', iat, exp: iat + 600 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));
}

const ask = async (spine: Spine, credential: string, headers: Record<string, string> = {}) =>
  (await spine.with({ authorization: `Bearer ${credential}`, ...headers }).get('/v1/things')).status;

const isAccepted = (status: number) => status === 200 || status === 403;

for (const [name, secret] of Object.entries(JWT_SECRETS)) {
  test(`the secret that ${name} replaced vouches for the roles of ${name} and no other, until it is taken away`, async (t) => {
    for (const role of ROLES) {
      const token = await sign(previousOf(name), role);
      const vouches = ROLES_BY_SECRET[secret].includes(role);
      const status = await ask(rotating, token);
      t.is(isAccepted(status), vouches, `${role} ${status}`);
      t.is(await ask(done, token), 401, role);
      if (vouches) t.true(isAccepted(await ask(rotating, await sign(rotating.config[secret], role))), role);
    }
  });
}

test('a token signed with an unknown secret, or with one that signs no tokens, is refused during a rotation', async (t) => {
  t.is(await ask(rotating, await sign('unknown-0123456789abcdef0123456789abcdef', 'org_admin')), 401);
  t.is(await ask(rotating, await sign(previousOf('API_SECRET'), 'org_admin')), 401);
  t.is(await ask(rotating, await sign(previousOf('AUTH_SECRET'), 'org_admin')), 401);
});

test('the machine secret holds in both forms during a rotation, and no other secret is one', async (t) => {
  const headers = { 'x-org-id': rotating.orgId };
  t.is(await ask(rotating, rotating.config.apiSecret, headers), 200);
  t.is(await ask(rotating, previousOf('API_SECRET'), headers), 200);
  t.is(await ask(rotating, previousOf('AUTH_SECRET'), headers), 401);
  t.is(await ask(done, previousOf('API_SECRET'), headers), 401);
});

test('a one-time code that was sent before its key was replaced can be used once, and not after the key is gone', async (t) => {
  const kv = createKvTable(rotating.database);
  const redeem = (code: string, serverKeys: readonly string[], number: string) =>
    redeemCode(kv, { number, code, client: number, serverKeys });
  const issue = (number: string) => issueCode(kv, { number, client: number }, previousOf('AUTH_SECRET'));
  const keys = rotating.config.acceptedSecrets.authSecret;
  const code = await issue('A-1');
  t.true(await redeem(code, keys, 'A-1'));
  t.false(await redeem(code, keys, 'A-1'));
  const late = await issue('A-2');
  t.false(await redeem(late, done.config.acceptedSecrets.authSecret, 'A-2'));
  const wrong = (await issue('A-3')) === '000000' ? '000001' : '000000';
  t.false(await redeem(wrong, keys, 'A-3'));
});
