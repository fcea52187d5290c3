// Whatever is switched off leaves an audit row with the object, the actor, the request and the change.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { businessDateAt } from '../../../domain/business-day.ts';
import type { TestClient, TestResponse } from '../../support/client.ts';
import { bodyOf, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

const TODAY = businessDateAt(Date.now(), 0);
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
