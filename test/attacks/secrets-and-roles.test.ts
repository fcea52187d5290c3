// Every operation of the route table against every pair of signing secret and role, and against every scope of an API
// key. contract-roles.ts states the expected results, written from the contract.
import test from 'ava';
import type { Action } from '../../domain/permissions.ts';
import { bodyOf, type House, newHouse } from '../support/house.ts';
import { startCheckedPlatform } from '../support/openapi-check.ts';
import { CLOSED, OPERATIONS, type Operation, pathOf } from '../support/operations.ts';
import type { Platform } from '../support/run-platform.ts';
import {
  ALL_ROLES,
  ALL_SCOPES,
  contractAllows,
  contractScope,
  isVouched,
  type RoleName,
  SECRET_NAMES,
  type SecretName,
  scopeOpens,
} from './contract-roles.ts';
import { bearer, breaches, eachOf, type Fire, type Header, lineTo, pairs } from './fire.ts';
import { claimsOf, tokenOf } from './forgery.ts';

let platform: Platform;
let house: House;
let fire: Fire;

test.before('a platform without a worker: no request here may reach one', async (t) => {
  platform = await startCheckedPlatform(t, { worker: false });
  house = await newHouse(platform);
  fire = lineTo(platform.url);
});

const PAIRS = pairs(SECRET_NAMES, ALL_ROLES).map(([secret, role]) => ({ secret, role }));

/**
 * By Contract 2, 3.6 and 3.8: callers who have no credential yet, callers proven by their signature, and answers that
 * say nothing about anyone. By Contract 3.3: callers who know a file's signed address.
 */
const FOR_ANYBODY =
  /^\/(v1|auth\/[\w-]+|healthz|readyz|metrics|openapi\.json|docs(\/[\w/:]+)?|v1\/webhooks\/(stripe|persona|resend|card-processor|identity-verifier|email-provider)|v1\/esign\/webhook|v1\/downloads\/:token|v1\/calendars\/:token|v1\/coi\/:certificateNumber\/verify)?$/;

test('every operation requires a credential, except those that the contract opens to anybody', (t) => {
  const open = OPERATIONS.filter(({ route }) => route.access.kind === 'open').map(({ pattern }) => pattern);
  t.deepEqual(
    open.filter((pattern) => !FOR_ANYBODY.test(pattern)),
    [],
  );
  t.is(CLOSED.length + open.length, OPERATIONS.length);
});

test('a role that its secret does not vouch for opens no operation', async (t) => {
  const unvouched = PAIRS.filter(({ secret, role }) => !isVouched(secret, role));
  const tokens = unvouched.map((pair) => ({ ...pair, token: tokenFor(pair) }));
  const found = await breaches(pairs(CLOSED, tokens), async ([operation, { secret, role, token }]) => {
    const { status, body, text } = await knock(operation, bearer(token));
    const isRefused = status === 401 && body?.error === 'unauthenticated';
    return isRefused ? null : `${operation.id} as ${role} by ${secret}: ${status} ${text.slice(0, 160)}`;
  });
  t.deepEqual(found, []);
  t.log(`${CLOSED.length} operations, ${tokens.length} pairs`);
});

test('a role that its secret vouches for opens the operations the contract gives it, and nothing else', async (t) => {
  const vouched = PAIRS.filter(({ secret, role }) => isVouched(secret, role));
  const tokens = vouched.map((pair) => ({ ...pair, token: tokenFor(pair) }));
  const found = await breaches(pairs(CLOSED, tokens), async ([operation, { secret, role, token }]) => {
    const what = `${operation.id} as ${role} by ${secret}`;
    const isAllowed = contractAllows(role, operation.method, operation.pattern);
    return isAllowed
      ? unlessLetIn(what, operation, bearer(token))
      : unlessForbidden(what, operation, bearer(token), { permission: actionOf(operation) });
  });
  t.deepEqual(found, []);
  t.log(`${CLOSED.length} operations, ${tokens.length} pairs`);
});

test('the machine secret opens everything but the portals', async (t) => {
  const machine: Header[] = [bearer(platform.config.apiSecret), ['X-Org-Id', house.orgId]];
  const found = await breaches(CLOSED, (operation) =>
    operation.pattern.startsWith('/v1/portal')
      ? unlessForbidden(`${operation.id} by the machine`, operation, machine, {})
      : unlessLetIn(`${operation.id} by the machine`, operation, machine),
  );
  t.deepEqual(found, []);
});

test('a scope opens the operations that the contract gives it, and * none of those without a scope', async (t) => {
  const admin = house.as('org_admin');
  const keys = await eachOf(ALL_SCOPES, async (scope) => {
    const { key } = bodyOf(await admin.post('/v1/api-keys', { name: `For ${scope}`, scopes: [scope] }), 201);
    return { scope, key: key as string };
  });
  const found = await breaches(pairs(CLOSED, keys), async ([operation, { scope, key }]) => {
    const needed = contractScope(operation.method, operation.pattern);
    const what = `${operation.id} with a key for ${scope}`;
    const header: Header = ['X-API-Key', key];
    if (scopeOpens(scope, needed)) return unlessLetIn(what, operation, header);
    const details = needed === null ? { permission: actionOf(operation) } : { requiredScope: needed };
    return unlessForbidden(what, operation, header, details);
  });
  t.deepEqual(found, []);
  t.log(`${CLOSED.length} operations, ${keys.length} scopes`);
});

function tokenFor({ secret, role }: { secret: SecretName; role: RoleName }): string {
  // Each pair is a separate user, since each user has a request limit.
  const claims = claimsOf(house.orgId, { role, sub: `usr_${role}_of_${secret}` });
  return tokenOf(platform.config, secret, claims);
}

/**
 * Calls an operation so that it has no effect when allowed: ids name nothing, and a write carries a query that no
 * operation knows, which is checked after the permission and before everything else.
 */
function knock(operation: Operation, ...headers: readonly Header[]) {
  const { method } = operation;
  const path = pathOf(operation) + (method === 'GET' ? '' : '?nobody=knows');
  return fire({ method, path, headers });
}

async function unlessLetIn(what: string, operation: Operation, headers: Header | Header[]): Promise<string | null> {
  const { status, text } = await knock(operation, ...listOf(headers));
  const expected = operation.method === 'GET' ? [200, 404] : [400];
  return expected.includes(status)
    ? null
    : `${what}: ${status} in place of ${expected.join(' or ')} ${text.slice(0, 160)}`;
}

async function unlessForbidden(
  what: string,
  operation: Operation,
  headers: Header | Header[],
  details: Record<string, unknown>,
): Promise<string | null> {
  const { status, body, text } = await knock(operation, ...listOf(headers));
  const isNamed = Object.entries(details).every(([name, value]) => body?.details?.[name] === value);
  return status === 403 && body.error === 'forbidden' && isNamed
    ? null
    : `${what}: ${status} in place of 403 ${text.slice(0, 160)}`;
}

function listOf(headers: Header | Header[]): Header[] {
  return (Array.isArray(headers[0]) ? headers : [headers]) as Header[];
}

function actionOf({ route: { access } }: Operation): Action | null {
  return access.kind === 'open' ? null : access.action;
}
