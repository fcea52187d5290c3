import test from 'ava';
import type { TestClient } from '../../support/client.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Covered, covered } from './claim-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** A claim investigated by an adjuster, with an indemnity reserve. */
async function reservedClaim({ file, supervisor }: Covered, indemnity: number, cause = 'Slip and fall') {
  const { id } = bodyOf(await file({ cause }), 201);
  const path = `/v1/claims/${id}`;
  bodyOf(await supervisor.post(`${path}/investigate`, { adjusterId: 'usr_adjuster' }));
  bodyOf(await supervisor.post(`${path}/reserves`, { indemnity, expense: 0, reason: 'Estimate.' }), 201);
  return { id, path };
}

const settle = (client: TestClient, path: string, amount: number, more: object = {}) =>
  client.post(`${path}/settle`, { amount, payee: 'Ada Guest', ...more });

test('an adjuster offers, a supervisor approves: the deductible is borne by the insured, the rest is paid out of the reserve', async (t) => {
  const policy = await covered(platform, { deductible: 1000 });
  const { house, supervisor, today } = policy;
  const { id, path } = await reservedClaim(policy, 10_000);
  const adjuster = house.as('claims_adjuster', 'usr_adjuster');
  const offered = bodyOf(await settle(adjuster, path, 6000, { notes: 'In full.' }), 201);
  t.is(offered.status, 'settlement_offered');
  t.like(offered.settlement, {
    ...{ status: 'offered', amount: 6000, deductible: 1000, payable: 5000, payee: 'Ada Guest', notes: 'In full.' },
    ...{ blockers: [], offeredBy: 'usr_adjuster', decidedBy: null, date: today },
  });
  t.is(offered.paid.total, 0);
  t.is((await adjuster.post(`${path}/settle/approve`)).status, 403);
  const approved = bodyOf(await supervisor.post(`${path}/settle/approve`));
  t.like(approved, { status: 'settled', incurred: 9000, decidedOn: today, acknowledgedOn: today });
  t.like(approved.settlement, { status: 'approved', decidedBy: 'usr_test_claims_supervisor' });
  t.is(approved.paid.indemnity, 5000);
  // 10,000 less the settled loss of 6,000, of which the insured bears 1,000.
  t.is(approved.reserves.indemnity, 4000);
  const [event] = bodyOf(await house.as('org_admin').get('/v1/events', { query: { type: 'claim.settled' } })).data;
  const { claimNumber, policyId } = approved;
  t.deepEqual(event.data, { claimId: id, claimNumber, policyId, status: 'settled', amount: 6000 });
  const closed = bodyOf(await supervisor.post(`${path}/close`, { outcome: 'paid' }));
  t.like(closed, { status: 'closed', incurred: 5000 });
  t.is(closed.reserves.total, 0);
  const actions = bodyOf(await supervisor.get(`${path}/timeline`)).data.map(({ action }: { action: string }) => action);
  t.deepEqual(actions, ['file', 'investigate', 'reserve', 'settle', 'approve', 'close']);
});

test('an open offer shows the amount payable now, even once the deductible of the day of loss has changed', async (t) => {
  const { supervisor, client, policyId, today, file } = await covered(platform, { deductible: 1000 });
  const { id } = bodyOf(await file(), 201);
  const path = `/v1/claims/${id}`;
  bodyOf(await supervisor.post(`${path}/investigate`, {}));
  bodyOf(await supervisor.post(`${path}/reserves`, { indemnity: 9000, expense: 0, reason: 'Estimate.' }), 201);
  bodyOf(await supervisor.post(`${path}/settle`, { amount: 4000, payee: 'Ada Guest', approve: false }), 201);
  const offered = async () => bodyOf(await supervisor.get(path)).settlement;
  t.like(await offered(), { amount: 4000, deductible: 1000, payable: 3000 });
  const endorsement = { effectiveDate: today, changes: { deductible: 2500 } };
  bodyOf(await client.post(`/v1/policies/${policyId}/endorse`, endorsement), 201);
  t.like(await offered(), { amount: 4000, deductible: 2500, payable: 1500 });
});

