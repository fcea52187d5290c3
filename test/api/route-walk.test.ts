// Every operation of the published document against every way of calling it that must not succeed.
import test from 'ava';
import { openApiDocument } from '../../api/openapi.ts';
import type { Route } from '../../api/route.ts';
import { ROUTES } from '../../api/routes/index.ts';
import { newId } from '../../db/ids.ts';
import { type Action, ROLES, requiredScope, roleMay } from '../../domain/permissions.ts';
import { bodyOf, bound, type House, newHouse, quoted } from '../support/house.ts';
import { startCheckedPlatform } from '../support/openapi-check.ts';
import type { Caller, Platform } from '../support/run-platform.ts';
import { VALID_BODIES } from '../support/valid-bodies.ts';

/** What stands in a path where it names no row. */
const SAMPLES: Record<string, string> = { key: 'auto_renewal', lineOfBusiness: 'GL', userId: 'usr_somebody' };

let platform: Platform;
/** Ids of rows that are there, by the first segment of the path. */
let existing: Record<string, string>;
let house: House;
let otherOrg: string;
let flagsKey: string;

test.before('a platform with one row of each kind', async (t) => {
  platform = await startCheckedPlatform(t);
  house = await newHouse(platform);
  existing = await oneOfEach();
  otherOrg = await platform.createOrg();
  const body = { name: 'For flags only', scopes: ['flags:write'] };
  flagsKey = bodyOf(await house.as('org_admin').post('/v1/api-keys', body), 201).key;
});

/** An operation as the document tells of it, and its access rule. */
interface Operation {
  id: string;
  method: string;
  /** Its parameters are in braces. */
  path: string;
  access: Route['access'];
}

/** One way of trying what must not succeed. `cell` gives the try at an operation, or the reason why there is none. */
interface Attack {
  title: string;
  cell: (operation: Operation) => Try | string;
}

interface Try {
  caller: () => Caller | null;
  ids?: Record<string, string>;
  expected: { status: number; body?: object };
}

const OPERATIONS: Operation[] = Object.entries(
  openApiDocument(ROUTES, { version: '0.0.0', serverUrl: 'http://localhost' }).paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => {
    const { operationId: id } = described as { operationId: string };
    return { id, method, path, access: accessOf(id) };
  }),
);

/** In a place where an id belongs. */
const SHAPES_OF_IDS = {
  'a word': 'nonsense',
  'the id of another kind': newId('request'),
  'an empty byte': '%00',
  'a path': '..%2F..',
  'three hundred letters': 'x'.repeat(300),
  'a condition in SQL': "'%20or%201=1",
  'an id in capitals': newId('submission').toUpperCase(),
};

const ATTACKS: Attack[] = [
  { title: 'without a credential', cell: unlessOpen(() => refused(null, 401)) },
  {
    title: 'with a token that another secret signed',
    cell: unlessOpen(() => refused(() => ({ role: 'superadmin', org: house.orgId, secret: 'x'.repeat(32) }), 401)),
  },
  {
    title: 'with a token that has expired',
    cell: unlessOpen(() => refused(() => ({ role: 'superadmin', org: house.orgId, claims: EXPIRED }), 401)),
  },
  ...ROLES.filter((role) => role !== 'superadmin').map((role) => ({
    title: `as ${role}`,
    cell: unlessOpen((action) =>
      roleMay(role, action) ? 'the role may' : refused(() => ({ role, org: house.orgId }), 403, { permission: action }),
    ),
  })),
  {
    title: 'with an API key for flags only',
    cell: unlessOpen((action) => {
      const scope = requiredScope(action);
      if (scope?.startsWith('flags:')) return 'the scope reaches it';
      return refused(() => ({ apiKey: flagsKey }), 403, scope ? { requiredScope: scope } : { permission: action });
    }),
  },
  {
    title: 'from another organization',
    cell: unlessOpen((action, { path }) => {
      // A superadmin goes everywhere, so he is a stranger to no organization.
      const role = ROLES.find((each) => each !== 'superadmin' && roleMay(each, action));
      if (!path.includes('{id}')) return 'it names no row';
      return role ? refused(() => ({ role, org: otherOrg }), 404) : 'a superadmin alone may';
    }),
  },
  ...Object.entries(SHAPES_OF_IDS).map(([what, id]) => ({
    title: `with ${what} for an id`,
    cell: unlessOpen((action, { path }) => {
      const name = /\{(\w+)\}/.exec(path)?.[1];
      if (name === undefined) return 'it names no row';
      const role = ROLES.find((each) => roleMay(each, action)) ?? 'superadmin';
      return { ...refused(() => ({ role, org: house.orgId }), 404), ids: { [name]: id } };
    }),
  })),
];

