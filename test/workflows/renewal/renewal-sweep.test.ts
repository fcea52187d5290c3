// The daily renewal sweep: organizations that switched it on, once a day, by the schedule or by the test clock.
import { randomBytes } from 'node:crypto';
import { NativeConnection } from '@temporalio/worker';
import anyTest, { type TestFn } from 'ava';
import { renewalBatchWorkflowId, WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { RenewalBatch } from '../../../db/entities/renewal/renewal-batch.ts';
import { putFlagOverride, removeFlagOverride } from '../../../db/queries/platform/flags.ts';
import { addDays } from '../../../domain/dates.ts';
import { ensureSchedules } from '../../../workers/schedules.ts';
import { payloadKeys } from '../../support/payload-keys.ts';
import { TEMPORAL_VARIABLE } from '../../support/servers/servers.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { batchOf, ended, expiringPolicies, nextTerms } from './renewing.ts';

const test = anyTest as TestFn<Engine>;

test.before('an engine is started', async (t) => {
  t.context = await startEngine(t);
});

const switchOn = ({ database, orgId }: Tenant) =>
  database.transaction(orgId, (em) => putFlagOverride(em, 'auto_renewal', true));

const sweep = ({ temporal, queue }: Engine) =>
  temporal.client.workflow.execute(WORKFLOW_TYPES.renewalSweep, {
    workflowId: `auto-renewal/${randomBytes(6).toString('hex')}`,
    taskQueue: queue,
    args: [{ page: 1 }],
  });

const batchesOf = ({ database, orgId }: Tenant) =>
  database.forOrg(orgId, (em) => em.find(RenewalBatch, {}, { orderBy: { businessDate: 'asc' } }));

const lengths = async (tenant: Tenant, policies: readonly string[]) =>
  (await nextTerms(tenant, policies)).map((terms) => terms.length);

test.serial(
  'a sweep renews for the organizations that switched it on, and a second one of the day starts nothing',
  async (t) => {
    const [off, ...on] = await Promise.all([1, 2, 3].map(() => t.context.organization()));
    if (off === undefined) throw new Error('There is no organization');
    const left = await expiringPolicies(t.context, off, { count: 3 });
    const renewed = await Promise.all(on.map((tenant) => expiringPolicies(t.context, tenant, { count: 3 })));
    await Promise.all(on.map(switchOn));
    await sweep(t.context);
    for (const [n, tenant] of on.entries()) {
      await ended(t.context, tenant, tenant.today);
      const batches = await batchesOf(tenant);
      t.is(batches.length, 1);
      const workflowId = renewalBatchWorkflowId(tenant.orgId, tenant.today);
      t.like(batches[0], { isDaily: true, withinDays: 75, status: 'completed', matched: 3, workflowId });
      t.like(batches[0]?.requestedBy, { kind: 'machine', id: 'calendar' });
      t.deepEqual(await lengths(tenant, renewed[n] ?? []), [1, 1, 1]);
    }
    await sweep(t.context);
    for (const tenant of on) t.is((await batchesOf(tenant)).length, 1);
    t.deepEqual(await batchesOf(off), []);
    t.deepEqual(await lengths(off, left), [0, 0, 0]);
  },
);

test.serial('no more batches run at a time than the sweep has places, and it waits for the last', async (t) => {
  const { temporal, queue } = t.context;
  const tenants = await Promise.all([1, 2, 3].map(() => t.context.organization()));
  await Promise.all(tenants.map((tenant) => expiringPolicies(t.context, tenant, { count: 2 })));
  await Promise.all(tenants.map(switchOn));
  const workflowId = `auto-renewal/${randomBytes(6).toString('hex')}`;
  const { workflow } = temporal.client;
  const args = [{ atOnce: 1 }];
  await workflow.execute(WORKFLOW_TYPES.renewalSweep, { workflowId, taskQueue: queue, args });
  const { events } = await workflow.getHandle(workflowId).fetchHistory();
  const moves = (events ?? []).flatMap((event) => {
    if (event.childWorkflowExecutionStartedEventAttributes) return [1];
    return event.childWorkflowExecutionCompletedEventAttributes ? [-1] : [];
  });
  t.deepEqual(moves, [1, -1, 1, -1, 1, -1]);
  const statuses = await Promise.all(tenants.map(async (tenant) => (await batchesOf(tenant))[0]?.status));
  t.deepEqual(statuses, ['completed', 'completed', 'completed']);
});

test.serial('a flag that is turned off before the batch opens leaves everything alone', async (t) => {
  const { temporal, queue } = t.context;
  const tenant = await t.context.organization();
  await switchOn(tenant);
  await tenant.database.transaction(tenant.orgId, (em) => removeFlagOverride(em, 'auto_renewal'));
  await temporal.client.workflow.execute(WORKFLOW_TYPES.renewalBatch, {
    workflowId: renewalBatchWorkflowId(tenant.orgId, tenant.today),
    taskQueue: queue,
    args: [{ orgId: tenant.orgId }],
  });
  t.deepEqual(await batchesOf(tenant), []);
});

test.serial('the test clock renews each policy on the day 75 days before it expires, in order', async (t) => {
  const tenant = await t.context.organization();
  // They come due after 1, 3, 5 and 7 days; the second exceeds the authority and is retried on the later days too.
  const expires = `'${tenant.today}'::date + 74 + i * 2`;
  const columns = {
    ...{ expiration_date: expires, effective_date: `(${expires} - interval '1 year')::date` },
    limit_cents: 'case when i = 2 then 900000000 else source.limit_cents end',
    aggregate_limit_cents: 'case when i = 2 then 1800000000 else source.aggregate_limit_cents end',
  };
  const policies = await expiringPolicies(t.context, tenant, { count: 4, columns });
  await switchOn(tenant);
  const advanceTo = addDays(tenant.today, 8);
  const { date } = await tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo }));
  t.is(date, advanceTo);
  const batches = await batchesOf(tenant);
  t.deepEqual(
    batches.map(({ businessDate, matched }) => [businessDate, matched]),
    [1, 3, 5, 7].map((days, n) => [addDays(tenant.today, days), n === 0 ? 1 : n === 1 ? 1 : 2]),
  );
  const outcomes = await Promise.all(batches.map(({ id }) => batchOf(tenant, id)));
  t.deepEqual(
    outcomes.map(({ renewed, referred, failed }) => [renewed, referred, failed]),
    [
      [1, 0, 0],
      [0, 1, 0],
      [1, 1, 0],
      [1, 1, 0],
    ],
  );
  t.deepEqual(await lengths(tenant, policies), [1, 0, 1, 1]);
});

