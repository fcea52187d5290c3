import test from 'ava';
import { bodyOf, bound, newHouse, quoted } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const CONTRACT = {
  carrier: 'Pioneer Mutual',
  year: 2031,
  maxPolicyLimit: 1_000_000,
  maxPremium: 50_000,
  maxAnnualRevenue: 5_000_000,
  maxAnnualPremiumVolume: 1_500_000.5,
  linesOfBusiness: ['GL', 'CP'],
  states: ['TX'],
  prohibitedNaics: ['1133'],
};

test('a new organization has one active contract for every line, state and year', async (t) => {
  const house = await newHouse(platform);
  const { data } = bodyOf(await house.as('underwriter').get('/v1/da-contracts'));
  t.is(data.length, 1);
  t.like(data[0], { status: 'active', year: null, maxPolicyLimit: 2_000_000, maxPremium: 100_000 });
  t.like(data[0], { maxAnnualRevenue: 25_000_000, maxAnnualPremiumVolume: 10_000_000 });
  t.deepEqual([data[0].linesOfBusiness.length, data[0].states.length], [9, 51]);
});

test('a platform operator records and changes a contract; an org_admin may not record one', async (t) => {
  const house = await newHouse(platform);
  const operator = house.as('platform_operator');
  const created = await operator.post('/v1/da-contracts', CONTRACT);
  t.is(created.status, 201);
  t.like(created.body, {
    carrier: 'Pioneer Mutual',
    year: 2031,
    status: 'active',
    maxAnnualPremiumVolume: 1_500_000.5,
  });
  t.deepEqual([created.body.referNaics, created.body.carrierNaicCode], [[], null]);
  const misread = await operator.post('/v1/da-contracts', { ...CONTRACT, carrierNaicCode: 'NY-12' });
  t.like(misread, { status: 400, body: { details: { field: 'carrierNaicCode' } } });
  const path = `/v1/da-contracts/${created.body.id}`;
  const read = await operator.get(path);
  t.deepEqual(read.body, created.body);
  t.is(read.headers.get('etag'), created.headers.get('etag'));
  const widened = bodyOf(await operator.patch(path, { maxPremium: 75_000, states: ['TX', 'FL'], year: null }));
  t.like(widened, { maxPremium: 75_000, year: null, version: created.body.version + 1 });
  t.deepEqual(widened.states, ['TX', 'FL']);
  for (const role of ['org_admin', 'underwriter']) {
    const refused = await house.as(role).post('/v1/da-contracts', CONTRACT);
    t.like(refused, { status: 403, body: { details: { permission: 'da_contract:create' } } });
  }
});

test('an org_admin may tighten a contract in every way and loosen it in none', async (t) => {
  const house = await newHouse(platform);
  const { id } = bodyOf(await house.as('platform_operator').post('/v1/da-contracts', CONTRACT), 201);
  const admin = house.as('org_admin');
  const path = `/v1/da-contracts/${id}`;
  const loosened = [
    { maxPolicyLimit: 1_000_000.01 },
    { maxPremium: 50_001 },
    { maxAnnualRevenue: 6_000_000 },
    { maxAnnualPremiumVolume: 2_000_000 },
    { linesOfBusiness: ['GL', 'CYBER'] },
    { states: ['TX', 'FL'] },
    { prohibitedNaics: [] },
    { carrier: 'Another' },
    { carrierNaicCode: '20443' },
    { year: null },
    { status: 'terminated' },
    { maxPremium: 40_000, states: ['FL'] },
  ];
  for (const change of loosened) {
    const refused = await admin.patch(path, change);
    t.is(refused.status, 403, JSON.stringify(change));
    t.like(refused.body, { error: 'forbidden', details: { permission: 'da_contract:update' } });
  }
  t.is(bodyOf(await admin.get(path)).version, 1);
  const tightened = {
    maxPolicyLimit: 500_000,
    maxPremium: 20_000,
    maxAnnualRevenue: 1_000_000,
    maxAnnualPremiumVolume: 1_000_000,
    linesOfBusiness: ['GL'],
    prohibitedNaics: ['1133', '211'],
    referNaics: ['7225'],
    status: 'suspended',
  };
  t.like(bodyOf(await admin.patch(path, tightened)), tightened);
  t.is((await admin.patch(path, { status: 'active' })).status, 403);
});

