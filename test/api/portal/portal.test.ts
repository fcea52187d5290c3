// The policyholder portal, end to end: an insured with two terms, their neighbor in the same organization, and
// everyone who is not an insured. Documents are in portal-documents.test.ts.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { addDays } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { allPages, bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { OPERATIONS, type Operation, pathOf } from '../../support/operations.ts';
import type { Platform } from '../../support/run-platform.ts';
import { VALID_BODIES } from '../../support/valid-bodies.ts';
import { insured } from '../policy/policy-calls.ts';
import { CONTACT, foundNeighbourhood, type Neighbourhood } from './portal-calls.ts';

const PORTAL = OPERATIONS.filter(({ pattern }) => pattern.startsWith('/v1/portal'));
const ADDRESS = { line1: '9 Elm St', line2: null, city: 'Dallas', state: 'TX', postalCode: '75201' };

let platform: Platform;
let house: Neighbourhood['house'];
let today: string;
let first: Neighbourhood['first'];
let second: Neighbourhood['second'];
let neighbour: Neighbourhood['neighbour'];
let as: Neighbourhood['as'];

test.before('an insured with two terms, and a neighbour', async (t) => {
  platform = await startCheckedPlatform(t);
  ({ house, today, first, second, neighbour, as } = await foundNeighbourhood(platform));
});

const call = (client: TestClient, operation: Operation, ids: Record<string, string> = {}) => {
  const body = VALID_BODIES[operation.id]?.();
  const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
  return client.send(operation.method, pathOf(operation, ids), body && JSON.stringify(body), { headers });
};

test.serial('the portal has the thirteen operations of the specification', (t) => {
  const wanted = [
    ...['home', 'policies', 'policies/:id', 'policies/:id/coi', 'policies/:id/mcs90', 'invoices', 'invoices/:id'],
    ...['invoices/:id/download', 'documents', 'documents/:id/download', 'profile'],
  ].map((path) => `GET /v1/portal/${path}`);
  const there = PORTAL.map(({ method, pattern }) => `${method} ${pattern}`);
  t.deepEqual(
    [...wanted, 'PUT /v1/portal/profile', 'POST /v1/portal/push-tokens'].filter((each) => !there.includes(each)),
    [],
  );
});

test.serial('an expired token, one without typ and one of another kind open nothing: 401', async (t) => {
  const past = Math.floor(Date.now() / 1000) - 60;
  const bad = [{ iat: past - 600, exp: past }, { typ: undefined }, { typ: 'staff' }, { role: 'underwriter' }];
  for (const claims of bad) {
    for (const operation of PORTAL) {
      const { status, body } = await call(as(first.policyId, claims), operation);
      t.is(status, 401, `${operation.id} ${JSON.stringify(claims)}`);
      t.is(body.error, 'unauthenticated');
    }
  }
});

test.serial('staff, keys and the machine are refused in the portal: 403', async (t) => {
  const { key } = bodyOf(await house.as('org_admin').post('/v1/api-keys', { name: 'All', scopes: ['*'] }), 201);
  const staff = [house.as('org_admin'), house.as('superadmin'), house.as('producer'), platform.as({ apiKey: key })];
  for (const client of [...staff, platform.as('machine')]) {
    for (const operation of PORTAL) {
      t.like(await call(client, operation), { status: 403, body: { error: 'forbidden' } }, operation.id);
    }
  }
});

test.serial('an insured reaches nothing but the portal', async (t) => {
  const client = as(first.policyId);
  for (const path of ['/v1/policies', `/v1/policies/${first.policyId}`, '/v1/invoices', '/v1/claims', '/v1/audit']) {
    t.like(await client.get(path), { status: 403, body: { error: 'forbidden' } }, path);
  }
});

