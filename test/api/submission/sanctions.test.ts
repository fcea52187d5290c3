// A name that only resembles a party of the sanctions list: compliance clears it, and the insured can be covered.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import type { TestClient, TestResponse } from '../../support/client.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, type House, newHouse, risk } from '../../support/house.ts';
import { startPlatform } from '../../support/platform.ts';
import type { Platform } from '../../support/run-platform.ts';

/** Of the list that every new installation has. */
const LISTED = 'Sanctioned Test Company';
const ENTRY = 'SAMPLE-0006';
const OTHER_LISTED = 'Blackreef Maritime Holdings Ltd';
const OTHER_ENTRY = 'SAMPLE-0001';
const REASON = 'Another address, another owner.';

let platform: Platform;

test.before(async (t) => {
  platform = await startPlatform(t);
});

test('once compliance has cleared a name, its quote can be bound, and the policy renewed', async (t) => {
  const house = await newHouse(platform);
  const { admin, compliance } = people(house);
  const { id } = await quoted(admin, LISTED);
  const bind = (key: string) =>
    admin.post(
      `/v1/submissions/${id}/bind`,
      { installmentPlan: 'PAY_IN_FULL' },
      { headers: { 'idempotency-key': key } },
    );
  const held = await bind('held');
  t.is(held.status, 422);
  t.deepEqual(flagsOf(held), ['DA_SANCTIONS_REVIEW']);
  const before = bodyOf(await admin.get(`/v1/submissions/${id}/quote-readiness`));
  t.false(before.bindingReadiness.ready);

  t.deepEqual(bodyOf(await compliance.post('/v1/sanctions/screenings', { name: LISTED })).data, [
    { entryId: ENTRY, name: LISTED, program: 'SAMPLE-TEST', score: 100, isCleared: false },
  ]);
  const cleared = bodyOf(await clear(compliance, LISTED), 201);
  t.like(cleared, { name: LISTED, reason: REASON, withdrawnAt: null });
  t.deepEqual(
    cleared.matches.map(({ entryId }: { entryId: string }) => entryId),
    [ENTRY],
  );
  t.true(bodyOf(await admin.get(`/v1/submissions/${id}/quote-readiness`)).bindingReadiness.ready);
  const { policyId, totalDue, invoices } = bodyOf(await bind('cleared'), 201);
  const paid = { amount: totalDue, method: 'check', reference: 'Check 1' };
  bodyOf(await admin.post(`/v1/invoices/${invoices[0].id}/pay`, paid), 201);

  const { expirationDate } = bodyOf(await admin.get(`/v1/policies/${policyId}`));
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(expirationDate, -60) }));
  t.is(bodyOf(await admin.post(`/v1/policies/${policyId}/renew`, {}), 201).daFlags.length, 0);
});

test('a cleared name is quoted without the flag, also in another spelling; other names and other entries are not', async (t) => {
  const { admin, compliance } = people(await newHouse(platform));
  bodyOf(await clear(compliance, LISTED), 201);
  for (const name of [LISTED, 'SANCTIONED  test-company.']) t.true((await quoted(admin, name)).quote.bindable, name);
  for (const name of [`${LISTED} LLC`, OTHER_LISTED]) {
    const { quote } = await quoted(admin, name);
    t.false(quote.bindable, name);
  }
});

test('a policy is endorsed to a listed name only once that name is cleared', async (t) => {
  const { admin, compliance } = people(await newHouse(platform));
  const { id } = await quoted(admin, 'Blue Door Diner');
  const { policyId } = bodyOf(await admin.post(`/v1/submissions/${id}/bind`, { installmentPlan: 'PAY_IN_FULL' }), 201);
  const { effectiveDate } = bodyOf(await admin.get(`/v1/policies/${policyId}`));
  const rename = () =>
    admin.post(`/v1/policies/${policyId}/endorse`, { effectiveDate, changes: { insuredName: OTHER_LISTED } });
  t.deepEqual(flagsOf(await rename()), ['DA_SANCTIONS_REVIEW']);
  bodyOf(await clear(compliance, OTHER_LISTED, [OTHER_ENTRY]), 201);
  bodyOf(await rename(), 201);
});