test('an org_admin may not remove a contract so that another one governs in its place', async (t) => {
  const house = await newHouse(platform);
  const [operator, admin, underwriter] = [
    house.as('platform_operator'),
    house.as('org_admin'),
    house.as('underwriter'),
  ];
  const terms = { ...CONTRACT, year: null, maxPremium: 1_000, states: ['TX', 'FL'], linesOfBusiness: ['GL', 'CP'] };
  const { id } = bodyOf(await operator.post('/v1/da-contracts', terms), 201);
  const path = `/v1/da-contracts/${id}`;
  for (const change of [
    { states: ['FL'] },
    { linesOfBusiness: ['CP'] },
    { status: 'suspended' },
    { linesOfBusiness: [] },
  ]) {
    const refused = await admin.patch(path, change);
    t.like(refused, { status: 403, body: { details: { permission: 'da_contract:update' } } }, JSON.stringify(change));
    t.is((await quoted(underwriter)).daFlags[0].code, 'DA_PREMIUM_EXCEEDED');
  }
  bodyOf(await admin.patch(path, { maxPremium: 900, prohibitedNaics: ['1133', '72'] }));
  const [, wide] = bodyOf(await admin.get('/v1/da-contracts')).data;
  const elsewhere = wide.states.filter((state: string) => state !== 'TX');
  bodyOf(await admin.patch(`/v1/da-contracts/${wide.id}`, { states: elsewhere }));
  bodyOf(await operator.patch(`/v1/da-contracts/${wide.id}`, { status: 'terminated' }));
  t.like(bodyOf(await admin.patch(path, { states: ['FL'], status: 'suspended' })), { states: ['FL'] });
});

test('a contract keeps its carrier once a policy is bound under it, so that the carrier is still owed the same', async (t) => {
  const house = await newHouse(platform);
  const operator = house.as('platform_operator');
  const [{ id }] = bodyOf(await operator.get('/v1/da-contracts')).data;
  const path = `/v1/da-contracts/${id}`;
  t.is(bodyOf(await operator.patch(path, { carrier: 'Pioneer Mutual' })).carrier, 'Pioneer Mutual');
  await bound(house.as('underwriter'));
  t.like(await operator.patch(path, { carrier: 'Acme', maxPremium: 90_000 }), {
    status: 422,
    body: { error: 'invalid_state_transition', details: { resource: 'da_contract', from: 'active', allowed: [] } },
  });
  const changed = bodyOf(await operator.patch(path, { carrier: 'Pioneer Mutual', maxPremium: 90_000 }));
  t.like(changed, { carrier: 'Pioneer Mutual', maxPremium: 90_000 });
});

test('a lowered limit refers risks that were within the authority before', async (t) => {
  const house = await newHouse(platform);
  const underwriter = house.as('underwriter');
  const [contract] = bodyOf(await underwriter.get('/v1/da-contracts')).data;
  t.true((await quoted(underwriter)).bindable);
  bodyOf(await house.as('org_admin').patch(`/v1/da-contracts/${contract.id}`, { maxPolicyLimit: 999_999 }));
  const quote = await quoted(underwriter);
  t.is(quote.status, 'referred');
  t.is(quote.daFlags[0].code, 'DA_LIMIT_EXCEEDED');
});

test('a contract whose volume is used up blocks the bind that a quote had allowed', async (t) => {
  const house = await newHouse(platform);
  const underwriter = house.as('underwriter');
  const [contract] = bodyOf(await underwriter.get('/v1/da-contracts')).data;
  const change = { maxAnnualPremiumVolume: 3990 * 1.5 };
  bodyOf(await house.as('org_admin').patch(`/v1/da-contracts/${contract.id}`, change));
  const second = await quoted(underwriter);
  t.true(second.bindable);
  await bound(underwriter);
  const plan = { installmentPlan: 'PAY_IN_FULL' };
  const refused = await underwriter.post(`/v1/submissions/${second.submissionId}/bind`, plan);
  t.like(refused, { status: 422, body: { error: 'delegated_authority_exceeded' } });
  t.is(refused.body.details.daFlags[0].code, 'DA_AGGREGATE_EXCEEDED');
});

test('one of several simultaneous writes with the same If-Match is carried out, and it alone is audited', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const [{ id }] = bodyOf(await admin.get('/v1/da-contracts')).data;
  const path = `/v1/da-contracts/${id}`;
  const headers = { 'If-Match': (await admin.get(path)).headers.get('etag') ?? '' };
  const writes = Array.from({ length: 5 }, () => admin.patch(path, { maxPremium: 90_000 }, { headers }));
  const statuses = (await Promise.all(writes)).map(({ status }) => status);
  t.deepEqual(statuses.sort(), [200, 412, 412, 412, 412]);
  const audited = await platform.database.forOrg(house.orgId, (em) =>
    em.execute("select actor_role, entity_id, changes from audit_entries where action = 'da_contract:update'"),
  );
  const changes = { maxPremiumCents: { before: 10_000_000, after: 9_000_000 } };
  t.deepEqual(audited, [{ actor_role: 'org_admin', entity_id: id, changes }]);
});

test('another organization has no such contract', async (t) => {
  const house = await newHouse(platform);
  const [{ id }] = bodyOf(await house.as('org_admin').get('/v1/da-contracts')).data;
  const stranger = (await newHouse(platform)).as('org_admin');
  t.is((await stranger.get(`/v1/da-contracts/${id}`)).status, 404);
  t.is((await stranger.patch(`/v1/da-contracts/${id}`, { maxPremium: 1 })).status, 404);
});