test.serial('both terms show everything of both, whichever the token names, and nothing of a neighbour', async (t) => {
  for (const { policyId } of [first, second]) {
    const client = as(policyId);
    const policies = await allPages(client, '/v1/portal/policies', { limit: 1 });
    t.deepEqual(
      policies.map(({ id }) => id),
      [second.policyId, first.policyId],
    );
    const invoices = await allPages(client, '/v1/portal/invoices', { limit: 1 });
    t.deepEqual(
      invoices.map(({ id }) => id),
      [second.invoiceId, first.invoiceId],
    );
    for (const term of [first, second]) {
      t.is(bodyOf(await client.get(`/v1/portal/policies/${term.policyId}`)).id, term.policyId);
      t.is(bodyOf(await client.get(`/v1/portal/invoices/${term.invoiceId}`)).policyId, term.policyId);
    }
    t.deepEqual(bodyOf(await client.get('/v1/portal/claims')).data, []);
  }
});

test.serial("every operation returns 404 for the id of another insured's row", async (t) => {
  const ids = { policies: neighbour.policyId, invoices: neighbour.invoiceId, claims: neighbour.claimId };
  const byId = PORTAL.filter(({ path }) => path.has('id'));
  for (const operation of byId) {
    const id = Object.entries(ids).find(([name]) => operation.pattern.startsWith(`/v1/portal/${name}/`))?.[1];
    if (id === undefined) continue;
    const stolen = await call(as(second.policyId), operation, { id });
    const unknown = await call(as(second.policyId), operation);
    t.like(stolen, { status: 404, body: { error: 'not_found', message: unknown.body.message } }, operation.id);
  }
  // Another organization with the same policy id in the token shows nothing either.
  const elsewhere = platform.as({ role: 'policyholder', org: await platform.createOrg(), sub: first.policyId });
  t.deepEqual(bodyOf(await elsewhere.get('/v1/portal/policies')).data, []);
  t.is((await elsewhere.get(`/v1/portal/policies/${first.policyId}`)).status, 404);
});

test.serial('filters by the rows of another insured show nothing', async (t) => {
  for (const list of ['invoices', 'claims']) {
    const query = { policyId: neighbour.policyId };
    t.deepEqual(bodyOf(await as(first.policyId).get(`/v1/portal/${list}`, { query })).data, [], list);
  }
});

test.serial('a policy shows its terms without fields for staff only', async (t) => {
  const shown = bodyOf(await as(first.policyId).get(`/v1/portal/policies/${first.policyId}`));
  t.like(shown, { status: 'active', limit: 1_000_000, grossPremium: 3990, totalDue: 4389.64, openClaims: 0 });
  t.like(shown, { renewalPolicyId: second.policyId, ...CONTACT });
  for (const field of ['producerId', 'submissionId', 'quoteId', 'claims']) t.false(field in shown, field);
});

test.serial('the home holds terms, open bills, the first amount due and open claims', async (t) => {
  const home = bodyOf(await as(first.policyId).get('/v1/portal/home'));
  t.deepEqual(Object.keys(home).sort(), ['documents', 'nextPayment', 'openClaims', 'openInvoices', 'policies']);
  t.deepEqual(
    home.policies.map(({ id }: { id: string }) => id),
    [second.policyId, first.policyId],
  );
  const [bill, ...more] = home.openInvoices;
  t.deepEqual(more, []);
  t.deepEqual(bill, bodyOf(await as(first.policyId).get(`/v1/portal/invoices/${second.invoiceId}`)));
  const { invoiceNumber, dueDate, balance: amount, policyId } = bill;
  t.deepEqual(home.nextPayment, { invoiceId: second.invoiceId, invoiceNumber, policyId, dueDate, amount });
  t.deepEqual(home.openClaims, []);

  const theirs = bodyOf(await as(neighbour.policyId).get('/v1/portal/home'));
  t.is(theirs.openInvoices.length, 4);
  t.is(theirs.nextPayment.invoiceId, neighbour.invoiceId);
  const [claim] = theirs.openClaims;
  t.like(claim, { id: neighbour.claimId, status: 'reported', lossDate: today, policyId: neighbour.policyId });
  t.false(JSON.stringify(claim).includes('wet floor'));
  for (const field of [
    'reserves',
    'incurred',
    'description',
    'claimant',
    'adjusterId',
    'settlement',
    'coverageFlags',
  ]) {
    t.false(field in claim, field);
  }
});

