// Producers from end to end: who sees and changes them, what a suspension stops, appointments and licenses as the
// clock moves, members, tables, negotiated commission.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { addDays } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, bound, EFFECTIVE_DATE, newHouse, quoted, risk, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { decide, referralOf } from '../authority/referral-calls.ts';
import { AGENCY, codesOf, filings, LICENSE, pay, verify } from './producer-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a producer is recorded, read and changed under their version; a number belongs to one of them', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const created = await officer.post('/v1/producers', AGENCY);
  t.is(created.status, 201);
  t.like(created.body, { ...AGENCY, status: 'pending', identity: null, phone: null, address: null, version: 1 });
  const path = `/v1/producers/${created.body.id}`;
  const read = await officer.get(path);
  t.deepEqual(read.body, created.body);
  t.is(read.headers.get('etag'), created.headers.get('etag'));
  t.like(await officer.post('/v1/producers', { name: 'Another', npn: '555' }), {
    ...{ status: 409, body: { error: 'already_exists' } },
  });
  const headers = { 'if-match': read.headers.get('etag') ?? '' };
  const changed = await officer.patch(path, { phone: '+1 713 555 0103', email: null }, { headers });
  t.like(changed, { status: 200, body: { phone: '+1 713 555 0103', email: null, name: AGENCY.name, version: 2 } });
  t.is((await officer.patch(path, { name: 'Late' }, { headers })).status, 412);
  const { data } = bodyOf(await house.as('auditor').get('/v1/audit', { query: { entity: created.body.id } }));
  t.deepEqual(
    data.map(({ action }: { action: string }) => action),
    ['producer:update', 'producer:create'],
  );
  t.false(JSON.stringify(data).includes('gulfcoast'));
});

test("a producer's telephone number must be valid; an older value stays until it is changed", async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const refused = { status: 400, body: { details: { field: 'phone', rule: 'format' } } };
  t.like(await officer.post('/v1/producers', { ...AGENCY, phone: 'none' }), refused);
  const { id } = bodyOf(await officer.post('/v1/producers', { ...AGENCY, phone: '713/555-0103 x12' }), 201);
  const path = `/v1/producers/${id}`;
  t.like(await officer.patch(path, { phone: '713' }), refused);
  t.is(bodyOf(await officer.get(path)).phone, '713/555-0103 x12');
  const phone = 'ask for Jo';
  await platform.database.transaction(house.orgId, (em) =>
    em.execute('update producers set phone = ? where id = ?', [phone, id]),
  );
  t.like(bodyOf(await officer.patch(path, { name: 'Bay Agency' })), { phone, name: 'Bay Agency' });
  t.like(bodyOf(await officer.patch(path, { phone, name: 'Gulf Agency' })), { phone, name: 'Gulf Agency' });
  t.like(await officer.patch(path, { phone: 'ask for Al' }), refused);
  t.is(bodyOf(await officer.patch(path, { phone: null })).phone, null);
});

test('the list is filtered by status, state of license and text, and a producer sees their own alone', async (t) => {
  const [house, other] = [await newHouse(platform), await newHouse(platform)];
  const officer = house.as('compliance_officer');
  const first = bodyOf(await officer.post('/v1/producers', AGENCY), 201);
  const florida = { ...LICENSE, state: 'FL', number: 'FL-1' };
  const second = bodyOf(await officer.post('/v1/producers', { name: 'Bay Agency', licenses: [florida] }), 201);
  bodyOf(await officer.patch(`/v1/producers/${second.id}`, { status: 'terminated' }));
  const idsOf = async (query: Record<string, string>, client: TestClient = officer) =>
    bodyOf(await client.get('/v1/producers', { query })).data.map(({ id }: { id: string }) => id);
  t.deepEqual(await idsOf({}), [second.id, first.id]);
  t.deepEqual(await idsOf({ state: 'TX' }), [first.id]);
  t.deepEqual(await idsOf({ status: 'terminated' }), [second.id]);
  t.deepEqual(await idsOf({ q: 'bay' }), [second.id]);
  t.deepEqual(await idsOf({ q: '555' }), [first.id]);

  const own = await house.asProducer(first.id);
  t.deepEqual(await idsOf({}, own), [first.id]);
  t.is((await own.get(`/v1/producers/${first.id}`)).status, 200);
  t.is((await own.get(`/v1/producers/${second.id}`)).status, 403);
  t.is((await own.get(`/v1/producers/${second.id}/appointments`)).status, 403);
  t.is((await own.patch(`/v1/producers/${first.id}`, { name: 'Mine' })).status, 403);
  t.is((await house.as('billing_admin').get('/v1/producers')).status, 403);
  t.is((await other.as('compliance_officer').get(`/v1/producers/${first.id}`)).status, 404);
  t.deepEqual(await idsOf({}, other.as('org_admin')), []);
});

