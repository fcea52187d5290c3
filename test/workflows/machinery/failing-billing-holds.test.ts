// A billing hold whose policies cannot be notified: it is listed, served and retried, and its history stays short.
import { Context } from '@temporalio/activity';
import { WithStartWorkflowOperation } from '@temporalio/client';
import anyTest, { type TestFn } from 'ava';
import { placeHoldUpdate } from '../../../contracts/billing-hold.ts';
import { billingHoldWorkflowId, WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { newId } from '../../../db/ids.ts';
import { addDays } from '../../../domain/dates.ts';
import { decide } from '../../../scripts/ops/waiting.ts';
import type { BackOff } from '../../../workflows/machinery/back-off.ts';
import { eventually } from '../../support/eventually.ts';
import type { Engine, Tenant } from '../engine.ts';
import { runsOf } from '../runs-of.ts';
import {
  AT_ONCE,
  attempts,
  type Breakable,
  broken,
  hindrances,
  isShownAs,
  LONGEST_RUN,
  NEVER,
  startBreakable,
  waitsAt,
} from './breakable.ts';

const test = anyTest as TestFn<Breakable>;

test.before('a server that cuts histories early, and an engine whose activities can be broken', async (t) => {
  t.context = await startBreakable(t);
});

test.after.always('the server is stopped', (t) => t.context.server.stop());

/** A hold in Texas whose policies cannot be notified. */
async function unnotified(engine: Engine, tenant: Tenant, backOff: BackOff) {
  const { orgId, today } = tenant;
  const name = `notifyDelinquentPolicies of ${orgId}`;
  broken.add(name);
  const holdId = newId('billingHold');
  const workflowId = billingHoldWorkflowId(orgId, holdId);
  const { workflow } = engine.temporal.client;
  const startWorkflowOperation = new WithStartWorkflowOperation(WORKFLOW_TYPES.billingHold, {
    ...{ workflowId, taskQueue: engine.queue, workflowIdConflictPolicy: 'USE_EXISTING' },
    args: [{ orgId, backOff }],
  });
  const hold = tenant.command(holdId, { state: 'TX', from: today, to: addDays(today, 9) });
  await workflow.executeUpdateWithStart(placeHoldUpdate, { args: [hold], startWorkflowOperation });
  return { name, holdId, workflowId, workflow };
}

test('a billing hold whose policies cannot be notified is lifted all the same, and notifies them when it can', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { name, holdId, workflowId, workflow } = await unnotified(engine, tenant, AT_ONCE);
  await eventually(() => (attempts.get(name) ?? 0) > 3, { what: 'the notification to have failed' });
  t.like(await tenant.lifecycle.liftBillingHold(tenant.command(holdId, {})), { holdId, state: 'TX' });
  t.is((await workflow.getHandle(workflowId).describe()).status.name, 'RUNNING');
  broken.delete(name);
  const failed = attempts.get(name) ?? 0;
  await workflow.getHandle(workflowId).result();
  t.true((attempts.get(name) ?? 0) >= failed + 2, 'of the hold, and of its end');
});

test('a billing hold whose policies cannot be notified is listed, and an operator retries or skips that', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { name, holdId, workflowId, workflow } = await unnotified(engine, tenant, NEVER);
  const { client } = engine.temporal;
  const step = 'notifying the policies';
  t.like(await waitsAt(engine, workflowId, step), { message: 'injected' });
  await tenant.lifecycle.liftBillingHold(tenant.command(holdId, {}));
  await decide(client, workflowId, { kind: 'retry', operator: 'ada' });
  await eventually(() => attempts.get(name) === 2, { what: 'the retry' });
  await waitsAt(engine, workflowId, step);
  await decide(client, workflowId, { kind: 'skip', operator: 'ada', reason: 'known fault' });
  // The end of the hold is a separate notification.
  await eventually(() => attempts.get(name) === 3, { what: 'the notification that the hold has ended' });
  const skips = await tenant.database.forOrg(tenant.orgId, (em) =>
    em.find(AuditEntry, { action: 'billing_hold:skip_step' }),
  );
  t.is(skips.length, 1);
  t.like(skips[0], { actorId: 'ada', entityId: holdId, changes: { step, reason: 'known fault' } });
  broken.delete(name);
  // The list lags behind, and may still show the earlier wait.
  const retried = () => decide(client, workflowId, { kind: 'retry', operator: 'ada' }).catch(() => null);
  await eventually(retried, { what: 'the hold to wait again' });
  await workflow.getHandle(workflowId).result();
  t.is(attempts.get(name), 4);
  await isShownAs(engine, workflowId, null);
});

test('a billing hold whose policies cannot be notified for long keeps its history short, stays listed, and notifies them', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { client } = engine.temporal;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  // What is never released would keep its worker from stopping.
  t.teardown(release);
  const { name, workflowId, workflow } = await unnotified(engine, tenant, AT_ONCE);
  const { runId } = await workflow.getHandle(workflowId).describe();
  // The first attempt of a later run does not come to an end.
  const hung = new Promise<void>((resolve) => {
    hindrances.set(name, async () => {
      if (Context.current().info.workflowExecution?.runId === runId) return;
      resolve();
      await released;
    });
  });
  await hung;
  t.like(await waitsAt(engine, workflowId, 'notifying the policies'), { message: 'injected' });
  broken.delete(name);
  release();
  await workflow.getHandle(workflowId).result();
  await isShownAs(engine, workflowId, null);
  const lengths = (await runsOf(client, workflowId)).map(({ length }) => length);
  t.true(lengths.length > 1);
  t.true(Math.max(...lengths) <= LONGEST_RUN, lengths.join());
});