test.serial('a paid bill shows its payment', async (t) => {
  const { payments, status } = bodyOf(await as(first.policyId).get(`/v1/portal/invoices/${first.invoiceId}`));
  t.is(status, 'paid');
  t.like(payments, [{ kind: 'manual', amount: 4389.64, method: 'check', status: 'succeeded' }]);
  t.deepEqual(Object.keys(payments[0]).sort(), [
    ...['amount', 'id', 'kind', 'method', 'receivedAt', 'receivedDate', 'reference', 'status'],
  ]);
});

test.serial('an insured pays an open bill by card, and a paid one is refused', async (t) => {
  const path = `/v1/portal/invoices/${second.invoiceId}/payment-intent`;
  const intent = bodyOf(await as(first.policyId).post(path, {}), 201);
  t.like(intent, { amount: 4389.64, currency: 'usd' });
  t.truthy(intent.clientSecret);
  t.is(bodyOf(await as(second.policyId).post(path, {}), 201).paymentIntentId, intent.paymentIntentId);
  t.like(await as(first.policyId).post(`/v1/portal/invoices/${first.invoiceId}/payment-intent`, {}), {
    status: 422,
    body: { error: 'amount_exceeds_balance' },
  });
  t.like(await as(first.policyId).post(path, { amount: 5000 }), {
    status: 422,
    body: { error: 'amount_exceeds_balance' },
  });
});

test.serial(
  'an insured gives the first notice of a loss on a policy of their own, and follows the claim',
  async (t) => {
    const loss = { lossDate: addDays(today, -1), description: 'Hail broke the sign.', cause: 'Hail' };
    const client = as(second.policyId);
    const filed = bodyOf(await client.post('/v1/portal/claims', loss), 201);
    // The token names the next term; the loss falls in the one before.
    t.like(filed, { status: 'reported', policyId: first.policyId, lossDate: loss.lossDate });
    t.false(JSON.stringify(filed).includes('Hail'));
    t.deepEqual(bodyOf(await client.get(`/v1/portal/claims/${filed.id}`)), filed);
    t.deepEqual(bodyOf(await client.get('/v1/portal/claims')).data, [filed]);
    t.like(bodyOf(await house.as('claims_supervisor').get(`/v1/claims/${filed.id}`)), {
      ...{ ...loss, reportedBy: 'The insured', createdBy: second.policyId },
    });
    for (const policyId of [neighbour.policyId, newId('policy')]) {
      t.like(await client.post('/v1/portal/claims', { ...loss, policyId }), {
        status: 400,
        body: { details: { field: 'policyId', rule: 'unknown_reference' } },
      });
    }
    const tomorrow = { ...loss, lossDate: addDays(today, 1) };
    t.like(await client.post('/v1/portal/claims', tomorrow), {
      status: 400,
      body: { details: { field: 'lossDate', rule: 'max' } },
    });
  },
);

test.serial(
  'phone and address, and nothing else, are changed on every term, audited without their values',
  async (t) => {
    const client = as(second.policyId);
    const before = bodyOf(await client.get('/v1/portal/profile'));
    t.like(before, { policyId: second.policyId, email: CONTACT.insuredEmail, phone: CONTACT.insuredPhone });
    for (const field of ['email', 'name', 'role', 'policyId']) {
      t.like(await client.put('/v1/portal/profile', { phone: '1', [field]: 'x' }), {
        status: 400,
        body: { error: 'validation_failed', details: { field, rule: 'unknown_field' } },
      });
    }
    const { line2: _none, ...address } = ADDRESS;
    const after = bodyOf(await client.put('/v1/portal/profile', { phone: '+1 214 555 0199', address }));
    t.like(after, { phone: '+1 214 555 0199', address: ADDRESS, email: CONTACT.insuredEmail });
    t.deepEqual(bodyOf(await client.get('/v1/portal/profile')), after);
    for (const { policyId } of [first, second]) {
      const policy = bodyOf(await house.as('underwriter').get(`/v1/policies/${policyId}`));
      t.like(policy, { insuredPhone: '+1 214 555 0199', contactAddress: ADDRESS, insuredAddress: null });
      const query = { entity: policyId, actor: second.policyId };
      const [entry] = bodyOf(await house.as('auditor').get('/v1/audit', { query })).data;
      t.like(entry, { action: 'profile:update', actor: { id: second.policyId, role: 'policyholder' } });
      t.deepEqual(entry.changes, [
        { field: 'insuredPhone', before: 'withheld', after: 'withheld' },
        { field: 'contactAddress', before: null, after: 'withheld' },
      ]);
    }
    const other = bodyOf(await house.as('underwriter').get(`/v1/policies/${neighbour.policyId}`));
    t.is(other.contactAddress, null);
  },
);