test('a producer becomes active with a verified identity only, and a move that is not allowed names those that are', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const { id } = bodyOf(await officer.post('/v1/producers', AGENCY), 201);
  const move = (status: string) => officer.patch(`/v1/producers/${id}`, { status });
  t.like(await move('active'), {
    status: 422,
    body: {
      error: 'invalid_state_transition',
      details: { from: 'pending', action: 'active', allowed: ['terminated'] },
    },
  });
  await verify(platform, house, id);
  t.is(bodyOf(await move('active')).status, 'active');
  t.is(bodyOf(await move('suspended')).status, 'suspended');
  t.is(bodyOf(await move('active')).status, 'active');
  t.like(await move('pending'), { status: 422, body: { details: { allowed: ['suspended', 'terminated'] } } });
});

test('a suspended producer submits, quotes and binds nothing, while policies in force are serviced and renewals wait for an approval', async (t) => {
  const house = await newHouse(platform);
  const [officer, underwriter] = [house.as('compliance_officer'), house.as('underwriter')];
  const producerId = await house.addProducer();
  const producer = await house.asProducer(producerId);
  const { policyId, effectiveDate, expirationDate } = await bound(underwriter, { producerId });
  const toQuote = await submit(producer, { producerId });
  const toBind = await quoted(underwriter, { producerId });
  bodyOf(await officer.patch(`/v1/producers/${producerId}`, { status: 'suspended' }));

  const refusals = [
    await producer.post('/v1/submissions', risk({ producerId })),
    await underwriter.post('/v1/submissions', risk({ producerId })),
    await producer.post(`/v1/submissions/${toQuote.id}/quote`),
    await underwriter.post(`/v1/submissions/${toQuote.id}/quote`, undefined, { query: { preview: true } }),
    await underwriter.post(`/v1/submissions/${toBind.submissionId}/bind`, { installmentPlan: 'PAY_IN_FULL' }),
  ];
  for (const { status, body } of refusals) {
    t.is(status, 422);
    t.like(body, { error: 'not_ready', details: { missing: [], blockers: ['PRODUCER_SUSPENDED'] } });
  }
  const endorsed = { effectiveDate, changes: { annualRevenue: 1_300_000 } };
  t.is((await underwriter.post(`/v1/policies/${policyId}/endorse`, endorsed)).status, 201);
  await pay(house, policyId);
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: addDays(expirationDate, -30) }));
  const renew = (query: object = {}) => underwriter.post(`/v1/policies/${policyId}/renew`, {}, { query: { ...query } });
  const renewal = await renew({ preview: true });
  t.is(renewal.status, 422);
  t.deepEqual(codesOf(renewal.body.details.daFlags), ['DA_PRODUCER_NOT_APPOINTED']);
  const referred = await renew();
  t.like(referred, { status: 422, body: { error: 'delegated_authority_exceeded' } });
  const id = referralOf(referred.body.details);
  t.like(bodyOf(await underwriter.get(`/v1/referrals/${id}`)), {
    policyId,
    status: 'pending',
    request: { kind: 'renew' },
  });
  const { transactionId } = bodyOf(await decide(house.as('org_admin'), id, 'approve'));
  const { renewalPolicyId } = bodyOf(await underwriter.get(`/v1/policies/${policyId}`));
  t.like(bodyOf(await underwriter.get(`/v1/policies/${renewalPolicyId}`)), { renewalOf: policyId, producerId });
  const [first] = bodyOf(await underwriter.get(`/v1/policies/${renewalPolicyId}/timeline`)).data;
  t.is(first.id, transactionId);
});

