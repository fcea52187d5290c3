import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { runPostgres } from '../../auth/sql.ts';
import type { TestClient } from '../../support/client.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, bound, newHouse, quoted, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a refer flag opens one referral, which names its question; quoting again moves it on', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const first = await quoted(client, { lossesLast5Years: 3 });
  const { submissionId } = first;
  const again = bodyOf(await client.post(`/v1/submissions/${submissionId}/quote`), 201);
  const { data } = bodyOf(await client.get('/v1/referrals'));
  t.is(data.length, 1);
  const [referral] = data;
  t.like(referral, { submissionId, policyId: null, quoteId: again.id, status: 'pending', decidedBy: null });
  t.is(referral.daFlags[0].code, 'DA_LOSS_HISTORY');
  const read = await client.get(`/v1/referrals/${referral.id}`);
  const { mayDecide, deciders, ...same } = bodyOf(read);
  t.deepEqual([mayDecide, deciders], [false, []]);
  t.deepEqual(same, referral);
  t.truthy(read.headers.get('etag'));
});

test('each filter of the list shows the referrals it describes', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const one = await quoted(client, { lossesLast5Years: 3 });
  const two = await quoted(client, { requestedLimit: 5_000_000 });
  bodyOf(await client.post(`/v1/submissions/${two.submissionId}/withdraw`));
  const subjects = async (query: Record<string, string>) =>
    bodyOf(await client.get('/v1/referrals', { query })).data.map((row: { submissionId: string }) => row.submissionId);
  t.deepEqual(await subjects({}), [two.submissionId, one.submissionId]);
  t.deepEqual(await subjects({ status: 'pending' }), [one.submissionId]);
  t.deepEqual(await subjects({ status: 'withdrawn' }), [two.submissionId]);
  t.deepEqual(await subjects({ submissionId: one.submissionId }), [one.submissionId]);
});

test('referrals are found by their policy, their deal room and their requester', async (t) => {
  const house = await newHouse(platform);
  const [one, other] = [house.as('underwriter', 'one'), house.as('underwriter', 'other')];
  const { policyId } = await bound(one);
  const { id: submissionId } = await submit(other);
  const { id: dealRoomId } = bodyOf(await other.post('/v1/deal-rooms', { submissionId, participants: [] }), 201);
  const refer = async (client: TestClient, subject: object): Promise<string> =>
    bodyOf(await client.post('/v1/referrals', { ...subject, reason: 'A good restaurant.' }), 201).id;
  const ofPolicy = await refer(one, { policyId });
  const inRoom = await refer(other, { submissionId, dealRoomId });
  const found = async (query: Record<string, string>) =>
    bodyOf(await one.get('/v1/referrals', { query })).data.map(({ id }: { id: string }) => id);
  t.deepEqual(await found({}), [inRoom, ofPolicy]);
  t.deepEqual(await found({ policyId }), [ofPolicy]);
  t.deepEqual(await found({ dealRoomId }), [inRoom]);
  t.deepEqual(await found({ requestedBy: 'one' }), [ofPolicy]);
  t.deepEqual(await found({ requestedBy: 'other' }), [inRoom]);
  t.deepEqual(await found({ policyId, requestedBy: 'other' }), []);
});

test('another organization has no such referral, and a producer reads none', async (t) => {
  const house = await newHouse(platform);
  const quote = await quoted(house.as('underwriter'), { lossesLast5Years: 3 });
  const path = `/v1/referrals/${quote.daFlags[0].referralId}`;
  t.is((await (await newHouse(platform)).as('org_admin').get(path)).status, 404);
  t.is((await house.as('producer').get(path)).status, 403);
  t.is((await submit(house.as('underwriter'))).referralIds.length, 0);
});

test('a referral names the only person who may decide, however many who may not come first', async (t) => {
  const house = await newHouse(platform);
  const sql = runPostgres(platform.testDatabase);
  t.teardown(() => sql.end());
  const add = async (role: string) => {
    const [id, personId] = [newId('user'), newId('user')];
    const email = `${id}@example.test`;
    await sql.query('insert into auth.people (id, email, name) values ($1, $2, $2)', [personId, email]);
    await sql.query(
      `insert into auth.users (id, person_id, member_since, org_id, email, name, role, origin)
        values ($1, $2, now(), $3, $4, $4, $5, 'invited')`,
      [id, personId, house.orgId, email, role],
    );
    return id;
  };
  for (let i = 0; i < 101; i += 1) await add('underwriter');
  const userId = await add('org_admin');
  const client = house.as('underwriter');
  // Above the contract's limits.
  const { daFlags } = await quoted(client, { requestedLimit: 5_000_000 });
  const { deciders } = bodyOf(await client.get(`/v1/referrals/${daFlags[0].referralId}`));
  t.deepEqual(deciders, [{ userId, role: 'org_admin', decidesFor: null }]);
});

test('a caller can check whether they may decide on a referral, or post in a room, before they try', async (t) => {
  const house = await newHouse(platform);
  const limits = (limit: number) => ({
    maxLimitCents: limit * 100,
    maxPremiumCents: 10_000_000,
    linesOfBusiness: null,
  });
  const [asking, lender] = [house.as('underwriter', 'asking'), await house.asUnderwriter(limits(1_000_000), 'lender')];
  const deputy = await house.asUnderwriter(limits(500_000), 'deputy');
  const { submissionId, ...quote } = await quoted(asking, { lossesLast5Years: 3 });
  const decision = { action: 'referral:decide', resource: quote.daFlags[0].referralId };
  const answerTo = async (client: TestClient, question: object) =>
    bodyOf(await client.post('/v1/permissions/check', question));
  t.like(await answerTo(asking, decision), { allowed: false, denial: { reason: 'own_request' } });
  t.like(await answerTo(lender, decision), { allowed: true, denial: null });
  t.like(await answerTo(deputy, decision), { allowed: false, denial: { limit: 500_000, actual: 1_000_000 } });
  const today = testToday();
  bodyOf(await lender.post('/v1/delegations', { toUserId: 'deputy', from: today, to: today }), 201);
  t.true((await answerTo(deputy, decision)).allowed);

  const participants = [{ userId: 'deputy', role: 'observer' }];
  const { id: resource } = bodyOf(await asking.post('/v1/deal-rooms', { submissionId, participants }), 201);
  const may = async (client: TestClient, action: string) => (await answerTo(client, { action, resource })).allowed;
  t.deepEqual([await may(asking, 'deal_room:post'), await may(deputy, 'deal_room:post')], [true, false]);
  t.deepEqual([await may(deputy, 'deal_room:read'), await may(lender, 'deal_room:read')], [true, false]);
  const refused = await asking.post('/v1/permissions/check', { action: 'referral:decide', resource });
  t.like(refused, { status: 400, body: { details: { field: 'resource', rule: 'enum' } } });
});