/** One of each that a worker registers. */
const SCHEDULES = ['auto-renewal', 'autopay', 'bordereau-sweep', 'compliance-sweep', 'healing', 'trust-reconciliation'];

test.serial('each schedule is registered once, gives way to callers, and one late by hours still runs', async (t) => {
  const connection = await NativeConnection.connect({ address: process.env[TEMPORAL_VARIABLE] ?? '127.0.0.1:7233' });
  const prefix = `test-${randomBytes(5).toString('hex')}`;
  const options = { connection, namespace: 'default', payloadKeys, taskQueue: t.context.queue, prefix };
  const schedule = (name: string) => t.context.temporal.client.schedule.getHandle(`${prefix}-${name}`);
  try {
    await Promise.all([ensureSchedules(options), ensureSchedules(options)]);
    const { action, policies } = await schedule('auto-renewal').describe();
    t.like(action, { workflowType: WORKFLOW_TYPES.renewalSweep, taskQueue: t.context.queue });
    t.like(policies, { overlap: 'SKIP', catchupWindow: 12 * 60 * 60_000 });
    for (const name of SCHEDULES) {
      t.like((await schedule(name).describe()).action.priority, { priorityKey: 5 }, `${name} waits for callers`);
    }
  } finally {
    await Promise.all(SCHEDULES.map((name) => schedule(name).delete()));
    await connection.close();
  }
});