test('an approver approves with the offer, unless they leave it to another; only an administrator approves their own offer', async (t) => {
  const policy = await covered(platform);
  const { house, supervisor } = policy;
  const first = await reservedClaim(policy, 1000);
  t.is(bodyOf(await settle(supervisor, first.path, 1000), 201).status, 'settled');
  const second = await reservedClaim(policy, 1000, 'Fire');
  t.is(bodyOf(await settle(supervisor, second.path, 1000, { approve: false }), 201).status, 'settlement_offered');
  t.like(await supervisor.post(`${second.path}/settle/approve`), { status: 403, body: { error: 'forbidden' } });
  const rejected = bodyOf(await supervisor.post(`${second.path}/settle/reject`, { reason: 'Too much.' }));
  t.like(rejected, { status: 'investigating', settlement: { status: 'rejected' } });
  const admin = house.as('org_admin');
  t.is(bodyOf(await settle(admin, second.path, 900, { approve: false }), 201).status, 'settlement_offered');
  t.is(bodyOf(await admin.post(`${second.path}/settle/approve`)).status, 'settled');
  const { data } = bodyOf(await admin.get('/v1/audit', { query: { entity: second.id } }));
  const approval = data.find(({ action }: { action: string }) => action === 'claim:approve');
  const alone = approval.changes.find(({ field }: { field: string }) => field === 'alone');
  t.deepEqual(alone, { field: 'alone', before: null, after: true });
  const third = await reservedClaim(policy, 1000, 'Wind');
  const adjuster = house.as('claims_adjuster', 'usr_adjuster');
  t.is((await settle(adjuster, third.path, 1, { approve: true })).status, 403);
});

test('a settlement above the reserve or the remaining limit is refused, at the offer and at the approval', async (t) => {
  const policy = await covered(platform);
  const { supervisor, house } = policy;
  const low = await reservedClaim(policy, 500);
  t.like(await settle(supervisor, low.path, 500.01), { status: 422, body: { error: 'reserve_too_low' } });
  const high = await reservedClaim(policy, 3_000_000, 'Fire');
  const beyond = await settle(supervisor, high.path, 1_000_000.01);
  t.like(beyond, { status: 422, body: { error: 'limit_exhausted' } });
  t.deepEqual(beyond.body.details, { limit: 'occurrence', remaining: 1_000_000, actual: 1_000_000.01 });
  bodyOf(await settle(supervisor, high.path, 1_000_000), 201);
  // 1,000,000 of the term's 2,000,000 is paid.
  const offers = await Promise.all(['Wind', 'Hail'].map((cause) => reservedClaim(policy, 900_000, cause)));
  const adjuster = house.as('claims_adjuster', 'usr_adjuster');
  for (const { path } of offers) bodyOf(await settle(adjuster, path, 900_000), 201);
  const [first, second] = offers as [(typeof offers)[0], (typeof offers)[0]];
  bodyOf(await supervisor.post(`${first.path}/settle/approve`));
  const last = await supervisor.post(`${second.path}/settle/approve`);
  t.like(last, {
    status: 422,
    body: { error: 'limit_exhausted', details: { limit: 'aggregate', remaining: 100_000 } },
  });
  t.is(bodyOf(await supervisor.get(second.path)).status, 'settlement_offered');
});

test('one of eight settlements racing for the rest of the aggregate limit wins, and none exceeds it', async (t) => {
  const policy = await covered(platform);
  const { supervisor, policyId } = policy;
  const causes = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const claims = await Promise.all(causes.map((cause) => reservedClaim(policy, 1_000_000, cause)));
  const [first, ...others] = claims as [(typeof claims)[0]];
  bodyOf(await settle(supervisor, first.path, 1_000_000), 201);
  const answers = await Promise.all(others.map(({ path }) => settle(supervisor, path, 1_000_000)));
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 422, 422, 422, 422, 422, 422]);
  const { data } = bodyOf(await supervisor.get('/v1/claims', { query: { policyId } }));
  const paid = data.reduce((sum: number, { paid }: { paid: { indemnity: number } }) => sum + paid.indemnity, 0);
  t.is(paid, 2_000_000);
});

test('two supervisors who approve simultaneously approve once; an approval racing a denial has one winner', async (t) => {
  const policy = await covered(platform);
  const { house } = policy;
  const supervisors = ['usr_a', 'usr_b'].map((sub) => house.as('claims_supervisor', sub));
  const adjuster = house.as('claims_adjuster', 'usr_adjuster');
  for (const action of ['settle/approve', 'deny']) {
    const { path } = await reservedClaim(policy, 1000, action);
    bodyOf(await settle(adjuster, path, 400), 201);
    const [one, other] = supervisors as [TestClient, TestClient];
    const answers = await Promise.all([
      one.post(`${path}/settle/approve`),
      other.post(`${path}/${action}`, action === 'deny' ? { reason: 'Excluded.' } : undefined),
    ]);
    t.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422], action);
    const { status, paid, settlement } = bodyOf(await one.get(path));
    t.is(paid.indemnity, status === 'settled' ? 400 : 0);
    t.is(settlement.status, status === 'settled' ? 'approved' : 'rejected');
  }
});

