// Switching anything off leaves an audit row with the object, the actor, the request and the change. What a DELETE has
// ended stays as it is when the DELETE is repeated.
import test from 'ava';
import { ROUTES } from '../../../api/routes/index.ts';
import { newId } from '../../../db/ids.ts';
import type { TestClient, TestResponse } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, bound, type House, newHouse, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

const TODAY = testToday();
const FEED = '/v1/compliance/calendar-feed';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

interface SwitchedOff {
  action: string;
  /** The fields that the row must name. */
  fields: string[];
  /** Switches it on. @returns how to switch it off, and the entity that the row names */
  begin: (
    house: House,
    client: TestClient,
  ) => Promise<{ entity: string; end: (headers: Record<string, string>) => Promise<TestResponse> }>;
}

const webhookOf = async (client: TestClient) =>
  bodyOf(await client.post('/v1/webhooks', { url: 'https://hooks.example.com/in', events: ['policy.bound'] }), 201).id;

const CLEARANCE = { name: 'Sanctioned Test Company', entryIds: ['SAMPLE-0006'], reason: 'Somebody else.' };

const clearanceOf = async (client: TestClient) =>
  bodyOf(await client.post('/v1/sanctions/clearances', CLEARANCE), 201).id;

const TABLE: Readonly<Record<string, SwitchedOff>> = {
  'a webhook that is paused': {
    ...{ action: 'webhook:pause', fields: ['status'] },
    begin: async (_house, client) => {
      const id = await webhookOf(client);
      return { entity: id, end: (headers) => client.post(`/v1/webhooks/${id}/pause`, undefined, { headers }) };
    },
  },
  'a webhook that is deleted': {
    ...{ action: 'webhook:delete', fields: ['status'] },
    begin: async (_house, client) => {
      const id = await webhookOf(client);
      return { entity: id, end: (headers) => client.del(`/v1/webhooks/${id}`, { headers }) };
    },
  },
  'the address of a calendar that is taken back': {
    ...{ action: 'calendar_feed:remove', fields: ['address'] },
    begin: async (house, client) => {
      bodyOf(await client.post(FEED), 201);
      return { entity: await feedOf(house), end: (headers) => client.del(FEED, { headers }) };
    },
  },
  'a delegation that is ended': {
    ...{ action: 'delegation:end', fields: ['endedBy'] },
    begin: async (house, client) => {
      const limits = { maxLimitCents: 100_000_000, maxPremiumCents: 10_000_000, linesOfBusiness: null };
      const lender = await house.asUnderwriter(limits, 'lender');
      await house.asUnderwriter(limits, 'deputy');
      const { id } = bodyOf(await lender.post('/v1/delegations', { toUserId: 'deputy', from: TODAY, to: TODAY }), 201);
      return { entity: id, end: (headers) => client.post(`/v1/delegations/${id}/end`, undefined, { headers }) };
    },
  },
  'a clearance of a sanctions match that is withdrawn': {
    ...{ action: 'sanctions:clear', fields: ['withdrawnBy'] },
    begin: async (_house, client) => {
      const id = await clearanceOf(client);
      return { entity: id, end: (headers) => client.del(`/v1/sanctions/clearances/${id}`, { headers }) };
    },
  },
  'an API key that is revoked': {
    ...{ action: 'api_key:revoke', fields: ['reason', 'revokedAt'] },
    begin: async (_house, client) => {
      const { id } = bodyOf(await client.post('/v1/api-keys', { name: 'A key', scopes: ['policies:read'] }), 201);
      return { entity: id, end: (headers) => client.del(`/v1/api-keys/${id}`, { headers }) };
    },
  },
  'a user who no longer acts for a producer': {
    ...{ action: 'producer_member:remove', fields: ['member'] },
    begin: async (house, client) => {
      const [producer, user] = [await house.addProducer(), newId('user')];
      bodyOf(await client.put(`/v1/producers/${producer}/members/${user}`));
      return {
        entity: producer,
        end: (headers) => client.del(`/v1/producers/${producer}/members/${user}`, { headers }),
      };
    },
  },
};

const feedOf = (house: House) =>
  platform.database.forOrg(house.orgId, async (em) => {
    const [row] = await em.execute<{ id: string }[]>('select id from calendar_feeds where org_id = ?', [house.orgId]);
    return row?.id ?? '';
  });

for (const [what, { action, fields, begin }] of Object.entries(TABLE)) {
  test(`${what} leaves an audit row with the actor, the request and the change`, async (t) => {
    const house = await newHouse(platform);
    const client = house.as('org_admin', 'usr_who_ends');
    const { entity, end } = await begin(house, client);
    const requestId = `req_${newId('request').slice(4)}`;
    t.true((await end({ 'x-request-id': requestId })).status < 300);
    const { data } = bodyOf(await client.get('/v1/audit', { query: { requestId } }));
    t.is(data.length, 1);
    t.like(data[0], {
      action,
      actor: { kind: 'user', id: 'usr_who_ends', role: 'org_admin' },
      ...{ entity: { id: entity }, requestId },
    });
    t.deepEqual(data[0].changes.map(({ field }: { field: string }) => field).toSorted(), fields);
  });
}

