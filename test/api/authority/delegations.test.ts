// A user who is away lends a deputy the authority to decide referrals: for set days, within the lender's own
// authority, never on either's own request, and on record.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { addDays } from '../../../domain/dates.ts';
import { runPostgres } from '../../auth/sql.ts';
import type { TestClient } from '../../support/client.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, type House, newHouse, quoted } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured } from '../policy/policy-calls.ts';
import { referralOf } from './referral-calls.ts';

const TODAY = testToday();
const [TOMORROW, LAST] = [addDays(TODAY, 1), addDays(TODAY, 3)];
const upTo = (limit: number) => ({ maxLimitCents: limit * 100, maxPremiumCents: 10_000_000, linesOfBusiness: null });

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** Refers a risk with a limit above the deputy's own authority. */
const referred = async (asking: TestClient, requestedLimit = 1_000_000) =>
  referralOf(await quoted(asking, { lossesLast5Years: 3, requestedLimit }));

const approve = (client: TestClient, id: string) =>
  client.post(`/v1/referrals/${id}/decision`, { decision: 'approve', notes: 'A good risk.' });

const lend = async (client: TestClient, toUserId: string, days = { from: TODAY, to: LAST }) =>
  bodyOf(await client.post('/v1/delegations', { toUserId, ...days }), 201);

const decidable = async (client: TestClient) =>
  bodyOf(await client.get('/v1/referrals', { query: { decidableBy: 'me' } })).data.map(({ id }: { id: string }) => id);

/** A deputy with an authority of 500,000, and a lender with a million. */
async function deputyAndLender(house: House) {
  return Promise.all([house.asUnderwriter(upTo(500_000), 'deputy'), house.asUnderwriter(upTo(1_000_000), 'lender')]);
}

test('a deputy decides only what the lender may decide, never what either requested, and the record names both', async (t) => {
  const house = await newHouse(platform);
  const [[deputy, lender], asking] = [await deputyAndLender(house), house.as('underwriter', 'asking')];
  const [id, above] = [await referred(asking), await referred(asking, 2_000_000)];
  const [ofLender, ofDeputy] = [
    await referred(lender),
    await referred(await house.asUnderwriter(upTo(1e6), 'deputy2')),
  ];
  const beyond = { permission: 'referral:decide', limit: 500_000, actual: 1_000_000 };
  t.like(await approve(deputy, id), { status: 403, body: { details: beyond } });
  t.deepEqual(await decidable(deputy), []);

  const lent = await lend(lender, 'deputy');
  t.like(lent, { fromUserId: 'lender', toUserId: 'deputy', from: TODAY, to: LAST, status: 'active', endedAt: null });
  await lend(lender, 'deputy2');
  t.deepEqual(await decidable(deputy), [ofDeputy, id]);
  t.true(bodyOf(await deputy.get(`/v1/referrals/${id}`)).mayDecide);
  t.like(await approve(deputy, above), { status: 403, body: { details: { limit: 500_000, actual: 2_000_000 } } });
  t.like(await approve(deputy, ofLender), { status: 403, body: { details: beyond } });
  const deputy2 = house.as('underwriter', 'deputy2');
  t.like(await approve(deputy2, ofDeputy), { status: 403, body: { details: { reason: 'own_request' } } });
  const approved = bodyOf(await approve(deputy, id));
  t.like(approved, { status: 'approved', decidedBy: 'deputy', decidedFor: 'lender' });
  const audited = bodyOf(await house.as('org_admin').get('/v1/audit', { query: { entity: id } })).data;
  const decision = audited.find(({ action }: { action: string }) => action === 'referral:approve');
  t.is(decision.actor.id, 'deputy');
  t.like(
    decision.changes.find(({ field }: { field: string }) => field === 'decidedFor'),
    { after: 'lender' },
  );
  const within = await referred(asking, 500_000);
  t.like(bodyOf(await approve(deputy, within)), { decidedBy: 'deputy', decidedFor: null });
});

