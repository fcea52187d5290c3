// Renewal batches whose worker disappears, whose history is cut, and whose renewals fail for reasons that have nothing
// to do with the policies.

import { WithStartWorkflowOperation } from '@temporalio/client';
import anyTest, { type TestFn } from 'ava';
import { renewalBatchWorkflowId, startOptions, WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { runRenewalsUpdate } from '../../../contracts/renewal.ts';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { newId } from '../../../db/ids.ts';
import { decide, listWaiting } from '../../../scripts/ops/waiting.ts';
import { eventually } from '../../support/eventually.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { runsOf } from '../runs-of.ts';
import { batchOf, ended, expiringPolicies, nextTerms, startBatch } from './renewing.ts';

const test = anyTest as TestFn<Engine>;

type Disturbance = (activity: string, run: () => Promise<unknown>) => Promise<unknown>;

const disturbed = new Map<string, Disturbance>();

test.before('an engine is started', async (t) => {
  t.context = await startEngine(t, {
    interfere: (activity, run, argument) => {
      const { orgId } = argument as { orgId: string };
      return disturbed.get(orgId)?.(activity, run) ?? run();
    },
  });
});

/** Makes some policies' renewals fail for a reason that is not their own: their state has no rates. */
const setState = (tenant: Tenant, policyIds: readonly string[], state: string) =>
  tenant.database.transaction(tenant.orgId, (em) =>
    em.nativeUpdate(Policy, { id: { $in: [...policyIds] } }, { state }),
  );
const breakState = (tenant: Tenant, policyIds: readonly string[]) => setState(tenant, policyIds, 'ZZ');
const mendState = (tenant: Tenant, policyIds: readonly string[]) => setState(tenant, policyIds, 'TX');

const lengths = async (tenant: Tenant, policies: readonly string[]) =>
  (await nextTerms(tenant, policies)).map((terms) => terms.length);

function waiting({ temporal }: Engine, tenant: Tenant, batchId: string) {
  const id = renewalBatchWorkflowId(tenant.orgId, batchId);
  const find = async () => (await listWaiting(temporal.client)).find(({ workflowId }) => workflowId === id);
  return eventually(find, { what: 'the batch to wait for an operator' });
}

test('many faults stop a batch until an operator has it tried again; then each policy is renewed once', async (t) => {
  const tenant = await t.context.organization();
  const policies = await expiringPolicies(t.context, tenant, { count: 60 });
  await breakState(tenant, policies);
  const { batchId } = await startBatch(tenant);
  const { workflowId, step, message } = await waiting(t.context, tenant, batchId);
  t.deepEqual([step, message], ['renewals', 'The step failed.']);
  t.like(await batchOf(tenant, batchId), { status: 'running', renewed: 0, failed: 0 });
  await mendState(tenant, policies);
  await decide(t.context.temporal.client, workflowId, { kind: 'retry', operator: 'tester' });
  await ended(t.context, tenant, batchId);
  t.like(await batchOf(tenant, batchId), { status: 'completed', renewed: 60, failed: 0 });
  t.deepEqual(await lengths(tenant, policies), Array(60).fill(1));
});

test('an operator may give up the policies that fail, and the others are renewed', async (t) => {
  const tenant = await t.context.organization();
  const policies = await expiringPolicies(t.context, tenant, { count: 30 });
  const broken = policies.slice(0, 8);
  await breakState(tenant, broken);
  const { batchId } = await startBatch(tenant);
  const { workflowId } = await waiting(t.context, tenant, batchId);
  await decide(t.context.temporal.client, workflowId, { kind: 'skip', operator: 'tester', reason: 'Known fault' });
  await ended(t.context, tenant, batchId);
  const batch = await batchOf(tenant, batchId);
  t.like(batch, { status: 'completed', renewed: 22, failed: 8 });
  const failed = batch.items.filter(({ outcome }) => outcome === 'failed');
  t.deepEqual(failed.map(({ policyId }) => policyId).sort(), [...broken].sort());
  t.deepEqual(failed[0]?.error, { code: 'internal_error', message: 'Known fault' });
});

test('a few faults are reported as failures of their policies and stop nothing', async (t) => {
  const tenant = await t.context.organization();
  const policies = await expiringPolicies(t.context, tenant, { count: 12 });
  await breakState(tenant, policies.slice(3, 6));
  const { batchId } = await startBatch(tenant);
  await ended(t.context, tenant, batchId);
  const batch = await batchOf(tenant, batchId);
  t.like(batch, { status: 'completed', renewed: 9, failed: 3 });
});

test('a slice whose response is lost is carried out once, and so is one whose outcomes are lost too', async (t) => {
  const tenant = await t.context.organization();
  const policies = await expiringPolicies(t.context, tenant, { count: 20 });
  let lost = 0;
  disturbed.set(tenant.orgId, async (activity, run) => {
    const answer = await run();
    if (activity !== 'renewSlice' || lost === 2) return answer;
    lost += 1;
    // As if the worker had died between the last renewal and the outcomes.
    if (lost === 1) await loseOutcomes(tenant);
    throw new Error('The answer is lost');
  });
  const { batchId } = await startBatch(tenant);
  await ended(t.context, tenant, batchId);
  t.is(lost, 2);
  t.like(await batchOf(tenant, batchId), { status: 'completed', renewed: 20, failed: 0 });
  t.deepEqual(await lengths(tenant, policies), Array(20).fill(1));
});

test('a batch that keeps continuing as new gives each policy its outcome once', async (t) => {
  const { temporal, queue } = t.context;
  const tenant = await t.context.organization();
  const policies = await expiringPolicies(t.context, tenant, { count: 24 });
  const batchId = newId('batch');
  const workflowId = renewalBatchWorkflowId(tenant.orgId, batchId);
  const pace = { page: 4, slice: 2, atOnce: 2, slicesOfARun: 4 };
  const startWorkflowOperation = new WithStartWorkflowOperation(WORKFLOW_TYPES.renewalBatch, {
    ...startOptions(workflowId, 'batch', { orgId: tenant.orgId, entityId: batchId }),
    ...{ taskQueue: queue, workflowIdConflictPolicy: 'USE_EXISTING', args: [{ orgId: tenant.orgId, batchId, pace }] },
  });
  const args: [ReturnType<typeof tenant.command<{ withinDays: number }>>] = [
    tenant.command(batchId, { withinDays: 30 }),
  ];
  const { matched } = await temporal.client.workflow.executeUpdateWithStart(runRenewalsUpdate, {
    args,
    startWorkflowOperation,
  });
  t.is(matched, 24);
  await ended(t.context, tenant, batchId);
  t.like(await batchOf(tenant, batchId), { status: 'completed', renewed: 24 });
  t.deepEqual(await lengths(tenant, policies), Array(24).fill(1));
  // 24 policies make 12 slices, of which a run handles four.
  const runs = await runsOf(temporal.client, workflowId);
  t.is(runs.length, 4, 'three full runs, and the one that finds nothing left');
});

test('a batch that is cancelled keeps its finished work and says that it failed', async (t) => {
  const tenant = await t.context.organization();
  const policies = await expiringPolicies(t.context, tenant, { count: 30 });
  await breakState(tenant, policies.slice(0, 8));
  const { batchId } = await startBatch(tenant);
  const { workflowId } = await waiting(t.context, tenant, batchId);
  await t.context.temporal.client.workflow.getHandle(workflowId).cancel();
  await t.throwsAsync(ended(t.context, tenant, batchId));
  t.is((await batchOf(tenant, batchId)).status, 'failed');
});

const loseOutcomes = (tenant: Tenant) =>
  tenant.database.transaction(tenant.orgId, (em) =>
    em.execute('update renewal_batch_items set outcome = null, renewal_policy_id = null where org_id = ?', [
      tenant.orgId,
    ]),
  );