const EXPIRED = { iat: 1_700_000_000, exp: 1_700_003_600 };

/** Tries that were made, and the cells of the table that do not exist. */
let tried = 0;
const absent: { title: string; id: string; reason: string }[] = [];

for (const { title, cell } of ATTACKS) {
  test.serial(`${title}, every operation that this does not open is refused`, async (t) => {
    await Promise.all(
      OPERATIONS.map(async (operation) => {
        const attempt = cell(operation);
        if (typeof attempt === 'string') {
          absent.push({ title, id: operation.id, reason: attempt });
          return;
        }
        const { status, body } = attempt.expected;
        const answer = await call(operation, attempt.caller(), attempt.ids);
        tried += 1;
        t.is(answer.status, status, `${operation.id}: ${answer.text}`);
        t.like(answer.body, body ?? {}, operation.id);
      }),
    );
  });
}

test.serial('every operation of the document met every attack, but for the cells that do not exist', (t) => {
  const pairs = OPERATIONS.length * ATTACKS.length;
  t.is(tried, pairs - absent.length);
  t.is(OPERATIONS.length, ROUTES.length);
  const open = OPERATIONS.filter(({ access }) => access.kind === 'open');
  const untouched = OPERATIONS.filter(({ id }) => absent.filter((one) => one.id === id).length === ATTACKS.length);
  t.deepEqual(untouched, open, 'what asks for a credential was tried at least once');
  t.log(
    `${tried} of ${pairs} pairs: ${OPERATIONS.length} operations, ${ATTACKS.length} attacks, less ${absent.length}`,
  );
  for (const [reason, cells] of Map.groupBy(absent, (one) => one.reason)) {
    const ids = [...new Set(cells.map(({ id }) => id))];
    t.log(`${cells.length} because ${reason}: ${ids.join(', ')}`);
  }
});

function unlessOpen(cell: (action: Action, operation: Operation) => Try | string): Attack['cell'] {
  return (operation) => {
    const { access } = operation;
    return access.kind === 'open' ? `anyone may (${access.reason})` : cell(access.action, operation);
  };
}

function refused(caller: Try['caller'] | null, status: 401 | 403 | 404, details?: object): Try {
  const error = { 401: 'unauthenticated', 403: 'forbidden', 404: 'not_found' }[status];
  return { caller: caller ?? (() => null), expected: { status, body: { error, ...(details && { details }) } } };
}

/** What the document does not say in a form for machines is looked up in the route table. */
function accessOf(id: string): Route['access'] {
  const route = ROUTES.find(({ operationId }) => operationId === id);
  if (!route) throw new Error(`The document has an operation ${id} and the route table has none`);
  return route.access;
}

function call({ id, method, path: pattern }: Operation, caller: Caller | null, ids: Record<string, string> = {}) {
  const client = caller === null ? platform.anonymous : platform.as(caller);
  const segment = pattern.split('/')[2] ?? '';
  const path = pattern.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => ids[name] ?? SAMPLES[name] ?? existing[segment] ?? '',
  );
  const body = VALID_BODIES[id]?.();
  const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
  return client.send(method.toUpperCase(), path, body && JSON.stringify(body), { headers });
}

async function oneOfEach(): Promise<Record<string, string>> {
  const underwriter = house.as('underwriter');
  const admin = house.as('org_admin');
  const { submissionId, policyId, invoices } = await bound(underwriter);
  const referred = await quoted(underwriter, { lossesLast5Years: 3 });
  const key = bodyOf(await admin.post('/v1/api-keys', { name: 'Any', scopes: ['policies:read'] }), 201);
  const user = bodyOf(await admin.post('/v1/users', { email: 'any@example.com', role: 'auditor' }), 201);
  const [contract] = bodyOf(await admin.get('/v1/da-contracts')).data;
  const batch = bodyOf(await admin.post('/v1/renewals/batch', { expiringWithinDays: 1 }), 202);
  const days = { from: '2030-09-01', to: '2030-09-30' };
  const hold = bodyOf(await admin.post('/v1/billing-holds', { state: 'LA', ...days }), 201);
  return {
    submissions: submissionId,
    policies: policyId,
    invoices: invoices[0].id,
    referrals: referred.daFlags[0].referralId,
    'da-contracts': contract.id,
    'billing-holds': hold.id,
    'api-keys': key.id,
    users: user.id,
    renewals: batch.batchId,
    organizations: house.orgId,
  };
}
