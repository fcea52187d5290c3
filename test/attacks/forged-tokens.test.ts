// Every operation of the route table against credentials that prove nothing: forged tokens, two credentials together,
// credentials where none belongs, and requests that mean a different operation than they name.
import test from 'ava';
import { bodyOf, type House, newHouse } from '../support/house.ts';
import { startCheckedPlatform } from '../support/openapi-check.ts';
import { CLOSED, OPERATIONS, type Operation, pathOf } from '../support/operations.ts';
import type { Platform } from '../support/run-platform.ts';
import { VALID_BODIES } from '../support/valid-bodies.ts';
import { ALL_ROLES, contractAllows, secretOf } from './contract-roles.ts';
import { bearer, breaches, type Fire, type Header, type Hit, json, lineTo, pairs } from './fire.ts';
import { claimsOf, forge, forgedTokens, tokenOf } from './forgery.ts';

interface Presented {
  what: string;
  headers: readonly Header[];
  query?: string;
}

let platform: Platform;
let house: House;
let otherOrg: string;
let fire: Fire;
/** Two good tokens and two good keys of one organization. */
let good: { token: string; second: string; key: string; secondKey: string };

test.before('a platform with two organizations', async (t) => {
  platform = await startCheckedPlatform(t, { worker: false });
  house = await newHouse(platform);
  otherOrg = await platform.createOrg();
  fire = lineTo(platform.url);
  const key = async (name: string) =>
    bodyOf(await house.as('org_admin').post('/v1/api-keys', { name, scopes: ['*'] }), 201).key as string;
  const token = (sub: string) => tokenOf(platform.config, 'jwtSecret', claimsOf(house.orgId, { sub }));
  good = { token: token('usr_one'), second: token('usr_two'), key: await key('One'), secondKey: await key('Two') };
});

test('a forged token opens no operation, whatever part of it is forged', async (t) => {
  const forged = forgedTokens(platform.config, claimsOf(house.orgId), otherOrg);
  const found = await breaches(pairs(CLOSED, forged), ([operation, { what, token }]) =>
    unlessRefused(`${operation.id} with ${what}`, operation, { what, headers: [bearer(token)] }),
  );
  t.deepEqual(found, []);
  t.log(`${CLOSED.length} operations, ${forged.length} tokens`);
});

test('two Authorization headers prove nothing, whatever they contain', async (t) => {
  const presented = twoHeaders();
  const found = await breaches(pairs(CLOSED, presented), ([operation, one]) =>
    unlessRefused(`${operation.id} with ${one.what}`, operation, one),
  );
  t.deepEqual(found, []);
  t.log(`${CLOSED.length} operations, ${presented.length} ways`);
});

test('two credentials in one request prove nothing, nor does one in the wrong place', async (t) => {
  const presented = [...together(), ...elsewhere()];
  const found = await breaches(pairs(CLOSED, presented), ([operation, one]) =>
    unlessRefused(`${operation.id} with ${one.what}`, operation, one),
  );
  t.deepEqual(found, []);
  t.log(`${CLOSED.length} operations, ${presented.length} ways`);
});

test('the content of a token beside its claims grants nothing', async (t) => {
  const more = {
    roles: ['superadmin'],
    isAdmin: true,
    scopes: ['*'],
    producerIds: ['*'],
    orgs: [otherOrg],
    typ: 'insured',
    operatorOf: [otherOrg],
  };
  const claims = claimsOf(house.orgId, { role: 'claims_adjuster', sub: 'usr_boast', ...more });
  const token = forge(platform.config.jwtSecret, claims, { alg: 'HS256', typ: 'superadmin', kid: 'x' });
  const shut = CLOSED.filter(({ method, pattern }) => !contractAllows('claims_adjuster', method, pattern));
  const found = await breaches(shut, async (operation) => {
    const { status, text } = await knock(operation, [bearer(token)]);
    return status === 403 ? null : `${operation.id}: ${status} ${text.slice(0, 160)}`;
  });
  t.deepEqual(found, []);
});

