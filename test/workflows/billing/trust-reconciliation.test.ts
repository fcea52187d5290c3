// The daily trust reconciliation looks at every organization, gives doubt a moment, and raises the alarm; its schedule
// is there once.
import { randomBytes } from 'node:crypto';
import { NativeConnection } from '@temporalio/worker';
import anyTest, { type TestFn } from 'ava';
import { WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { TrustReconciliation } from '../../../db/entities/billing/trust-reconciliation.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { ensureSchedules } from '../../../workers/schedules.ts';
import { payloadKeys } from '../../support/payload-keys.ts';
import { TEMPORAL_VARIABLE } from '../../support/servers/servers.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { startServerWithShortHistories } from '../short-histories.ts';
import { loseCent } from '../stories/stories-sweeps.ts';

/** Events after which the server asks for the cut. */
const SUGGESTED_AFTER = 40;

const test = anyTest as TestFn<Engine>;

test.before('an engine is started', async (t) => {
  t.context = await startEngine(t);
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

test.serial('the schedule is registered once, however many workers start', async (t) => {
  const connection = await NativeConnection.connect({ address: process.env[TEMPORAL_VARIABLE] ?? '127.0.0.1:7233' });
  const prefix = `test-${randomBytes(5).toString('hex')}`;
  const options = { connection, namespace: 'default', payloadKeys, taskQueue: t.context.queue, prefix };
  const handle = t.context.temporal.client.schedule.getHandle(`${prefix}-trust-reconciliation`);
  try {
    await Promise.all([ensureSchedules(options), ensureSchedules(options), ensureSchedules(options)]);
    await ensureSchedules({ ...options, taskQueue: 'another' });
    const { action, spec, policies } = await handle.describe();
    t.like(action, { workflowType: WORKFLOW_TYPES.trustReconciliation, taskQueue: 'another' });
    t.is(spec.calendars?.length, 1);
    t.is(policies.overlap, 'SKIP');
  } finally {
    await handle.delete();
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
    const lengths: number[] = [];
    for await (const run of workflow.list({ query: `WorkflowId = '${workflowId}'` })) lengths.push(run.historyLength);
    t.true(lengths.length > 1, 'it was continued as new');
    t.true(Math.max(...lengths) <= 2 * SUGGESTED_AFTER, lengths.join());
    for (const tenant of tenants) t.deepEqual(await resultsOf(tenant), [true]);
  } finally {
    await engine.close();
    await server.stop();
  }
});
