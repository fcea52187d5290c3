// Which queue work goes to, and how urgent it is: work that a caller waits for never queues behind a batch or a slow
// provider.
import test from 'ava';
import { queueBeside, taskQueue } from '../../../contracts/machinery/queues.ts';
import {
  eventDeliveryWorkflowId,
  paymentWorkflowId,
  policyWorkflowId,
  renewalBatchWorkflowId,
  trustRunWorkflowId,
  WORKFLOW_TYPES,
} from '../../../contracts/machinery/start.ts';
import { Webhook } from '../../../db/entities/delivery/webhook.ts';
import { newId } from '../../../db/ids.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { putFlagOverride } from '../../../db/queries/platform/flags.ts';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { bill, insure, payment } from '../billing/billed.ts';
import { type Engine, startEngine } from '../engine.ts';
import { ended, expiringPolicies, nextTerms, startBatch } from '../renewal/renewing.ts';

const POLL_MS = 60_000;

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t);
});

const batch = () => queueBeside(engine.queue, 'batch');

/** How a workflow was started, and where each of its regular activities went: `name → [queue, priority]`. */
async function routed(workflowId: string) {
  const { events } = await engine.temporal.client.workflow.getHandle(workflowId).fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  const activities = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [[scheduled.activityType?.name, [scheduled.taskQueue?.name, scheduled.priority?.priorityKey]]] : [],
  );
  const { priorityKey, fairnessKey } = started?.priority ?? {};
  return { queue: started?.taskQueue?.name, priorityKey, fairnessKey, activities: Object.fromEntries(activities) };
}

test('queues of one installation are found beside each other, with a prefix and without', (t) => {
  t.is(queueBeside('lifecycle', 'outside'), 'outside');
  t.is(queueBeside(taskQueue('outside', 'site-7'), 'batch'), taskQueue('batch', 'site-7'));
});

test('urgent workflows in a queue go first, and organizations take turns however many each has', async (t) => {
  const waiting = `waiting-${newId('payment')}`;
  const start = (name: string, orgId: string, priorityKey: number) =>
    engine.temporal.client.workflow.start('nobodyRunsIt', {
      workflowId: `${waiting}/${name}`,
      taskQueue: waiting,
      priority: { priorityKey, fairnessKey: orgId },
    });
  const many = Array.from({ length: 8 }, (_, number) => `busy ${number}`);
  for (const name of many) await start(name, 'org_busy', 3);
  await start('of another organization', 'org_quiet', 3);
  await start('urgent', 'org_busy', 1);
  await eventually(async () => (await backlogOf(waiting)) === many.length + 2, { what: 'all of them to wait' });
  const order: string[] = [];
  while (order.length < many.length + 2) order.push(await nextOf(waiting));
  t.is(order[0], `${waiting}/urgent`);
  const turn = order.indexOf(`${waiting}/of another organization`);
  t.true(turn <= 3, `the quiet organization came as number ${turn} of ${order.length}`);
});

/** How many workflow tasks wait in a queue. A workflow's first task gets there a moment after its start is answered. */
async function backlogOf(name: string): Promise<number> {
  const { workflowService, options } = engine.temporal.client;
  const { namespace } = options;
  const { stats } = await workflowService.describeTaskQueue({ namespace, taskQueue: { name }, reportStats: true });
  return Number(stats?.approximateBacklogCount ?? 0);
}

/** Takes a queue's next workflow task, as a worker would, and leaves it. Returns its workflow's id. */
async function nextOf(name: string): Promise<string> {
  const { connection, workflowService, options } = engine.temporal.client;
  const poll = () => workflowService.pollWorkflowTaskQueue({ namespace: options.namespace, taskQueue: { name } });
  const task = await connection.withDeadline(Date.now() + POLL_MS, poll);
  return task.workflowExecution?.workflowId ?? '';
}

test('a payment that a caller waits for goes first, its steps come after, and the receipt is stored on the outside queue', async (t) => {
  const insurance = await insure(await engine.organization());
  const { orgId, lifecycle, command } = insurance.tenant;
  const paymentId = newId('payment');
  await lifecycle.recordPayment(command(paymentId, payment(await bill(insurance))));
  await engine.temporal.client.workflow.getHandle(paymentWorkflowId(orgId, paymentId)).result();
  const { activities, ...start } = await routed(paymentWorkflowId(orgId, paymentId));
  t.deepEqual(start, { queue: engine.queue, priorityKey: 1, fairnessKey: orgId });
  t.deepEqual(activities.postEarnings, [engine.queue, 3]);
  t.deepEqual(activities.storeReceipt, [queueBeside(engine.queue, 'outside'), 3]);
});