test('a payee on a sanctions list leaves the claim as an offer that nobody can approve; nothing is paid', async (t) => {
  const policy = await covered(platform);
  const { supervisor, house } = policy;
  const [entry] = await platform.database.acrossOrgs('a name on the list', (em) =>
    em.execute<{ name: string }[]>('select name from sanctions_entries limit 1'),
  );
  const { path } = await reservedClaim(policy, 1000);
  const blocked = bodyOf(await settle(supervisor, path, 400, { payee: entry?.name }), 201);
  t.like(blocked, { status: 'settlement_offered', settlement: { blockers: ['SANCTIONS_REVIEW'] } });
  const refused = await house.as('org_admin').post(`${path}/settle/approve`);
  t.like(refused, { status: 422, body: { error: 'not_ready', details: { blockers: ['SANCTIONS_REVIEW'] } } });
  t.is(bodyOf(await supervisor.get(path)).paid.total, 0);
  bodyOf(await supervisor.post(`${path}/settle/reject`));
  t.is(bodyOf(await settle(supervisor, path, 400), 201).status, 'settled');
});

test('an offer above an own authority waits for somebody with more, and its approval is refused with the limit and the amount', async (t) => {
  const policy = await covered(platform);
  const { house, supervisor } = policy;
  const admin = house.as('org_admin');
  const limits = { maxLimit: 100_000, maxPremium: 5000, maxSettlement: 5000 };
  const limited = async (role: string, email: string) => {
    const { id } = bodyOf(await admin.post('/v1/users', { email, role }), 201);
    bodyOf(await admin.put(`/v1/users/${id}/authority`, limits));
    return { id, client: house.as(role, id) };
  };
  const adjuster = await limited('claims_adjuster', 'adjuster@example.com');
  const approver = await limited('claims_supervisor', 'approver@example.com');
  const { id, path } = await reservedClaim(policy, 9000);
  bodyOf(await supervisor.post(`${path}/assign`, { adjusterId: adjuster.id }));
  const beyond = { status: 403, body: { error: 'forbidden', details: { limit: 5000, actual: 5000.01 } } };
  const waits = { status: 'settlement_offered', paid: { total: 0 } };
  t.like(bodyOf(await settle(adjuster.client, path, 5000.01), 201), waits, id);
  const refused = await approver.client.post(`${path}/settle/approve`);
  t.like(refused, beyond);
  t.regex(refused.body.message, /total payments on one claim of \$5,000\.00, and this is \$5,000\.01/);
  bodyOf(await supervisor.post(`${path}/settle/reject`, {}));
  t.like(await settle(approver.client, path, 5000.01, { approve: true }), beyond);
  t.like(bodyOf(await settle(approver.client, path, 5000.01), 201), waits);
  t.is(bodyOf(await supervisor.post(`${path}/settle/approve`)).status, 'settled');
  const { path: other } = await reservedClaim(policy, 9000);
  bodyOf(await supervisor.post(`${other}/assign`, { adjusterId: adjuster.id }));
  bodyOf(await settle(adjuster.client, other, 5000), 201);
  t.is(bodyOf(await approver.client.post(`${other}/settle/approve`)).status, 'settled');
});

test('an own authority holds for the sum of a claim: it cannot be passed by settling and paying in parts', async (t) => {
  const policy = await covered(platform);
  const { house, supervisor } = policy;
  const admin = house.as('org_admin');
  const { id } = bodyOf(await admin.post('/v1/users', { email: 's@example.com', role: 'claims_supervisor' }), 201);
  bodyOf(await admin.put(`/v1/users/${id}/authority`, { maxLimit: 100_000, maxPremium: 5000, maxSettlement: 5000 }));
  const limited = house.as('claims_supervisor', id);
  const { path } = await reservedClaim(policy, 9000);
  const pay = (amount: number) =>
    limited.post(`${path}/payments`, { kind: 'indemnity', amount, payee: 'Ada Guest', reference: `Bill ${amount}` });
  bodyOf(await pay(3000), 201);
  const beyond = (actual: number) => ({ status: 403, body: { error: 'forbidden', details: { limit: 5000, actual } } });
  t.like(await pay(2001), beyond(5001));
  t.like(await settle(limited, path, 2000.01, { approve: true }), beyond(5000.01));
  bodyOf(await settle(supervisor, path, 2500, { approve: false }), 201);
  t.like(await limited.post(`${path}/settle/approve`), beyond(5500));
  bodyOf(await supervisor.post(`${path}/settle/reject`, {}));
  t.is(bodyOf(await settle(limited, path, 2000), 201).status, 'settled');
});
