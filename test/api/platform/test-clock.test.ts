import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { bodyOf, bound, newHouse, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const PATH = '/v1/test-clock';

test('advancing the clock moves the business date of one organization and leaves the real date', async (t) => {
  const [house, other] = [await newHouse(platform), await newHouse(platform)];
  const admin = house.as('org_admin');
  const { date, realDate } = bodyOf(await admin.get(PATH));
  t.is(date, realDate);
  const advanceTo = addDays(date, 40);
  t.deepEqual(bodyOf(await admin.post(PATH, { advanceTo })), { date: advanceTo });
  t.deepEqual(bodyOf(await admin.get(PATH)), { date: advanceTo, realDate });
  t.deepEqual(bodyOf(await other.as('org_admin').get(PATH)), { date: realDate, realDate });
});

test('everything due has happened when the clock returns: terms begin and end, submissions expire', async (t) => {
  const house = await newHouse(platform);
  const [admin, underwriter] = [house.as('org_admin'), house.as('underwriter')];
  const idle = await submit(underwriter);
  const { policyId, effectiveDate, expirationDate, invoices } = await bound(underwriter);
  const check = { amount: invoices[0].total, method: 'check', reference: 'Check 1' };
  bodyOf(await house.as('billing_admin').post(`/v1/invoices/${invoices[0].id}/pay`, check), 201);
  const statusOf = async () => bodyOf(await underwriter.get(`/v1/policies/${policyId}`)).status;
  const advance = async (advanceTo: string) => bodyOf(await admin.post(PATH, { advanceTo }));
  t.is(await statusOf(), 'pending');
  await advance(effectiveDate);
  t.is(await statusOf(), 'active');
  t.is(bodyOf(await underwriter.get(`/v1/submissions/${idle.id}`)).status, 'triaged');
  await advance(idle.expiresOn);
  t.is(bodyOf(await underwriter.get(`/v1/submissions/${idle.id}`)).status, 'expired');
  await advance(addDays(expirationDate, -1));
  t.is(await statusOf(), 'active');
  await advance(expirationDate);
  t.is(await statusOf(), 'expired');
});

test('the clock never goes back, stops or runs more than 800 days ahead', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  const { date } = bodyOf(await admin.get(PATH));
  for (const advanceTo of [date, addDays(date, -1)]) {
    const refused = await admin.post(PATH, { advanceTo });
    t.like(refused, { status: 422, body: { error: 'invalid_state_transition' } });
  }
  const tooFar = await admin.post(PATH, { advanceTo: addDays(date, 801) });
  t.like(tooFar, { status: 400, body: { details: { field: 'advanceTo', rule: 'max' } } });
  t.deepEqual(bodyOf(await admin.post(PATH, { advanceTo: addDays(date, 800) })), { date: addDays(date, 800) });
});

test('the machine secret may advance the clock; an underwriter and an operator may not', async (t) => {
  const house = await newHouse(platform);
  const { date } = bodyOf(await house.as('org_admin').get(PATH));
  const advance = { advanceTo: addDays(date, 1) };
  for (const role of ['underwriter', 'platform_operator', 'auditor']) {
    t.is((await house.as(role).post(PATH, advance)).status, 403, role);
  }
  t.is((await platform.as('machine').post(PATH, advance, { query: { orgId: house.orgId } })).status, 200);
});

test('production has no test clock', async (t) => {
  const production = await startCheckedPlatform(t, { variables: { ENVIRONMENT: 'production' } });
  const admin = production.as('org_admin');
  t.is((await admin.get(PATH)).status, 404);
  t.is((await admin.post(PATH, { advanceTo: '2030-01-01' })).status, 404);
});