/** In place of an id. */
const SHAPES = [
  'nonsense',
  'req_01jz8k3v5ne0rbx4q2mw7t6yha',
  'SUB_01JZ8K3V5NE0RBX4Q2MW7T6YHA',
  '%00',
  '..%2F..',
  'x'.repeat(300),
  "'%20or%201=1",
  '__proto__',
];

test('an id of the wrong kind matches nothing', async (t) => {
  // A flag's key is not an id: organizations choose it.
  const withIds = CLOSED.filter(({ path }) => path.size > 0 && !path.has('key'));
  const found = await breaches(pairs(withIds, SHAPES), async ([operation, shape]) => {
    const { id, method, pattern, path } = operation;
    const role = ALL_ROLES.find((each) => contractAllows(each, method, pattern)) ?? 'superadmin';
    const token = tokenOf(platform.config, secretOf(role), claimsOf(house.orgId, { role, sub: `usr_shapes_${role}` }));
    const [first = ''] = path.keys();
    const { headers, body } = json(VALID_BODIES[id]?.());
    const hit = await fire({
      method,
      path: pathOf(operation, { [first]: shape }),
      headers: [bearer(token), ...headers],
      body,
    });
    return hit.status === 404 ? null : `${id} with ${shape.slice(0, 40)}: ${hit.status} ${hit.text.slice(0, 160)}`;
  });
  t.deepEqual(found, []);
  t.log(`${withIds.length} operations, ${SHAPES.length} shapes`);
});

test('a header cannot override the method or the path of a request', async (t) => {
  const names = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'];
  const writes = CLOSED.filter(({ method }) => method !== 'GET');
  const admin = bearer(
    tokenOf(platform.config, 'jwtSecret', claimsOf(house.orgId, { role: 'auditor', sub: 'usr_override' })),
  );
  const reads = new Set(OPERATIONS.filter(({ method }) => method === 'GET').map(({ pattern }) => pattern));
  const found = await breaches(pairs(writes, names), async ([operation, name]) => {
    const { status, text } = await fire({
      method: 'GET',
      path: pathOf(operation),
      headers: [admin, [name, operation.method]],
    });
    const expected = reads.has(operation.pattern) ? [200, 403, 404] : [405, 404];
    return expected.includes(status) ? null : `${operation.id} by ${name}: ${status} ${text.slice(0, 160)}`;
  });
  const reader = bearer(tokenOf(platform.config, 'jwtSecret', claimsOf(house.orgId, { sub: 'usr_elsewhere' })));
  const elsewhereFound = await breaches(
    pairs(CLOSED, ['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Prefix']),
    async ([operation, name]) => {
      const headers = [reader, [name, pathOf(operation)] as Header];
      const { status, body } = await fire({ method: 'GET', path: '/v1/test-clock', headers });
      return status === 200 && typeof body.realDate === 'string' ? null : `${operation.id} by ${name}: ${status}`;
    },
  );
  t.deepEqual([...found, ...elsewhereFound], []);
});

test('HEAD is as closed as GET and has no body, OPTIONS says which methods there are and nothing else', async (t) => {
  const token = (role: string) =>
    bearer(tokenOf(platform.config, 'jwtSecret', claimsOf(house.orgId, { role, sub: `usr_head_${role}` })));
  const found = await breaches(CLOSED, async (operation) => {
    const path = pathOf(operation);
    const at = (method: string, headers: Header[] = []) => fire({ method, path, headers });
    const options = await at('OPTIONS');
    const isQuiet =
      options.status === 204 && options.text === '' && `${options.headers.allow}`.includes(operation.method);
    const trace = await at('PROPFIND', [token('superadmin')]);
    const heads = await Promise.all([at('HEAD'), at('HEAD', [token('claims_adjuster')])]);
    const isRead = operation.method === 'GET';
    const isShut = !contractAllows('claims_adjuster', 'GET', operation.pattern);
    const isHeadRefused = !isRead || (heads[0]?.status === 401 && (!isShut || heads[1]?.status === 403));
    const isEmpty = heads.every(({ text }) => text === '');
    return isQuiet && trace.status === 405 && isHeadRefused && isEmpty
      ? null
      : `${operation.id}: OPTIONS ${options.status}, PROPFIND ${trace.status}, HEAD ${heads.map(({ status }) => status)}`;
  });
  t.deepEqual(found, []);
});