test("a clearance is one organization's own, is listed, and holds the name again once withdrawn", async (t) => {
  const house = await newHouse(platform);
  const { admin, compliance } = people(house);
  const other = people(await newHouse(platform));
  const { id } = bodyOf(await clear(compliance, LISTED), 201);
  t.false((await quoted(other.admin, LISTED)).quote.bindable);
  t.is((await other.compliance.del(`/v1/sanctions/clearances/${id}`)).status, 404);
  const list = (name: string) => compliance.get('/v1/sanctions/clearances', { query: { name } });
  t.is(bodyOf(await list('sanctioned test company')).data[0].id, id);
  t.deepEqual(bodyOf(await list(OTHER_LISTED)).data, []);
  const { id: quotedId } = await quoted(admin, LISTED);

  for (const _ of ['once', 'again']) t.is((await compliance.del(`/v1/sanctions/clearances/${id}`)).status, 204);
  const [withdrawn] = bodyOf(await list(LISTED)).data;
  t.regex(withdrawn.withdrawnAt, /^\d{4}-/);
  t.truthy(withdrawn.withdrawnBy);
  const bind = await admin.post(`/v1/submissions/${quotedId}/bind`, { installmentPlan: 'PAY_IN_FULL' });
  t.deepEqual(flagsOf(bind), ['DA_SANCTIONS_REVIEW']);
  bodyOf(await clear(compliance, LISTED), 201);
});

test('only compliance and administrators clear a name, never a key; every clearance leaves an audit row', async (t) => {
  const house = await newHouse(platform);
  const { admin, compliance } = people(house);
  for (const role of ['underwriter', 'claims_supervisor', 'billing_admin', 'auditor', 'finance_analyst']) {
    t.is((await clear(house.as(role), LISTED)).status, 403, role);
  }
  const { key } = bodyOf(await admin.post('/v1/api-keys', { name: 'All', scopes: ['*'], expiresAt: null }), 201);
  t.is((await clear(platform.as({ apiKey: key }), LISTED)).status, 403);
  const { id } = bodyOf(await clear(admin, LISTED), 201);
  const { data } = bodyOf(await compliance.get('/v1/audit', { query: { entity: id } }));
  t.is(data[0].action, 'sanctions:clear');
});

test('what cannot be cleared is refused by name: an entry that the name does not resemble, a name already cleared', async (t) => {
  const { compliance } = people(await newHouse(platform));
  const details = (answer: TestResponse) => [answer.status, answer.body.details.field, answer.body.details.rule];
  t.deepEqual(details(await clear(compliance, LISTED, [ENTRY, OTHER_ENTRY])), [400, 'entryIds.1', 'unknown_reference']);
  t.deepEqual(details(await clear(compliance, 'Blue Door Diner')), [400, 'entryIds.0', 'unknown_reference']);
  t.deepEqual(details(await clear(compliance, LISTED, [])), [400, 'entryIds', 'min']);
  t.deepEqual(bodyOf(await compliance.post('/v1/sanctions/screenings', { name: 'Blue Door Diner' })).data, []);
  bodyOf(await clear(compliance, LISTED), 201);
  const again = await clear(compliance, LISTED);
  t.deepEqual([again.status, again.body.error], [409, 'already_exists']);
});

function people(house: House) {
  return { admin: house.as('org_admin'), compliance: house.as('compliance_officer') };
}

function clear(client: TestClient, name: string, entryIds = [ENTRY]): Promise<TestResponse> {
  return client.post('/v1/sanctions/clearances', { name, entryIds, reason: REASON });
}

async function quoted(client: TestClient, insuredName: string) {
  const { id } = bodyOf(await client.post('/v1/submissions', risk({ insuredName, effectiveDate: testToday() })), 201);
  return { id, quote: bodyOf(await client.post(`/v1/submissions/${id}/quote`), 201) };
}

function flagsOf({ body }: TestResponse): string[] {
  return body.details.daFlags.map(({ code }: { code: string }) => code);
}
