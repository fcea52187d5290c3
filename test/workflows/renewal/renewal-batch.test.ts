// Renewal batches from opening to end, on policies of every kind.
import anyTest, { type TestFn } from 'ava';
import { renewalBatchWorkflowId } from '../../../contracts/machinery/start.ts';
import { Referral } from '../../../db/entities/authority/referral.ts';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { type Engine, startEngine } from '../engine.ts';
import { batchOf, ended, expiringPolicies, nextTerms, startBatch } from './renewing.ts';

const test = anyTest as TestFn<Engine>;

/** Changes to a test's policies between the moment their batch picks them up and its start on them. */
const whenOpened = new Map<string, () => Promise<unknown>>();

test.before('an engine is started', async (t) => {
  t.context = await startEngine(t, {
    interfere: async (activity, run, argument) => {
      const { orgId } = argument as { orgId: string };
      if (activity === 'pendingRenewals') await whenOpened.get(orgId)?.();
      return run();
    },
  });
});

const ABOVE_AUTHORITY = { limit_cents: '900000000', aggregate_limit_cents: '1800000000' };

/** As stored in the row. */
const NOTICE = `'{"reason": "Losses", "noticeDate": "2026-01-01"}'`;

test('every policy of a mixed book has its outcome, and policies not due are left alone', async (t) => {
  const tenant = await t.context.organization();
  const plain = await expiringPolicies(t.context, tenant, { count: 26 });
  const large = await expiringPolicies(t.context, tenant, { count: 5, columns: ABOVE_AUTHORITY });
  const announced = await expiringPolicies(t.context, tenant, { count: 4, columns: { non_renewal: NOTICE } });
  const lost = await expiringPolicies(t.context, tenant, { count: 5 });
  whenOpened.set(tenant.orgId, () =>
    tenant.database.transaction(tenant.orgId, (em) =>
      em.nativeUpdate(Policy, { id: { $in: lost } }, { status: 'cancelled' }),
    ),
  );

  const { batchId, matched } = await startBatch(tenant);
  t.is(matched, 36);
  await ended(t.context, tenant, batchId);
  const batch = await batchOf(tenant, batchId);
  t.like(batch, { status: 'completed', matched: 36, renewed: 26, referred: 5, failed: 5 });

  const outcomes = new Map(batch.items.map((item) => [item.policyId, item]));
  const next = await nextTerms(tenant, plain);
  for (const [n, policyId] of plain.entries()) {
    t.is(next[n]?.length, 1, policyId);
    t.like(outcomes.get(policyId), { outcome: 'renewed', renewalPolicyId: next[n]?.[0], error: null });
  }
  for (const policyId of large) t.like(outcomes.get(policyId), { outcome: 'referred', renewalPolicyId: null });
  for (const policyId of lost) t.is(outcomes.get(policyId)?.error?.code, 'invalid_state_transition');
  t.deepEqual(await nextTerms(tenant, [...large, ...announced, ...lost]), Array(14).fill([]));
  const open = await tenant.database.forOrg(tenant.orgId, (em) => em.count(Referral, { status: 'pending' }));
  t.is(open, 5);
});

test('two simultaneous batches claim and renew each policy for one of them', async (t) => {
  const tenant = await t.context.organization();
  const policies = await expiringPolicies(t.context, tenant, { count: 40 });
  const [one, other] = await Promise.all([startBatch(tenant), startBatch(tenant)]);
  t.deepEqual([one.matched, other.matched].sort(), [0, 40]);
  await Promise.all([ended(t.context, tenant, one.batchId), ended(t.context, tenant, other.batchId)]);
  const next = await nextTerms(tenant, policies);
  t.deepEqual(
    next.map((terms) => terms.length),
    Array(40).fill(1),
  );
  const claimed = one.matched === 40 ? one : other;
  const left = claimed === one ? other : one;
  t.like(await batchOf(tenant, claimed.batchId), { status: 'completed', renewed: 40, referred: 0, failed: 0 });
  t.like(await batchOf(tenant, left.batchId), { status: 'completed', renewed: 0, items: [] });
  // Four slices of three events, each with a workflow task of three, plus what opens and closes the batch.
  const workflowId = renewalBatchWorkflowId(tenant.orgId, claimed.batchId);
  const { events } = await t.context.temporal.client.workflow.getHandle(workflowId).fetchHistory();
  t.true((events?.length ?? 0) <= 4 * 6 + 30, `${events?.length} events`);
});