test.serial('the version that a change names must be the present one', async (t) => {
  const headers = { 'if-match': `"${first.policyId}.1"` };
  const stale = await as(first.policyId).put('/v1/portal/profile', { phone: '1' }, { headers });
  t.like(stale, { status: 412, body: { error: 'precondition_failed' } });
});

test.serial('a device is registered once, and moves to the insured who registers it last', async (t) => {
  const device = { token: `device-${newId('request')}`, platform: 'ios' };
  const mine = bodyOf(await as(first.policyId).post('/v1/portal/push-tokens', device), 201);
  t.like(mine, { ...device, orgId: house.orgId });
  t.regex(mine.id, /^ptk_[0-9a-z]{26}$/);
  const again = bodyOf(await as(second.policyId).post('/v1/portal/push-tokens', { ...device, platform: 'web' }), 201);
  t.like(again, { id: mine.id, platform: 'web' });
  const moved = bodyOf(await as(neighbour.policyId).post('/v1/portal/push-tokens', device), 201);
  t.is(moved.id, mine.id);
  const owners = () =>
    platform.database.acrossOrgs('looking for a device', (em) =>
      em.execute<{ org_id: string; policies: string[] }[]>(
        `select t.org_id, array(select id from policies p where p.insured_id = t.insured_id) as policies
         from push_tokens t where token = ?`,
        [device.token],
      ),
    );
  t.deepEqual(await owners(), [{ org_id: house.orgId, policies: [neighbour.policyId] }]);
  // The same device in another organization's portal.
  const elsewhere = await insured(platform);
  const theirs = { role: 'policyholder', org: elsewhere.house.orgId, sub: elsewhere.policyId };
  bodyOf(await platform.as(theirs).post('/v1/portal/push-tokens', device), 201);
  t.deepEqual(await owners(), [{ org_id: elsewhere.house.orgId, policies: [elsewhere.policyId] }]);
  t.like(await as(first.policyId).post('/v1/portal/push-tokens', { ...device, platform: 'fax' }), {
    status: 400,
    body: { details: { field: 'platform', rule: 'enum' } },
  });
});

test.serial(
  'an insured chooses what their devices are notified of, on every term, and nobody else can choose for them',
  async (t) => {
    const path = '/v1/portal/push-preferences';
    const all = { paymentDue: true, paymentFailed: true, claimMoved: true, documentReady: true };
    const shown = await as(first.policyId).get(path);
    t.deepEqual(bodyOf(shown), all);
    const headers = { 'if-match': shown.headers.get('etag') ?? '' };
    const changed = bodyOf(await as(second.policyId).put(path, { claimMoved: false }, { headers }));
    t.deepEqual(changed, { ...all, claimMoved: false });
    t.deepEqual(bodyOf(await as(first.policyId).put(path, { paymentDue: false })), { ...changed, paymentDue: false });
    t.is((await as(first.policyId).put(path, { paymentDue: true }, { headers })).status, 412);
    t.deepEqual(bodyOf(await as(neighbour.policyId).get(path)), all);
    t.like(await as(first.policyId).put(path, { phone: true }), {
      status: 400,
      body: { details: { field: 'phone', rule: 'unknown_field' } },
    });
    const query = { actor: second.policyId };
    const [entry] = bodyOf(await house.as('auditor').get('/v1/audit', { query })).data;
    t.is(entry.action, 'push_preferences:update');
    t.deepEqual(entry.changes, [{ field: 'claimMoved', before: true, after: false }]);
    t.is((await as(newId('policy')).get(path)).status, 404);
  },
);

test.serial('a token whose policy is gone shows nothing', async (t) => {
  const client = as(newId('policy'));
  const empty = { policies: [], openInvoices: [], nextPayment: null, openClaims: [], documents: [] };
  t.deepEqual(bodyOf(await client.get('/v1/portal/home')), empty);
  t.is((await client.get('/v1/portal/profile')).status, 404);
});
