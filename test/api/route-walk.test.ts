import test from 'ava';
import type { Route } from '../../api/route.ts';
import { ROUTES } from '../../api/routes/index.ts';
import { newId } from '../../db/ids.ts';
import { ROLES, type Role, requiredScope, roleMay } from '../../domain/permissions.ts';
import { bodyOf, bound, type House, newHouse, quoted } from '../support/house.ts';
import { startCheckedPlatform } from '../support/openapi-check.ts';
import type { Caller, Platform } from '../support/run-platform.ts';
import { VALID_BODIES } from '../support/valid-bodies.ts';

/** What stands in a path where it names no row. */
const SAMPLES: Record<string, string> = { lineOfBusiness: 'GL', userId: 'usr_somebody' };

let platform: Platform;
/** Ids of rows that are there, by the first segment of the path. */
let existing: Record<string, string>;
let house: House;

test.before('a platform with one row of each kind', async (t) => {
  platform = await startCheckedPlatform(t);
  house = await newHouse(platform);
  existing = await oneOfEach();
});

test('without a credential every operation but the open ones answers 401', async (t) => {
  const skipped: string[] = [];
  for (const route of ROUTES) {
    if (route.access.kind === 'open') skipped.push(`${route.operationId} (${route.access.reason})`);
    else t.is((await call(route, null)).status, 401, route.operationId);
  }
  t.log(`open: ${skipped.join(', ')}`);
});

for (const role of ROLES.filter((each) => each !== 'superadmin')) {
  test(`the role ${role} is refused with 403 wherever it has no part`, async (t) => {
    const skipped: string[] = [];
    for (const route of ROUTES) {
      const { access } = route;
      if (access.kind === 'open') continue;
      if (roleMay(role, access.action)) {
        skipped.push(route.operationId);
        continue;
      }
      const answer = await call(route, { role, org: house.orgId });
      t.is(answer.status, 403, `${route.operationId}: ${answer.text}`);
      t.like(answer.body, { error: 'forbidden', details: { permission: access.action } });
    }
    t.log(`allowed: ${skipped.join(', ') || 'nothing'}`);
  });
}

test('an API key is refused with 403 wherever its scopes do not reach, and told which one would', async (t) => {
  const body = { name: 'For flags only', scopes: ['flags:write'] };
  const { key } = bodyOf(await house.as('org_admin').post('/v1/api-keys', body), 201);
  for (const route of ROUTES) {
    const { access } = route;
    if (access.kind === 'open') continue;
    const scope = requiredScope(access.action);
    if (scope?.startsWith('flags:')) continue;
    const answer = await call(route, { apiKey: key });
    t.is(answer.status, 403, `${route.operationId}: ${answer.text}`);
    t.like(answer.body.details, scope === null ? { permission: access.action } : { requiredScope: scope });
  }
});

test('the row of another organization does not exist for anyone in this one', async (t) => {
  const other = await platform.createOrg();
  const skipped: string[] = [];
  for (const route of ROUTES) {
    const role = strangerTo(route);
    if (role === null) {
      skipped.push(route.operationId);
      continue;
    }
    const answer = await call(route, { role, org: other });
    t.is(answer.status, 404, `${route.operationId} as ${role}: ${answer.text}`);
    t.is(answer.body.error, 'not_found');
  }
  t.log(`no row of an organization: ${skipped.join(', ')}`);
});

test('an id of another shape or of another kind is one that does not exist', async (t) => {
  const skipped: string[] = [];
  for (const route of ROUTES) {
    const { access } = route;
    const name = /:(\w+)/.exec(route.pattern)?.[1];
    if (access.kind === 'open' || name === undefined) {
      skipped.push(route.operationId);
      continue;
    }
    const role = ROLES.find((each) => roleMay(each, access.action)) ?? 'superadmin';
    const shapes = [
      'nonsense',
      newId('request'),
      '%00',
      '..%2F..',
      'x'.repeat(300),
      "'%20or%201=1",
      newId('submission').toUpperCase(),
    ];
    for (const id of shapes) {
      const answer = await call(route, { role, org: house.orgId }, { [name]: id });
      t.is(answer.status, 404, `${route.operationId} with ${id}: ${answer.text}`);
    }
  }
  t.log(`no id: ${skipped.join(', ')}`);
});

/** Of an operation on one row: a role that may call it in an organization of its own. */
function strangerTo({ access, pattern }: Route): Role | null {
  if (access.kind === 'open' || !pattern.includes(':id')) return null;
  // A superadmin goes everywhere, so he is a stranger to no organization.
  return ROLES.find((role) => role !== 'superadmin' && roleMay(role, access.action)) ?? null;
}

function call(route: Route, caller: Caller | null, ids: Record<string, string> = {}) {
  const client = caller === null ? platform.anonymous : platform.as(caller);
  const segment = route.pattern.split('/')[2] ?? '';
  const path = route.pattern.replaceAll(
    /:(\w+)/g,
    (_, name: string) => ids[name] ?? SAMPLES[name] ?? existing[segment] ?? '',
  );
  const body = VALID_BODIES[route.operationId]?.();
  const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
  return client.send(route.method.toUpperCase(), path, body && JSON.stringify(body), { headers });
}

async function oneOfEach(): Promise<Record<string, string>> {
  const underwriter = house.as('underwriter');
  const admin = house.as('org_admin');
  const { submissionId, policyId, invoices } = await bound(underwriter);
  const referred = await quoted(underwriter, { lossesLast5Years: 3 });
  const key = bodyOf(await admin.post('/v1/api-keys', { name: 'Any', scopes: ['policies:read'] }), 201);
  const user = bodyOf(await admin.post('/v1/users', { email: 'any@example.com', role: 'auditor' }), 201);
  const [contract] = bodyOf(await admin.get('/v1/da-contracts')).data;
  return {
    submissions: submissionId,
    policies: policyId,
    invoices: invoices[0].id,
    referrals: referred.daFlags[0].referralId,
    'da-contracts': contract.id,
    'api-keys': key.id,
    users: user.id,
    organizations: house.orgId,
  };
}