test('a license that expires is shown so, makes its flag at quote and at bind, and its renewal is on file', async (t) => {
  const house = await newHouse(platform);
  const [officer, underwriter] = [house.as('compliance_officer'), house.as('underwriter')];
  const producerId = await house.addProducer();
  const path = `/v1/producers/${producerId}`;
  const license = { ...LICENSE, expirationDate: EFFECTIVE_DATE };
  bodyOf(await officer.patch(path, { licenses: [license] }));
  const quote = await quoted(underwriter, { producerId });
  t.deepEqual(quote.daFlags, []);
  const lastDay = addDays(EFFECTIVE_DATE, -1);
  const shortened = { ...license, expirationDate: lastDay };
  bodyOf(await officer.patch(path, { licenses: [shortened] }));
  const refused = await underwriter.post(`/v1/submissions/${quote.submissionId}/bind`, {
    installmentPlan: 'PAY_IN_FULL',
  });
  t.deepEqual(codesOf(refused.body.details.daFlags), ['DA_PRODUCER_NOT_APPOINTED']);
  t.is(refused.status, 422);
  t.deepEqual(codesOf((await quoted(underwriter, { producerId })).daFlags), ['DA_PRODUCER_NOT_APPOINTED']);

  const before = await officer.get(path);
  t.is(before.body.licenses[0].status, 'active');
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: EFFECTIVE_DATE }));
  const known = { headers: { 'if-none-match': before.headers.get('etag') ?? '' } };
  t.like(await officer.get(path, known), { status: 200, body: { licenses: { 0: { status: 'expired' } } } });
  bodyOf(await officer.patch(path, { licenses: [LICENSE] }));
  t.deepEqual(await filings(platform, house, producerId, 'licence_renewal'), [
    ['TX-1', license.expirationDate, 'withdrawn'],
    ['TX-1', lastDay, 'filed'],
    ['TX-1', LICENSE.expirationDate, 'open'],
  ]);
});

test('a new member of a producer sees their submissions, and a removed member sees nothing', async (t) => {
  const house = await newHouse(platform);
  const [admin, officer] = [house.as('org_admin'), house.as('compliance_officer')];
  const producerId = await house.addProducer();
  const submission = await submit(house.as('underwriter'), { producerId });
  const userId = newId('user');
  const [user, path] = [house.as('producer', userId), `/v1/producers/${producerId}/members`];
  const seen = async () => (await user.get(`/v1/submissions/${submission.id}`)).status;
  t.is(await seen(), 403);
  const member = { producerId, userId, email: null, name: null, status: null };
  t.deepEqual(bodyOf(await officer.put(`${path}/${userId}`)), member);
  bodyOf(await admin.put(`${path}/${userId}`));
  const audit = bodyOf(await house.as('auditor').get('/v1/audit', { query: { entity: producerId } })).data;
  const added = audit.filter(({ action }: { action: string }) => action === 'producer_member:add');
  t.is(added.length, 1, 'one row for the member, though two calls put them there');
  t.is(await seen(), 200);
  t.deepEqual(bodyOf(await officer.get(`${path}/${userId}`)), member);
  t.is((await officer.get(`${path}/${newId('user')}`)).status, 404);
  t.deepEqual(bodyOf(await house.as('auditor').get(path)).data, [member]);
  t.is((await user.put(`${path}/${newId('user')}`)).status, 403);
  t.is((await officer.del(`${path}/${userId}`)).status, 204);
  t.is(await seen(), 403);
  const invited = bodyOf(await admin.post('/v1/users', { email: 'ada@example.com', role: 'auditor' }), 201);
  t.like(await officer.put(`${path}/${invited.id}`), {
    ...{ status: 400, body: { details: { field: 'userId', rule: 'unknown_reference' } } },
  });
});

test('readiness names the obstacles to a bind: a producer suspended, or no longer appointed', async (t) => {
  const house = await newHouse(platform);
  const [officer, underwriter] = [house.as('compliance_officer'), house.as('underwriter')];
  const producerId = await house.addProducer();
  const { submissionId } = await quoted(underwriter, { producerId });
  const readiness = async () =>
    bodyOf(await underwriter.get(`/v1/submissions/${submissionId}/quote-readiness`)).bindingReadiness;
  const bind = () => underwriter.post(`/v1/submissions/${submissionId}/bind`, { installmentPlan: 'PAY_IN_FULL' });
  t.deepEqual(await readiness(), { ready: true, missing: [], blockers: [] });
  const [appointment] = bodyOf(await officer.get(`/v1/producers/${producerId}/appointments`)).data;
  const path = `/v1/producers/${producerId}/appointments/${appointment.id}`;
  bodyOf(await officer.patch(path, { status: 'suspended' }));
  t.deepEqual(await readiness(), { ready: false, missing: [], blockers: ['DA_PRODUCER_NOT_APPOINTED'] });
  const [flag] = (await bind()).body.details.daFlags;
  t.is(
    flag.message,
    'No carrier has appointed the producer for this line in this state. The carrier of the contract is Default Carrier.',
  );
  bodyOf(await officer.patch(path, { status: 'active' }));
  bodyOf(await officer.patch(`/v1/producers/${producerId}`, { status: 'suspended' }));
  const { blockers, ready } = await readiness();
  t.false(ready);
  t.true(blockers.includes('PRODUCER_SUSPENDED'));
  t.deepEqual((await bind()).body.details.blockers, ['PRODUCER_SUSPENDED']);
});