const sent = (what: string, ...headers: Header[]): Presented => ({ what, headers });

function twoHeaders(): Presented[] {
  const { token, second } = good;
  return [
    sent('two tokens', bearer(token), bearer(second)),
    sent('one token twice', bearer(token), bearer(token)),
    sent('a token and a word', bearer(token), bearer('x')),
    sent('a word and a token', bearer('x'), bearer(token)),
    sent('a token and the machine secret', bearer(token), bearer(platform.config.apiSecret)),
    sent('a token and nothing', bearer(token), ['Authorization', '']),
  ];
}

function together(): Presented[] {
  const { token, second, key, secondKey } = good;
  return [
    sent('a token and a key', bearer(token), ['X-API-Key', key]),
    sent('a key and another key', bearer(key), ['X-API-Key', secondKey]),
    sent('the machine secret and a key', bearer(platform.config.apiSecret), ['X-API-Key', key]),
    sent('two keys in two headers', ['X-API-Key', key], ['X-API-Key', secondKey]),
    sent('two tokens in one header', ['Authorization', `Bearer ${token}, Bearer ${second}`]),
    sent('two tokens behind one word', ['Authorization', `Bearer ${token} ${second}`]),
  ];
}

function elsewhere(): Presented[] {
  const { token, key } = good;
  const one = (what: string, name: string, value: string) => sent(what, [name, value]);
  return [
    { what: 'no credential', headers: [] },
    one('a token in X-API-Key', 'X-API-Key', token),
    one('the machine secret in X-API-Key', 'X-API-Key', platform.config.apiSecret),
    one('a token without Bearer', 'Authorization', token),
    one('a token as Basic', 'Authorization', `Basic ${Buffer.from(`${token}:`).toString('base64')}`),
    one('a token as Token', 'Authorization', `Token ${token}`),
    one('a token in Proxy-Authorization', 'Proxy-Authorization', `Bearer ${token}`),
    one('a token in a cookie', 'Cookie', `svc_session=${token}; svc_admin_token=${token}`),
    one('a signing secret', 'Authorization', `Bearer ${platform.config.jwtSecret}`),
    one('the secret of the sessions', 'Authorization', `Bearer ${platform.config.authSecret}`),
    one('half of the machine secret', 'Authorization', `Bearer ${platform.config.apiSecret.slice(0, 20)}`),
    one('a key of another environment', 'X-API-Key', key.replace('_test_', '_live_')),
    one('a key in capitals', 'X-API-Key', key.toUpperCase()),
    one('a key that nobody made', 'X-API-Key', `${key.slice(0, -4)}0000`),
    { what: 'a token in the query', headers: [], query: `?token=${token}&access_token=${token}` },
    { what: 'a key in the query', headers: [], query: `?apiKey=${key}&api_key=${key}` },
  ];
}

async function unlessRefused(
  what: string,
  operation: Operation,
  { headers, query = '' }: Presented,
): Promise<string | null> {
  const { status, body, text, headers: answered } = await knock(operation, headers, query);
  const isSilent = body?.error === 'unauthenticated' && Object.keys(body.details).length === 0;
  const isComplete = typeof answered['x-request-id'] === 'string' && answered['x-ratelimit-limit'] !== undefined;
  return status === 401 && isSilent && isComplete ? null : `${what}: ${status} ${text.slice(0, 160)}`;
}

/** An admitted call has no effect: ids name nothing, and no operation knows the query of a write. */
function knock(operation: Operation, headers: readonly Header[], query = ''): Promise<Hit> {
  const { method } = operation;
  return fire({ method, path: pathOf(operation) + (query || (method === 'GET' ? '' : '?nobody=knows')), headers });
}