test("delegated authority holds on its days within the lender's, is not delegated on, and ends with it", async (t) => {
  const house = await newHouse(platform);
  const [[deputy, lender], asking] = [await deputyAndLender(house), house.as('underwriter', 'asking')];
  const admin = house.as('org_admin');
  const ids = await Promise.all([1, 2, 3].map(() => referred(asking)));
  const { id: lentId } = await lend(lender, 'deputy', { from: TOMORROW, to: LAST });
  await lend(deputy, 'third');
  const third = await house.asUnderwriter(upTo(1), 'third');
  t.deepEqual(await decidable(deputy), []);
  t.is((await approve(deputy, ids[0] ?? '')).status, 403);
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: TOMORROW }));
  t.deepEqual([await decidable(deputy), await decidable(third)], [ids.toSorted().toReversed(), []]);
  t.is(bodyOf(await approve(deputy, ids[0] ?? '')).decidedFor, 'lender');
  t.is((await approve(third, ids[1] ?? '')).status, 403);

  const path = `/v1/delegations/${lentId}/end`;
  t.is((await third.post(path)).status, 403);
  t.like(bodyOf(await deputy.post(path)), { status: 'ended', endedBy: 'deputy' });
  t.like(await lender.post(path), { status: 422, body: { error: 'invalid_state_transition' } });
  t.is((await approve(deputy, ids[1] ?? '')).status, 403);
  await lend(lender, 'deputy', { from: TOMORROW, to: LAST });
  t.is(bodyOf(await approve(deputy, ids[1] ?? '')).decidedFor, 'lender');
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(LAST, 1) }));
  t.is((await approve(deputy, ids[2] ?? '')).status, 403);
  const listed = bodyOf(await admin.get('/v1/delegations', { query: { fromUserId: 'lender' } })).data;
  t.deepEqual(
    listed.map(({ status }: { status: string }) => status),
    ['ended', 'ended'],
  );
  for (const [body, field] of [
    [{ toUserId: 'lender', from: LAST, to: addDays(LAST, 5) }, 'from'],
    [{ toUserId: 'lender', from: addDays(LAST, 1), to: addDays(LAST, 5) }, 'toUserId'],
  ] as const) {
    t.like(await lender.post('/v1/delegations', body), { status: 400, body: { details: { field } } });
  }
});

test('an administrator lends more than any underwriter has, for the change that an approval carries out too', async (t) => {
  const policy = await insured(platform);
  const { house, effectiveDate } = policy;
  const deputy = await house.asUnderwriter(upTo(500_000), 'deputy');
  const refused = await policy.change('endorse', { effectiveDate, changes: { requestedLimit: 3_000_000 } });
  const id = referralOf(refused.body.details);
  t.is((await approve(deputy, id)).status, 403);
  await lend(house.as('org_admin', 'admin'), 'deputy');
  const approved = bodyOf(await approve(deputy, id));
  t.like(approved, { decidedBy: 'deputy', decidedFor: 'admin' });
  t.is((await policy.read()).limit, 3_000_000);
  t.is((await policy.change('endorse', { effectiveDate, changes: { annualRevenue: 1_100_000 } })).status, 201);
});

test('a person who is deactivated or has lost the authority delegates none, and is no deputy', async (t) => {
  const house = await newHouse(platform);
  const [admin, asking] = [house.as('org_admin'), house.as('underwriter', 'asking')];
  const [personId, lenderId] = [newId('user'), newId('user')];
  const sql = runPostgres(platform.testDatabase);
  t.teardown(() => sql.end());
  const email = `${lenderId}@example.test`;
  await sql.query('insert into auth.people (id, email, name) values ($1, $2, $2)', [personId, email]);
  await sql.query(
    `insert into auth.users (id, person_id, member_since, org_id, email, name, role, origin)
      values ($1, $2, now(), $3, $4, $4, 'underwriter', 'invited')`,
    [lenderId, personId, house.orgId, email],
  );
  const lender = await house.asUnderwriter(upTo(1_000_000), lenderId);
  const deputy = await house.asUnderwriter(upTo(500_000), 'deputy');
  await lend(lender, 'deputy');
  const id = await referred(asking);
  t.true(bodyOf(await deputy.get(`/v1/referrals/${id}`)).mayDecide);
  const deciders = async () => bodyOf(await admin.get(`/v1/referrals/${id}`)).deciders;
  t.deepEqual(await deciders(), [{ userId: lenderId, role: 'underwriter', decidesFor: null }]);
  const lowered = {
    maxLimit: 900_000,
    maxPremium: 100_000,
    linesOfBusiness: null,
    maxReserve: null,
    maxSettlement: null,
  };
  bodyOf(await admin.put(`/v1/users/${lenderId}/authority`, lowered));
  t.is((await approve(deputy, id)).status, 403);
  bodyOf(await admin.put(`/v1/users/${lenderId}/authority`, { ...lowered, maxLimit: 1_000_000 }));
  t.deepEqual(await decidable(deputy), [id]);
  bodyOf(await admin.patch(`/v1/users/${lenderId}`, { active: false }));
  t.is((await approve(deputy, id)).status, 403);
  t.deepEqual([await decidable(deputy), await deciders()], [[], []]);
  const body = { toUserId: lenderId, from: TODAY, to: LAST };
  t.like(await admin.post('/v1/delegations', body), { status: 400, body: { details: { field: 'toUserId' } } });
});
