import test from 'ava';
import { CATALOGUED_EVENTS } from '../../../api/openapi/event-catalogue.ts';
import { newId } from '../../../db/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf, bound, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('events are listed newest first and followed oldest first, each exactly once', async (t) => {
  const house = await newHouse(platform);
  const underwriter = house.as('underwriter');
  const policyIds: string[] = [];
  for (let i = 0; i < 4; i += 1) policyIds.push((await bound(underwriter)).policyId);
  const client = house.as('org_admin');
  const newest = await allPages(client, '/v1/events', { limit: 3 });
  t.deepEqual(newest.map(policyOf), policyIds.toReversed());

  const oldest = newest.at(-1)!;
  // An event is held back as long as any transaction on the server that began before it is open.
  const follow = async () => {
    const rows = await allPages(client, '/v1/events', { after: oldest.id, limit: 2 });
    return rows.length === 3 && rows;
  };
  const followed = await eventually(follow, { what: 'three events' });
  t.deepEqual(followed.map(policyOf), policyIds.slice(1));
  const nothing = bodyOf(await client.get('/v1/events', { query: { after: followed.at(-1)!.id } }));
  t.deepEqual(nothing, { data: [], nextCursor: null });
});

test('the filter by type takes every name an event has, and no other', async (t) => {
  const house = await newHouse(platform);
  await bound(house.as('underwriter'));
  const client = house.as('org_admin');
  const count = async (type: string) => bodyOf(await client.get('/v1/events', { query: { type } })).data.length;
  t.is(await count('policy.bound'), 1);
  t.is(await count('policy.cancelled'), 0);
  t.is(await count('claim.opened'), 0);
  const refused = await client.get('/v1/events', { query: { type: 'policy.lost' } });
  t.like(refused, { status: 400, body: { details: { field: 'type', rule: 'enum' } } });
});

test('the filter by entity gives the events that are about it, in both directions', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('org_admin');
  const [first, second, third] = [
    await bound(house.as('underwriter')),
    await bound(house.as('underwriter')),
    await bound(house.as('underwriter')),
  ];
  const policiesOf = async (query: Record<string, string>) =>
    (await allPages(client, '/v1/events', query)).map(policyOf);
  t.deepEqual(await policiesOf({ entityId: second.policyId }), [second.policyId]);
  const [oldest] = (await allPages(client, '/v1/events')).toReversed();
  const follow = async () => (await policiesOf({ after: oldest!.id })).length === 2;
  await eventually(follow, { what: 'two events' });
  t.deepEqual(await policiesOf({ after: oldest!.id, entityId: third.policyId }), [third.policyId]);
  t.deepEqual(await policiesOf({ after: oldest!.id, entityId: first.policyId }), []);
  t.deepEqual(await policiesOf({ entityId: newId('claim') }), []);
  for (const entityId of ['pol_nonsense', newId('user')]) {
    t.is((await client.get('/v1/events', { query: { entityId } })).status, 400, entityId);
  }
});

test('following an event of another organization, or one that never was, is refused', async (t) => {
  const house = await newHouse(platform);
  await bound(house.as('underwriter'));
  const [event] = await allPages(house.as('org_admin'), '/v1/events');
  const stranger = (await newHouse(platform)).as('org_admin');
  for (const after of [event!.id, newId('event'), 'evt_nonsense', newId('policy')]) {
    const refused = await stranger.get('/v1/events', { query: { after } });
    t.like(refused, { status: 400, body: { details: { field: 'after', rule: 'unknown_reference' } } }, after);
  }
  t.deepEqual(bodyOf(await stranger.get('/v1/events')).data, []);
});

test('every id in the data of an event finds the event', async (t) => {
  const client = (await newHouse(platform)).as('org_admin');
  const fields = new Map<string, string>();
  for (const { example } of CATALOGUED_EVENTS) {
    for (const [field, value] of Object.entries(example.data as object))
      if (/^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/.test(value) && field !== 'orgId') fields.set(field, value);
  }
  t.true(fields.size >= 12);
  for (const [field, entityId] of fields)
    t.is((await client.get('/v1/events', { query: { entityId } })).status, 200, field);
});

function policyOf(event: object): string {
  return (event as { data: { policyId: string } }).data.policyId;
}
