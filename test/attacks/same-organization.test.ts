// The operations of the route table within one organization that has one of everything: a permission check on a row
// predicts what the operation does, and a producer reaches nothing of another producer.
import test from 'ava';
import { newId } from '../../db/ids.ts';
import { type Action, roleMay } from '../../domain/permissions.ts';
import { type AuthUnderTest, runAuth } from '../auth/run-auth.ts';
import { bodyOf, EFFECTIVE_DATE } from '../support/house.ts';
import { startCheckedPlatform } from '../support/openapi-check.ts';
import { CLOSED, idPrefixOf, type Operation, pathOf } from '../support/operations.ts';
import { PAPER } from '../support/printing/paper.ts';
import type { Platform } from '../support/run-platform.ts';
import { VALID_BODIES } from '../support/valid-bodies.ts';
import { ALL_ROLES, type RoleName, secretOf } from './contract-roles.ts';
import { bearer, breaches, eachOf, type Fire, type Header, type Hit, json, lineTo, pairs } from './fire.ts';
import { claimsOf, tokenOf } from './forgery.ts';
import { type Estate, foundEstate } from './one-of-everything.ts';

/** The portal pages belong to no producer, and a producer has no token for them. */
const ON_ROWS = CLOSED.filter(({ route, pattern }) => {
  const { access } = route;
  return access.kind === 'organization' && access.resource !== null && !pattern.startsWith('/v1/portal');
});
const READS = ON_ROWS.filter(({ method, path }) => method === 'GET' && path.size === 1);
/** What producers can read of their own business. */
const OF_PRODUCERS = ['submissions', 'policies', 'claims', 'documents', 'producers', 'deal-rooms'];

const EVERYTHING: readonly RoleName[] = ['superadmin', 'org_admin'];

let platform: Platform;
let auth: AuthUnderTest;
let fire: Fire;
let estate: Estate;
let member: Header;
let outsider: Header;
/** The outsider's producer. */
let othersId: string;
let rows: Map<string, string>;

test.before('an organization with one of everything, and a second producer in it', async (t) => {
  platform = await startCheckedPlatform(t, { pdf: PAPER });
  auth = await runAuth({}, { database: platform.testDatabase });
  estate = await foundEstate(platform, auth.sql, 'Quarry');
  fire = lineTo(platform.url);
  othersId = await estate.house.addProducer('Another Agency');
  // Participates in the deal room, as in foreign-rows.test.ts.
  member = await memberOf(idOf('prd'), 'usr_intruding_producer');
  outsider = await memberOf(othersId, newId('user'));
  rows = await rowsOfMember();
});
test.after.always(() => auth?.close());

test('a permission check on a row matches the outcome of the operation on the row', async (t) => {
  const callers = ALL_ROLES.filter((role) => role !== 'policyholder').map((role) => ({ role, headers: [as(role)] }));
  const found = await breaches(pairs(ON_ROWS, callers), async ([operation, { role, headers }]) => {
    const resource = rowOf(operation);
    const check = await send('POST', '/v1/permissions/check', headers, { action: actionOf(operation), resource });
    // Nothing is hidden from roles that may do everything.
    const isHidden = check.body.details?.rule === 'unknown_reference' && !EVERYTHING.includes(role);
    if (check.status !== 200 && !isHidden) return describeHit(`${operation.id} as ${role}`, check);
    if (!READS.includes(operation)) return null;
    const hit = await call(operation, headers);
    const expected = isHidden ? 404 : check.body.allowed ? 200 : 403;
    return hit.status === expected ? null : describeHit(`${operation.id} as ${role}, ${check.text}`, hit);
  });
  t.deepEqual(found, []);
  t.log(`${ON_ROWS.length} operations, ${READS.length} of them called`);
});

test('a producer reads the rows of their own business, and reaches no row of another producer', async (t) => {
  const own = READS.filter((operation) => OF_PRODUCERS.includes(segmentOf(operation)));
  const unread = await breaches(own, async (operation) => {
    const hit = await call(operation, [member]);
    return hit.status === (roleMay('producer', actionOf(operation)) ? 200 : 403)
      ? null
      : describeHit(operation.id, hit);
  });
  t.deepEqual(unread, [], 'what the outsider tries is there');
  const reached = await breaches(ON_ROWS, async (operation) => {
    const hit = await call(operation, [outsider]);
    return [403, 404].includes(hit.status) ? null : describeHit(operation.id, hit);
  });
  t.deepEqual(reached, []);
  t.log(`${own.length} reads, ${ON_ROWS.length} operations`);
});

test('an appointment is read below its own producer alone', async (t) => {
  const [theirs, own] = await Promise.all([appointmentOf(idOf('prd'), member), appointmentOf(othersId, outsider)]);
  const statusOf = async (producerId: string, id: string) =>
    (await send('GET', `/v1/producers/${producerId}/appointments/${id}`, [outsider])).status;
  t.is(await statusOf(othersId, own), 200);
  t.is(await statusOf(othersId, theirs), 404);
  t.is(await statusOf(idOf('prd'), theirs), 403);
});

async function appointmentOf(producerId: string, who: Header): Promise<string> {
  return (await send('GET', `/v1/producers/${producerId}/appointments`, [who])).body.data[0].id;
}

/** One of the first producer's rows for each resource that producers list. */
async function rowsOfMember(): Promise<Map<string, string>> {
  const lists = await eachOf(OF_PRODUCERS, async (segment) => {
    const { body } = await send('GET', `/v1/${segment}`, [member]);
    return [segment, body.data[0].id] as const;
  });
  return new Map(lists);
}

async function memberOf(producerId: string, userId: string): Promise<Header> {
  bodyOf(await estate.house.as('org_admin').put(`/v1/producers/${producerId}/members/${userId}`));
  return as('producer', userId);
}

function as(role: RoleName, sub = newId('user')): Header {
  return bearer(tokenOf(platform.config, secretOf(role), claimsOf(estate.orgId, { role, sub })));
}

/** The first path segment below /v1. */
function segmentOf({ pattern }: Operation): string {
  return pattern.split('/')[2] ?? '';
}

function actionOf({ route: { access } }: Operation): Action {
  if (access.kind === 'open') throw new TypeError('An open operation has no action');
  return access.action;
}

function idOf(prefix: string | null): string {
  return estate.ids.get(prefix ?? '')?.[0] ?? '';
}

function rowOf(operation: Operation): string {
  return rows.get(segmentOf(operation)) ?? idOf(idPrefixOf(operation.path.get('id') ?? {}));
}

function call(operation: Operation, headers: readonly Header[]): Promise<Hit> {
  const query = operation.query.has('period') ? `?period=${EFFECTIVE_DATE.slice(0, 7)}` : '';
  const path = pathOf(operation, { id: rowOf(operation) }) + query;
  return send(operation.method, path, headers, VALID_BODIES[operation.id]?.());
}

function send(method: string, path: string, headers: readonly Header[], value?: unknown): Promise<Hit> {
  const { headers: typed, body } = json(value);
  return fire({ method, path, headers: [...headers, ...typed], body });
}

function describeHit(what: string, { status, text }: Hit): string {
  return `${what}: ${status} ${text.slice(0, 300)}`;
}
