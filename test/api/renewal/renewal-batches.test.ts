// Renewal batches as callers start, preview and follow them.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { copyExpiring } from '../../support/expiring.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

const PATH = '/v1/renewals/batch';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

async function expiring(house: House, count: number, columns = {}): Promise<string[]> {
  const { policyId: sourceId } = await bound(house.as('underwriter'));
  const { ownerUrl } = platform.testDatabase;
  return copyExpiring({ ownerUrl, sourceId, today: testToday(), count, columns });
}

const ABOVE_AUTHORITY = { limit_cents: '900000000', aggregate_limit_cents: '1800000000' };

function completed(house: House, batchId: string) {
  return eventually(
    async () => {
      const batch = bodyOf(await house.as('org_admin').get(`${PATH}/${batchId}`));
      return batch.status === 'completed' && batch;
    },
    { what: 'the batch to be completed' },
  );
}

const policiesOf = async (house: House, query = {}) =>
  bodyOf(await house.as('org_admin').get('/v1/policies', { query: { limit: 100, ...query } })).data;

test('a batch is accepted with the policies it matches, and followed to the outcome of each policy', async (t) => {
  const house = await newHouse(platform);
  const policies = await expiring(house, 6);
  const referred = await expiring(house, 1, ABOVE_AUTHORITY);
  const answer = await house.as('org_admin').post(PATH, { expiringWithinDays: 30 });
  const { batchId, workflowId, matched } = bodyOf(answer, 202);
  t.is(workflowId, `renewal-batch/${house.orgId}/${batchId}`);
  t.is(matched, 7);

  const batch = await completed(house, batchId);
  t.like(batch, {
    batchId,
    workflowId,
    dryRun: false,
    matched: 7,
    renewed: 6,
    referred: 1,
    failed: 0,
    nextCursor: null,
  });
  t.deepEqual(batch.items.map((item: { policyId: string }) => item.policyId).sort(), [...policies, ...referred].sort());
  for (const item of batch.items) {
    const policy = bodyOf(await house.as('org_admin').get(`/v1/policies/${item.policyId}`));
    t.is(policy.renewalPolicyId ?? undefined, item.renewalPolicyId);
    t.is(item.outcome, referred.includes(item.policyId) ? 'referred' : 'renewed');
  }
});

test('the items are paged by their expiration date, each shown once', async (t) => {
  const house = await newHouse(platform);
  const policies = await expiring(house, 7);
  const { batchId } = bodyOf(await house.as('org_admin').post(PATH, { expiringWithinDays: 90 }), 202);
  await completed(house, batchId);
  const shown: string[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: 3, ...(cursor ? { cursor } : {}) };
    const page = bodyOf(await house.as('auditor').get(`${PATH}/${batchId}`, { query }));
    t.is(page.renewed, 7);
    shown.push(...page.items.map((item: { policyId: string }) => item.policyId));
    cursor = page.nextCursor;
  } while (cursor !== null);
  t.deepEqual(shown, policies);
});

test('the same Idempotency-Key is one batch; the policies it has renewed are not due again', async (t) => {
  const house = await newHouse(platform);
  await expiring(house, 4);
  const admin = house.as('org_admin');
  const start = () => admin.post(PATH, { expiringWithinDays: 30 }, { headers: { 'idempotency-key': 'this month' } });
  const first = bodyOf(await start(), 202);
  await completed(house, first.batchId);
  t.deepEqual(bodyOf(await start(), 202), first);
  t.like(bodyOf(await admin.post(PATH, { expiringWithinDays: 30 }), 202), { matched: 0 });
  t.is((await policiesOf(house)).length, 1 + 4 + 4);
});

test('a dry run counts the outcomes for all policies, lists them page by page, and writes nothing', async (t) => {
  const house = await newHouse(platform);
  const policies = await expiring(house, 5);
  const [referred] = await expiring(house, 1, { ...ABOVE_AUTHORITY, expiration_date: `'${testToday()}'::date + 29` });
  const admin = house.as('org_admin');
  const before = await rowsOf(house.orgId);
  const body = { expiringWithinDays: 30, dryRun: true };
  const first = bodyOf(await admin.post(PATH, body, { query: { limit: 4 } }), 200);
  const unset = { batchId: null, workflowId: null, status: 'completed', dryRun: true };
  t.like(first, { ...unset, matched: 6, renewed: 5, referred: 1, failed: 0 });
  const next = { query: { limit: 4, cursor: first.nextCursor } };
  const second = bodyOf(await admin.post(PATH, body, next), 200);
  t.like(second, { ...unset, matched: 6, renewed: 5, referred: 1, failed: 0, nextCursor: null });
  t.deepEqual(
    [...first.items, ...second.items],
    [...policies.map((policyId) => ({ policyId, outcome: 'renewed' })), { policyId: referred, outcome: 'referred' }],
  );
  t.deepEqual(await rowsOf(house.orgId), before);
  const wider = await admin.post(PATH, { ...body, expiringWithinDays: 60 }, next);
  t.like(wider, { status: 400, body: { details: { field: 'cursor' } } }, 'a cursor of another window');
});

test("a batch takes only policies that expire in its window, and another organization's is not there", async (t) => {
  const [house, other] = [await newHouse(platform), await newHouse(platform)];
  await expiring(house, 10);
  await expiring(other, 3);
  const { batchId, matched } = bodyOf(await house.as('org_admin').post(PATH, { expiringWithinDays: 24 }), 202);
  t.is(matched, 5);
  await completed(house, batchId);
  t.is((await other.as('org_admin').get(`${PATH}/${batchId}`)).status, 404);
  t.is((await house.as('org_admin').get(`${PATH}/${newId('batch')}`)).status, 404);
  t.is((await policiesOf(other)).length, 1 + 3);
});

test('a window of more than 90 days takes policies that expire within 90', async (t) => {
  const house = await newHouse(platform);
  await expiring(house, 2, { expiration_date: `'${testToday()}'::date + 89 + i` });
  const admin = house.as('org_admin');
  t.is(bodyOf(await admin.post(PATH, { expiringWithinDays: 365, dryRun: true }), 200).matched, 1);
  const { batchId, matched } = bodyOf(await admin.post(PATH, { expiringWithinDays: 3_650 }), 202);
  t.is(matched, 1);
  await completed(house, batchId);
});

test('the window is a number of days from 1 on, and an underwriter may follow but not start', async (t) => {
  const house = await newHouse(platform);
  for (const expiringWithinDays of [0, 3_651, 1.5, '30']) {
    const refused = await house.as('org_admin').post(PATH, { expiringWithinDays });
    t.like(refused, { status: 400, body: { details: { field: 'expiringWithinDays' } } });
  }
  t.is((await house.as('underwriter').post(PATH, { expiringWithinDays: 30 })).status, 403);
});

/** How many rows the organization has in the tables that a renewal writes to. */
function rowsOf(orgId: string): Promise<Record<string, number>[]> {
  const tables = [
    'policies',
    'policy_transactions',
    'invoices',
    'referrals',
    'renewal_batches',
    'renewal_batch_items',
    'events',
    'commands',
  ];
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  return platform.database.forOrg(orgId, (em) => em.execute<Record<string, number>[]>(`select ${counts.join(', ')}`));
}