test('a value that was read is accepted when it is sent back; lines are codes, and names are visible', async (t) => {
  const officer = (await newHouse(platform)).as('compliance_officer');
  const address = { line1: '1 Main Street', line2: null, city: 'Austin', state: 'TX', postalCode: '78701' };
  const created = bodyOf(await officer.post('/v1/producers', { ...AGENCY, address }), 201);
  t.deepEqual(created.address, address);
  const path = `/v1/producers/${created.id}`;
  const { name, email, licenses } = created;
  t.is(bodyOf(await officer.patch(path, { name, email, licenses, address: created.address })).name, name);
  for (const line of ['Life', 'GLL', 'XX']) {
    t.is((await officer.patch(path, { licenses: [{ ...LICENSE, lines: [line] }] })).status, 400);
  }
  t.is((await officer.patch(path, { name: '\u200b\u2060' })).status, 400);
});

test('agreed commission is paid on transactions issued from its first day, and to no other producer', async (t) => {
  const house = await newHouse(platform);
  const [admin, underwriter, billing] = [house.as('org_admin'), house.as('underwriter'), house.as('billing_admin')];
  const [agreed, other] = [await house.addProducer(), await house.addProducer()];
  const path = `/v1/producers/${agreed}/commission-terms`;
  const { date: today } = bodyOf(await admin.get('/v1/test-clock'));
  const ratesOf = async (producerId: string) => {
    const { policyId } = await bound(underwriter, { producerId });
    await pay(house, policyId);
    const records = () => billing.get('/v1/commissions', { query: { policyId } });
    await eventually(async () => bodyOf(await records()).data.length > 0, { what: 'the commission' });
    const [{ grossPremium, agentCommission, rates, tier }] = bodyOf(await records()).data;
    t.is(agentCommission, Math.round(grossPremium * Number(rates.agentRate) * 100) / 100);
    return [rates.agentRate, rates.mgaRate, tier];
  };
  const put = (body: object) => admin.put(path, { lineOfBusiness: 'GL', ...body });
  bodyOf(await put({ agentRate: '0.14', effectiveFrom: addDays(today, 1) }));
  t.deepEqual(await ratesOf(agreed), ['0.125', '0.10', 1]);
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(today, 1) }));
  t.deepEqual(await ratesOf(agreed), ['0.14', '0.10', 1]);
  t.deepEqual(await ratesOf(other), ['0.125', '0.10', 1]);
  t.like(bodyOf(await house.as('finance_analyst').get(path)).data, [{ lineOfBusiness: 'GL', agentRate: '0.14' }]);
  const tooMuch = { status: 400, body: { details: { field: 'agentRate', rule: 'max', max: '0.5' } } };
  for (const agentRate of ['0.41', '0.9', '1']) t.like(await put({ agentRate }), tooMuch, agentRate);
  t.like(await put({ agentRate: '0.1', effectiveFrom: today }), { status: 400, body: { details: { rule: 'min' } } });
  bodyOf(await put({ agentRate: null }));
  t.deepEqual(await ratesOf(agreed), ['0.125', '0.10', 1]);
});

test('a producer belongs to one parent agency, and no agency to one below it', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const parent = bodyOf(await officer.post('/v1/producers', { name: 'Parent' }), 201);
  const child = bodyOf(await officer.post('/v1/producers', { name: 'Child', parentId: parent.id }), 201);
  const { data } = bodyOf(await officer.get('/v1/producers', { query: { parentId: parent.id } }));
  t.deepEqual(data, [child]);
  for (const parentId of [child.id, parent.id, newId('producer')]) {
    t.like(await officer.patch(`/v1/producers/${parent.id}`, { parentId }), {
      ...{ status: 400, body: { details: { field: 'parentId', rule: 'unknown_reference' } } },
    });
  }
  t.is(bodyOf(await officer.patch(`/v1/producers/${child.id}`, { parentId: null })).parentId, null);
});