test('opening a batch goes first, its slices behind everything else, and the next terms that it issues do not', async (t) => {
  const tenant = await engine.organization();
  const [policyId = ''] = await expiringPolicies(engine, tenant, { count: 1 });
  const { batchId } = await startBatch(tenant);
  await ended(engine, tenant, batchId);
  const { activities, ...start } = await routed(renewalBatchWorkflowId(tenant.orgId, batchId));
  t.deepEqual(start, { queue: batch(), priorityKey: 1, fairnessKey: tenant.orgId });
  t.deepEqual(activities, { renewSlice: [batch(), 5] });
  const [[nextId = ''] = []] = await nextTerms(tenant, [policyId]);
  const next = await eventually(() => routed(policyWorkflowId(tenant.orgId, nextId)).catch(() => false as const), {
    what: "the next term's workflow to be there",
  });
  t.deepEqual([next.queue, next.priorityKey], [engine.queue, 1]);
});

test('batches of the calendar, for which nobody waits, go behind everything else', async (t) => {
  const tenant = await engine.organization();
  const { orgId, today, lifecycle, command, database } = tenant;
  await database.transaction(orgId, (em) => putFlagOverride(em, 'auto_renewal', true));
  const workflowId = `renewal-sweep/${orgId}`;
  await engine.temporal.client.workflow.execute(WORKFLOW_TYPES.renewalSweep, { workflowId, taskQueue: batch() });
  // Due for renewal 75 days before it expires.
  await expiringPolicies(engine, tenant, { count: 1, columns: { expiration_date: `'${addDays(today, 76)}'` } });
  const advanceTo = addDays(today, 1);
  await lifecycle.advanceTestClock(command(orgId, { advanceTo }));
  for (const date of [today, advanceTo]) {
    const { queue, priorityKey } = await routed(renewalBatchWorkflowId(orgId, date));
    t.deepEqual([queue, priorityKey], [batch(), 5]);
  }
});

test('deliveries have a queue of their own, on which organizations take turns', async (t) => {
  const { orgId, database } = await engine.organization();
  const webhookId = newId('webhookSubscription');
  const none = { description: null, previousSecrets: [], deliveringUntil: null };
  await database.transaction(orgId, async (em) => {
    const subscription = { url: 'http://127.0.0.1:65001/', events: ['*'], eventTypes: ['*'], secret: 'plain:s' };
    em.create(Webhook, { id: webhookId, status: 'active', ...none, ...subscription }, { persist: true });
  });
  const claim = {
    claimId: newId('claim'),
    claimNumber: 'CLM-2026-000001',
    policyId: newId('policy'),
    status: 'reported',
  };
  await database.transaction(orgId, async (em) => void writeEvent(em, 'claim.filed', claim));
  const { activities, ...start } = await eventually(
    () =>
      routed(eventDeliveryWorkflowId(orgId, webhookId)).then(
        (all) => 'deliverEvents' in all.activities && all,
        () => false as const,
      ),
    { what: 'the delivery' },
  );
  const events = queueBeside(engine.queue, 'events');
  t.deepEqual(start, { queue: events, priorityKey: 3, fairnessKey: orgId });
  t.deepEqual(activities, { deliverEvents: [events, 3] });
});

test('opening a reconciliation goes first, and its checks behind everything else', async (t) => {
  const { orgId, lifecycle, command } = await engine.organization();
  await lifecycle.startReconciliation(command(newId('trustReconciliation'), {}));
  await engine.temporal.client.workflow.getHandle(trustRunWorkflowId(orgId)).result();
  const { activities, ...start } = await routed(trustRunWorkflowId(orgId));
  t.deepEqual(start, { queue: batch(), priorityKey: 1, fairnessKey: orgId });
  t.deepEqual(activities, {
    importCardStatement: [queueBeside(engine.queue, 'outside'), 5],
    checkReceipts: [queueBeside(engine.queue, 'outside'), 5],
    checkBooksPage: [batch(), 5],
    closeReconciliation: [batch(), 5],
  });
});
