// The daily trust reconciliation checks every organization, gives mismatches time to resolve, and raises the alarm;
// there is exactly one schedule for it.
import { randomBytes } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import anyTest, { type TestFn } from 'ava';
import type { HealingInput, HealingResult } from '../../../contracts/machinery/healing.ts';
import { trustRunWorkflowId, WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { TrustReconciliation } from '../../../db/entities/billing/trust-reconciliation.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { newId } from '../../../db/ids.ts';
import { ensureSchedules } from '../../../workers/schedules.ts';
import { payloadKeys } from '../../support/payload-keys.ts';
import { TEMPORAL_VARIABLE } from '../../support/servers/servers.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { runsOf } from '../runs-of.ts';
import { startServerWithShortHistories } from '../short-histories.ts';
import { loseCent } from '../stories/stories-sweeps.ts';

/** Events after which the server suggests continue-as-new. */
const SUGGESTED_AFTER = 40;

const test = anyTest as TestFn<Engine>;

test.before('an engine is started', async (t) => {
  t.context = await startEngine(t, { interfere });
});

/** Organizations in which an activity fails, as `activity of organization`. */
const broken = new Set<string>();

async function interfere(activity: string, run: () => Promise<unknown>, argument: unknown): Promise<unknown> {
  if (!broken.has(`${activity} of ${(argument as { orgId?: string }).orgId}`)) return run();
  throw ApplicationFailure.nonRetryable('injected', 'internal_error');
}

const heal = ({ temporal, queue }: Engine, input: HealingInput): Promise<HealingResult> =>
  temporal.client.workflow.execute(WORKFLOW_TYPES.healing, {
    workflowId: `healing/${newId('request')}`,
    taskQueue: queue,
    args: [input],
  });

const reconcile = ({ temporal, queue }: Engine) =>
  temporal.client.workflow.execute(WORKFLOW_TYPES.trustReconciliation, {
    workflowId: `trust-reconciliation/${randomBytes(6).toString('hex')}`,
    taskQueue: queue,
    args: [{ lookAgainAfterMs: 1 }],
  });

const alarmsOf = ({ database, orgId }: Tenant) =>
  database.forOrg(orgId, (em) => em.count(Event, { type: 'financial.operation_failed' }));

const resultsOf = ({ database, orgId }: Tenant) =>
  database.forOrg(orgId, async (em) => (await em.find(TrustReconciliation, {})).map(({ isClean }) => isClean));

test.serial('every organization is checked, and only the one that does not agree raises an alert', async (t) => {
  const clean = await t.context.organization();
  const unclean = await t.context.organization();
  await loseCent(unclean);
  await reconcile(t.context);
  t.deepEqual(await resultsOf(clean), [true]);
  t.is(await alarmsOf(clean), 0);
  t.deepEqual(await resultsOf(unclean), [false]);
  t.is(await alarmsOf(unclean), 1);
});

test.serial(
  'an organization whose books cannot be checked, or that cannot be healed, keeps no other one waiting',
  async (t) => {
    const tenants = [await t.context.organization(), await t.context.organization(), await t.context.organization()];
    const [, failing] = tenants as [Tenant, Tenant, Tenant];
    const faults = ['checkBooksPage', 'healOrganization'].map((activity) => `${activity} of ${failing.orgId}`);
    for (const fault of faults) broken.add(fault);
    await reconcile(t.context);
    const healed = await heal(t.context, {});
    for (const fault of faults) broken.delete(fault);
    t.deepEqual(await Promise.all(tenants.map(resultsOf)), [[true], [], [true]]);
    t.is(healed.failed, 1);
    t.is((await heal(t.context, {})).organizations, healed.organizations);
  },
);

test.serial('a reconciliation of a person whose workflow has failed is completed by healing', async (t) => {
  const tenant = await t.context.organization();
  const { orgId, database, lifecycle, command } = tenant;
  const fault = `checkBooksPage of ${orgId}`;
  broken.add(fault);
  const { reconciliationId } = await lifecycle.startReconciliation(command(newId('trustReconciliation'), {}));
  const { workflow } = t.context.temporal.client;
  await t.throwsAsync(workflow.getHandle(trustRunWorkflowId(orgId)).result());
  broken.delete(fault);
  const { workflowIds } = await heal(t.context, { orgId });
  t.deepEqual(workflowIds, [trustRunWorkflowId(orgId)]);
  await workflow.getHandle(trustRunWorkflowId(orgId)).result();
  const run = await database.forOrg(orgId, (em) => em.findOneOrFail(TrustReconciliation, { id: reconciliationId }));
  t.like(run, { status: 'completed', isClean: true });
});

/** What each day starts. */
const SCHEDULES = {
  'auto-renewal': WORKFLOW_TYPES.renewalSweep,
  autopay: WORKFLOW_TYPES.autopaySweep,
  'bordereau-sweep': WORKFLOW_TYPES.bordereauSweep,
  'compliance-sweep': WORKFLOW_TYPES.complianceSweep,
  healing: WORKFLOW_TYPES.healing,
  'trust-reconciliation': WORKFLOW_TYPES.trustReconciliation,
};

test.serial('each schedule is registered once, however many workers start', async (t) => {
  const connection = await NativeConnection.connect({ address: process.env[TEMPORAL_VARIABLE] ?? '127.0.0.1:7233' });
  const prefix = `test-${randomBytes(5).toString('hex')}`;
  const options = { connection, namespace: 'default', payloadKeys, taskQueue: t.context.queue, prefix };
  const { schedule } = t.context.temporal.client;
  const handleOf = (name: string) => schedule.getHandle(`${prefix}-${name}`);
  try {
    await Promise.all([ensureSchedules(options), ensureSchedules(options), ensureSchedules(options)]);
    await ensureSchedules({ ...options, taskQueue: 'another' });
    for (const [name, workflowType] of Object.entries(SCHEDULES)) {
      const { action, spec, policies } = await handleOf(name).describe();
      t.like(action, { workflowType, taskQueue: 'another' }, name);
      t.is(spec.calendars?.length, 1, name);
      t.is(policies.overlap, 'SKIP', name);
    }
  } finally {
    await Promise.all(Object.keys(SCHEDULES).map((name) => handleOf(name).delete()));
    await connection.close();
  }
});

test.serial('a sweep over many organizations cuts its history, and looks at each of them once', async (t) => {
  const server = await startServerWithShortHistories(SUGGESTED_AFTER);
  const engine = await startEngine(t, { temporalAddress: server.address });
  try {
    const tenants = await Promise.all(Array.from({ length: 12 }, () => engine.organization()));
    const { workflow } = engine.temporal.client;
    const workflowId = `trust-reconciliation/${randomBytes(6).toString('hex')}`;
    const args = [{ lookAgainAfterMs: 1, page: 2 }];
    await workflow.execute(WORKFLOW_TYPES.trustReconciliation, { workflowId, taskQueue: engine.queue, args });
    const lengths = (await runsOf(engine.temporal.client, workflowId)).map(({ length }) => length);
    t.true(lengths.length > 1, 'it was continued as new');
    t.true(Math.max(...lengths) <= 2 * SUGGESTED_AFTER, lengths.join());
    for (const tenant of tenants) t.deepEqual(await resultsOf(tenant), [true]);
  } finally {
    await engine.close();
    await server.stop();
  }
});
