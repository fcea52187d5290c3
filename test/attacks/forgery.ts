// Tokens as an attacker makes them: by hand, with any header, any claims and any secret.
import { createHmac, generateKeyPairSync, randomInt, sign } from 'node:crypto';
import { newId } from '../../db/ids.ts';
import type { SecretName } from './contract-roles.ts';

export type Claims = Record<string, unknown>;

/** A process's secrets by name. Those that it does not hold are missing. */
export type Secrets = Readonly<Partial<Record<SecretName, string>>>;

export interface Forged {
  what: string;
  token: string;
}

const LIFETIME_SECONDS = 28_800;
const SIGNATURE_CHARACTERS = 43;

/** Claims of a valid token: an administrator's, unless changed. `undefined` leaves one out. */
export function claimsOf(org: string, changes: Claims = {}): Claims {
  const iat = Math.floor(Date.now() / 1000);
  const typ = changes.role === 'policyholder' ? { typ: 'insured' } : {};
  return { sub: 'usr_attacker', org, role: 'org_admin', iat, exp: iat + LIFETIME_SECONDS, ...typ, ...changes };
}

/** Signs anything with HMAC. A string is used as the payload's bytes. */
export function forge(secret: string, payload: unknown, header: Claims = { alg: 'HS256' }, hash = 'sha256'): string {
  const text = `${encode(header)}.${typeof payload === 'string' ? base64(payload) : encode(payload)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

/** Signs claims with one of the attacked process's secrets. */
export function tokenOf(secrets: Secrets, name: SecretName, claims: Claims): string {
  return forge(secretIn(secrets, name), claims);
}

/**
 * Every token that opens nothing although all but one of its parts are right.
 * @param good claims that are valid when the secret `by` signs them
 * @param other an organization other than the one in the claims
 */
export function forgedTokens(secrets: Secrets, good: Claims, other: string, by: SecretName = 'jwtSecret'): Forged[] {
  const secret = secretIn(secrets, by);
  return [
    ...withBadHeaders(secret, good),
    ...withBadSignatures(secret, good, secrets),
    ...edited(forge(secret, good), good, other),
    ...withBadClaims(secret, good),
    ...withBadTimes(secret, good),
  ];
}

/** A different address for each request, since each address has a request limit. Only behind TRUST_PROXY. */
export function fromElsewhere(): readonly [string, string] {
  return ['X-Forwarded-For', [10, randomInt(256), randomInt(256), randomInt(256)].join('.')];
}

function withBadHeaders(secret: string, good: Claims): Forged[] {
  const unsigned = ['none', 'None', 'nOnE', ''].flatMap((alg) => [
    { what: `alg "${alg}" without a signature`, token: `${encode({ alg, typ: 'JWT' })}.${encode(good)}.` },
    { what: `alg "${alg}" with one`, token: forge(secret, good, { alg }) },
  ]);
  const headers: [string, Claims, string?][] = [
    ['no alg', {}],
    ['alg HS384', { alg: 'HS384' }, 'sha384'],
    ['alg HS512', { alg: 'HS512' }, 'sha512'],
    ['alg hs256', { alg: 'hs256' }],
    ['alg RS256 over an HMAC', { alg: 'RS256' }],
    ['alg as a list', { alg: ['HS256'] }],
    ['a critical extension', { alg: 'HS256', crit: ['exp'] }],
    ['an unencoded payload', { alg: 'HS256', b64: false, crit: ['b64'] }],
  ];
  return [
    ...unsigned,
    ...headers.map(([what, header, hash]) => ({ what, token: forge(secret, good, header, hash) })),
    { what: 'a header that is no JSON', token: `${base64('alg')}.${encode(good)}.${'A'.repeat(SIGNATURE_CHARACTERS)}` },
  ];
}

function withBadSignatures(secret: string, good: Claims, secrets: Secrets): Forged[] {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const text = `${encode({ alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) })}.${encode(good)}`;
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const [head = '', body = '', signature = ''] = forge(secret, good).split('.');
  return [
    {
      what: 'a key of its own',
      token: `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`,
    },
    { what: 'a public key as the secret', token: forge(pem, good) },
    { what: 'a guessed secret', token: forge('secret', good) },
    { what: 'an empty key by its id', token: forge('\0', good, { alg: 'HS256', kid: '../../dev/null' }) },
    { what: 'the machine secret', token: forge(secretIn(secrets, 'apiSecret'), good) },
    { what: 'the secret of the sessions', token: forge(secretIn(secrets, 'authSecret'), good) },
    { what: 'no signature', token: `${head}.${body}.` },
    { what: 'half a signature', token: `${head}.${body}.${signature.slice(0, SIGNATURE_CHARACTERS / 2)}` },
    { what: 'a signature and more', token: `${head}.${body}.${signature}AAAA` },
    { what: 'a fourth part', token: `${head}.${body}.${signature}.x` },
  ];
}

function edited(token: string, good: Claims, other: string): Forged[] {
  const [head = '', , signature = ''] = token.split('.');
  const changes: [string, Claims][] = [
    ['role edited', { role: good.role === 'superadmin' ? 'org_admin' : 'superadmin' }],
    ['organization edited', { org: other }],
    ['subject edited', { sub: 'usr_victim' }],
    ['session edited', { sid: newId('session') }],
    ['expiry edited', { exp: Number(good.exp) + 1 }],
  ];
  return changes.map(([what, more]) => ({ what, token: `${head}.${encode({ ...good, ...more })}.${signature}` }));
}

const ODD_VALUES = [undefined, null, '', true, 5.5, {}, [], { $ne: null }];

function withBadClaims(secret: string, good: Claims): Forged[] {
  const odd = ['sub', 'org', 'role', 'iat', 'exp'].flatMap((name) =>
    [...ODD_VALUES, [good[name]], { [String(good[name])]: true }].map((value): [string, Claims] => [
      `${name} is ${JSON.stringify(value)}`,
      { [name]: value },
    ]),
  );
  const wrong: [string, Claims][] = [
    ['an unknown role', { role: 'root' }],
    ['a role in capitals', { role: String(good.role).toUpperCase() }],
    ['a role of the prototype', { role: '__proto__' }],
    ['two roles', { role: `${good.role},superadmin` }],
    ['an organization that is not there', { org: newId('organization') }],
    ['an organization of another shape', { org: `${good.org}'--` }],
    ['a subject with a line break', { sub: 'usr_a\nusr_b' }],
    ['a subject with an empty byte', { sub: 'usr_a\u0000' }],
    ['a subject that is too long', { sub: 'x'.repeat(256) }],
    ['a role of another secret', good.role === 'producer' ? { role: 'org_admin' } : { role: 'producer' }],
    ['too long a token', { junk: 'x'.repeat(5_000) }],
  ];
  const payloads: [string, string][] = [
    ['no JSON', 'not json'],
    ['a list', JSON.stringify([good])],
    ['null', 'null'],
    ['a text', '"org_admin"'],
    ['nothing', ''],
  ];
  return [
    ...[...odd, ...wrong].map(([what, more]) => ({ what, token: forge(secret, { ...good, ...more }) })),
    ...payloads.map(([what, text]) => ({ what: `a payload that is ${what}`, token: forge(secret, text) })),
  ];
}

function withBadTimes(secret: string, good: Claims): Forged[] {
  const now = Number(good.iat);
  const times: [string, Claims][] = [
    ['a second too long a life', { exp: now + LIFETIME_SECONDS + 1 }],
    ['a life of years', { exp: now + 400_000_000 }],
    ['a life that began long ago', { iat: now - 2 * LIFETIME_SECONDS, exp: now + 60 }],
    ['expired', { iat: now - LIFETIME_SECONDS, exp: now - 1 }],
    ['issued in the future', { iat: now + 600, exp: now + 1_200 }],
    ['not yet valid', { nbf: now + 600 }],
    ['nbf as a text', { nbf: 'soon' }],
    ['an endless number', { exp: 1e300 }],
    ['times as texts', { iat: String(now), exp: String(now + 60) }],
  ];
  return times.map(([what, more]) => ({ what, token: forge(secret, { ...good, ...more }) }));
}

function secretIn(secrets: Secrets, name: SecretName): string {
  return secrets[name] ?? `${name} of another process, which is long enough`;
}

function encode(value: unknown): string {
  return base64(JSON.stringify(value));
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64url');
}