test('the audit row of a new calendar address names the address that it replaces', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('compliance_officer');
  bodyOf(await client.post(FEED), 201);
  const first = await feedOf(house);
  bodyOf(await client.post(FEED), 201);
  const second = await feedOf(house);
  const { data } = bodyOf(await house.as('auditor').get('/v1/audit', { query: { entity: second } }));
  t.deepEqual(data[0].changes, [{ field: 'address', before: first, after: second }]);
});

/** Creates something for a DELETE to end. @returns its path, and who deletes it; by default the admin */
type Begin = (house: House, admin: TestClient) => Promise<{ path: string; client?: TestClient }>;

const member: Begin = async (house, admin) => {
  const path = `/v1/producers/${await house.addProducer()}/members/${newId('user')}`;
  bodyOf(await admin.put(path));
  return { path };
};

const participant: Begin = async (house, admin) => {
  const { id: submissionId } = await submit(house.as('underwriter'));
  const participants = [{ userId: 'usr_agent' }];
  const { id } = bodyOf(await admin.post('/v1/deal-rooms', { submissionId, participants }), 201);
  return { path: `/v1/deal-rooms/${id}/participants/usr_agent` };
};

const notice: Begin = async (house) => {
  const client = house.as('underwriter');
  const path = `/v1/policies/${(await bound(client)).policyId}/non-renew`;
  bodyOf(await client.post(path, { reason: 'The line is given up.' }));
  return { path, client };
};

/** Autopay for an insured whose card the processor has confirmed. */
async function autopay(house: House, inPortal: boolean): Promise<{ path: string; client: TestClient }> {
  const { policyId } = await bound(house.as('underwriter'), { insuredEmail: 'payer@example.com' });
  const portal = platform.as({ role: 'policyholder', org: house.orgId, sub: policyId });
  const path = '/v1/portal/autopay';
  const setup = bodyOf(await portal.post(path, { termsVersion: '2026-11' }), 201);
  platform.providers.processor.setUp(setup.setupIntentId);
  await eventually(async () => bodyOf(await portal.get(path)).status === 'active', { what: 'the card' });
  return inPortal
    ? { path, client: portal }
    : { path: `/v1/policies/${policyId}/autopay`, client: house.as('billing_admin') };
}

/** By operation. */
const DELETES: Readonly<Record<string, Begin>> = {
  deleteFlag: async (_house, admin) => {
    bodyOf(await admin.put('/v1/flags/auto_renewal', { value: true }));
    return { path: '/v1/flags/auto_renewal' };
  },
  removeOperator: async ({ orgId, as }) => {
    const [path, client] = [`/v1/organizations/${orgId}/operators/usr_operator`, as('superadmin')];
    bodyOf(await client.put(path));
    return { path, client };
  },
  deleteWebhook: async (_house, admin) => ({ path: `/v1/webhooks/${await webhookOf(admin)}` }),
  withdrawNonRenewal: notice,
  withdrawSanctionsClearance: async (_house, admin) => ({
    path: `/v1/sanctions/clearances/${await clearanceOf(admin)}`,
  }),
  revokeApiKey: async (_house, admin) => {
    const { id } = bodyOf(await admin.post('/v1/api-keys', { name: 'A key', scopes: ['policies:read'] }), 201);
    return { path: `/v1/api-keys/${id}` };
  },
  deletePolicyAutopay: (house) => autopay(house, false),
  deletePortalAutopay: (house) => autopay(house, true),
  liftBillingHold: async (_house, admin) => {
    const hold = { state: 'LA', from: '2030-09-01', to: '2030-09-30' };
    return { path: `/v1/billing-holds/${bodyOf(await admin.post('/v1/billing-holds', hold), 201).id}` };
  },
  removeCalendarFeed: async (_house, admin) => {
    bodyOf(await admin.post(FEED), 201);
    return { path: FEED };
  },
  removeDealRoomParticipant: participant,
  removeProducerMember: member,
};

test('every DELETE has a row in the table of repeated ones', (t) => {
  const deleting = ROUTES.filter(({ method }) => method === 'delete').map(({ operationId }) => operationId);
  t.deepEqual(Object.keys(DELETES).toSorted(), deleting.toSorted());
});

for (const [operationId, begin] of Object.entries(DELETES)) {
  test(`${operationId}: two simultaneous calls and a third end one thing, and return the same response`, async (t) => {
    const house = await newHouse(platform);
    const { path, client = house.as('org_admin') } = await begin(house, house.as('org_admin'));
    const answers = [...(await Promise.all([client.del(path), client.del(path)])), await client.del(path)];
    const status = operationId === 'withdrawNonRenewal' ? 200 : 204;
    for (const answer of answers) t.is(answer.status, status, answer.text);
    t.is(new Set(answers.map(({ text }) => text)).size, 1);
    const requestIds = answers.map(({ headers }) => headers.get('x-request-id'));
    const auditor = house.as('auditor');
    const audits = requestIds.map((requestId) => auditor.get('/v1/audit', { query: { requestId: requestId ?? '' } }));
    t.is((await Promise.all(audits)).flatMap((each) => bodyOf(each).data).length, 1);
  });
}
