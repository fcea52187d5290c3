// Failing steps that no caller waits for: an entity's and a saga's. They are listed and retried, and hold up nothing
// else.
import { ApplicationFailure } from '@temporalio/activity';
import anyTest, { type TestFn } from 'ava';
import { advanceClockUpdate } from '../../../contracts/clock.ts';
import { paymentWorkflowId, policyWorkflowId, WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { newId } from '../../../db/ids.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { addDays } from '../../../domain/dates.ts';
import { engineFaultOf } from '../../../providers/temporal-errors.ts';
import { decide, listWaiting } from '../../../scripts/ops/waiting.ts';
import { ALERT_BACK_OFF, BACK_OFF, type BackOff, pauseMs } from '../../../workflows/machinery/back-off.ts';
import { eventually } from '../../support/eventually.ts';
import { DAYS_AHEAD } from '../../support/fixed/today.ts';
import { holdRow } from '../../support/held-row.ts';
import { bill, books, insure, payment } from '../billing/billed.ts';
import type { Engine, Tenant } from '../engine.ts';
import { bindNew } from '../run-engine.ts';
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
  SHORTLY,
  startBreakable,
  waitsAt,
} from './breakable.ts';

const WEEK_MS = 7 * 86_400_000;
/** A caller waits no longer by default. */
const SERVED_WITHIN_MS = 15_000;

const test = anyTest as TestFn<Breakable>;

test.before('a server that cuts histories early, and an engine whose activities can be broken', async (t) => {
  t.context = await startBreakable(t);
});

test.after.always('the server is stopped', (t) => t.context.server.stop());

/** Falls due on the day after the unpaid policy begins. */
const FAILING = 'takeDelinquencyStep';
const STEP = 'installment 1 past due';

const OFFSET = { clockOffsetDays: DAYS_AHEAD + 11 };

/** An unpaid policy that begins in ten days, whose workflow is started from its row with these pauses. */
async function policyWith({ temporal, queue }: Engine, tenant: Tenant, backOff: BackOff, faults: string[] = []) {
  const { orgId } = tenant;
  const { policyId } = await bindNew({ temporal }, tenant);
  const { workflow } = temporal.client;
  const workflowId = policyWorkflowId(orgId, policyId);
  await workflow.getHandle(workflowId).terminate('started again with other pauses');
  for (const activity of faults) broken.add(`${activity} of ${policyId}`);
  const args = [{ orgId, policyId, backOff }];
  await workflow.start(WORKFLOW_TYPES.policy, { workflowId, taskQueue: queue, args });
  return { policyId, workflowId };
}

const statusOf = async ({ orgId, database }: Tenant, policyId: string) =>
  (await database.forOrg(orgId, (em) => findPolicy(em, policyId)))?.status;

const pastDues = ({ orgId, database }: Tenant, policyId: string) =>
  database.forOrg(orgId, (em) => em.count(AuditEntry, { action: 'policy:past_due', entityId: policyId }));

const endorsement = (tenant: Tenant, policyId: string, annualRevenueCents: number) =>
  tenant.command(policyId, {
    effectiveDate: addDays(tenant.today, 10),
    changes: { annualRevenueCents },
    reason: null,
  });

const advance = (tenant: Tenant, days: number) =>
  tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo: addDays(tenant.today, days) }));

/** How often a step is tried during a week of failures. */
function attemptsOfAWeek(): number {
  let [count, elapsedMs] = [1, 0];
  for (; elapsedMs < WEEK_MS; count += 1) elapsedMs += pauseMs(count, BACK_OFF);
  return count;
}

test('the pause after a failure begins with a minute, doubles, and is never longer than an hour, of an alert a day', (t) => {
  const minutes = [1, 2, 3, 6, 7, 500].map((failures) => pauseMs(failures, BACK_OFF) / 60_000);
  t.deepEqual(minutes, [1, 2, 4, 32, 60, 60]);
  const ofAlerts = [1, 7, 11, 12, 500].map((failures) => pauseMs(failures, ALERT_BACK_OFF) / 60_000);
  t.deepEqual(ofAlerts, [1, 64, 1_024, 1_440, 1_440], 'for an alert it grows to a day');
});

test('a step that fails as often as in a week is listed, commands are served, histories stay short, and it heals', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { policyId, workflowId } = await policyWith(engine, tenant, AT_ONCE, [FAILING]);
  t.deepEqual(await advance(tenant, 11), { date: addDays(tenant.today, 11) }, 'the clock passes over it');
  t.like(await waitsAt(engine, workflowId, STEP), { message: 'injected' });
  await isShownAs(engine, workflowId, 'waiting');

  const step = `${FAILING} of ${policyId}`;
  const first = endorsement(tenant, policyId, 101_000_000);
  const outcome = await tenant.lifecycle.endorsePolicy(first);
  const { workflow } = engine.temporal.client;
  const advanceAgain = async () => {
    try {
      return await workflow.getHandle(workflowId).executeUpdate(advanceClockUpdate, { args: [OFFSET] });
    } catch (error) {
      // A busy machine may have lost a workflow task: every sender resends its updates.
      if (engineFaultOf(error)?.passes) return null;
      throw error;
    }
  };
  // A server timer takes a second, so the clock triggers the attempts; only the last one is the timer's.
  while ((attempts.get(step) ?? 0) < attemptsOfAWeek()) {
    const { isDone } = await eventually(advanceAgain, { what: 'the clock to be taken' });
    t.false(isDone);
  }
  await tenant.lifecycle.endorsePolicy(endorsement(tenant, policyId, 102_000_000));
  t.deepEqual(await tenant.lifecycle.endorsePolicy(first), outcome, 'an early command is known in a late run');
  t.is(await pastDues(tenant, policyId), 0);

  broken.delete(step);
  await eventually(async () => (await pastDues(tenant, policyId)) === 1, { what: 'the step to be done' });
  await isShownAs(engine, workflowId, 'active');
  const { memo } = await workflow.getHandle(workflowId).describe();
  t.deepEqual(memo, {});
  const lengths = (await runsOf(engine.temporal.client, workflowId)).map(({ length }) => length);
  t.true(lengths.length > 5, 'the workflow kept continuing as new');
  t.true(Math.max(...lengths) <= LONGEST_RUN, lengths.join());
  t.is(await pastDues(tenant, policyId), 1);
});

test('a policy whose row cannot be read serves commands, and goes on when it can be read again', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { policyId, workflowId } = await policyWith(engine, tenant, NEVER, ['readPolicy']);
  await waitsAt(engine, workflowId, 'reading the row');
  await tenant.lifecycle.endorsePolicy(endorsement(tenant, policyId, 101_000_000));
  await isShownAs(engine, workflowId, 'pending');
  broken.delete(`readPolicy of ${policyId}`);
  await advance(tenant, 10);
  t.is(await statusOf(tenant, policyId), 'active');
});

/** Sends a command once the step is held up. Returns how long it took. */
async function commandMeanwhile(tenant: Tenant, policyId: string, isHeldUp: Promise<unknown>): Promise<number> {
  await isHeldUp;
  const beganAtMs = performance.now();
  await tenant.lifecycle.nonRenewPolicy(tenant.command(policyId, { reason: 'Losses.' }));
  return performance.now() - beganAtMs;
}

test('a policy whose step meets an unavailable database serves commands within seconds, and takes the step later', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { policyId, workflowId } = await policyWith(engine, tenant, SHORTLY);
  const step = `${FAILING} of ${policyId}`;
  hindrances.set(step, async () => {
    throw ApplicationFailure.retryable('The database is unavailable.', 'service_unavailable');
  });
  const advanced = advance(tenant, 11);
  const isTried = eventually(() => (attempts.get(step) ?? 0) > 1, { what: 'the step to be tried again' });
  const tookMs = await commandMeanwhile(tenant, policyId, isTried);
  t.true(tookMs < SERVED_WITHIN_MS, `${tookMs} ms`);
  t.like(await waitsAt(engine, workflowId, STEP), { message: 'The database is unavailable.' });
  t.is(await pastDues(tenant, policyId), 0);
  hindrances.delete(step);
  await advanced;
  await eventually(async () => (await pastDues(tenant, policyId)) === 1, { what: 'the step to be done' });
});

test('a policy whose step waits for a locked row serves commands within seconds, and takes the step later', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { policyId, workflowId } = await policyWith(engine, tenant, SHORTLY);
  await advance(tenant, 10);
  // Notice of non-renewal needs the policy, but not the authority that past due premium is charged to.
  const authority = await holdRow(engine.testDatabase.ownerUrl, 'da_usage', 'org_id = $1', tenant.orgId);
  const advanced = advance(tenant, 11);
  const tookMs = await commandMeanwhile(tenant, policyId, authority.isWaitedFor());
  t.true(tookMs < SERVED_WITHIN_MS, `${tookMs} ms`);
  await waitsAt(engine, workflowId, STEP);
  t.is(await pastDues(tenant, policyId), 0);
  await authority.release();
  await advanced;
  await eventually(async () => (await pastDues(tenant, policyId)) === 1, { what: 'the step to be done' });
});

test('a step that is only slow is taken at its first attempt', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { policyId } = await policyWith(engine, tenant, NEVER);
  await advance(tenant, 10);
  const authority = await holdRow(engine.testDatabase.ownerUrl, 'da_usage', 'org_id = $1', tenant.orgId);
  const advanced = advance(tenant, 11);
  await authority.isWaitedFor();
  // The command is sent, and waits for its turn, while the step is still at work.
  const command = tenant.lifecycle.nonRenewPolicy(tenant.command(policyId, { reason: 'Losses.' }));
  await authority.release();
  await Promise.all([advanced, command]);
  t.is(await pastDues(tenant, policyId), 1);
  t.is(attempts.get(`${FAILING} of ${policyId}`), 1);
});

test('a policy serves commands while the next term cannot be woken', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { policyId } = await policyWith(engine, tenant, NEVER, [FAILING]);
  await advance(tenant, 350);
  const { renewal } = await tenant.lifecycle.renewPolicy(
    tenant.command(policyId, { effectiveDate: null, changes: {} }),
  );
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  // What is never released would keep its worker from stopping.
  t.teardown(release);
  const waking = `wakeTerm of ${renewal.policyId}`;
  let timesReleased = 0;
  hindrances.set(waking, async () => {
    await released;
    timesReleased += 1;
  });
  const endorseBoth = (annualRevenueCents: number) => {
    const { payload } = endorsement(tenant, policyId, annualRevenueCents);
    return tenant.lifecycle.endorsePolicy(tenant.command(policyId, { ...payload, applyToRenewal: true }));
  };
  await endorseBoth(101_000_000);
  await eventually(() => attempts.has(waking), { what: 'the next term to be woken' });
  await endorseBoth(102_000_000);
  t.is(timesReleased, 0, 'it is still being woken');
  release();
  await eventually(() => timesReleased > 1, { what: 'the next term to be woken for the second change' });
});

test('an operator has a step tried again before its time', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { policyId, workflowId } = await policyWith(engine, tenant, NEVER, [FAILING]);
  await advance(tenant, 11);
  await waitsAt(engine, workflowId, STEP);
  broken.delete(`${FAILING} of ${policyId}`);
  t.is(await decide(engine.temporal.client, workflowId, { kind: 'retry', operator: 'ada' }), STEP);
  await eventually(async () => (await pastDues(tenant, policyId)) === 1, { what: 'the step to be done' });
});

test('a step that an operator leaves out is audited and rests until a command changes the policy', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { policyId, workflowId } = await policyWith(engine, tenant, NEVER, [FAILING, 'auditStepSkipped']);
  await advance(tenant, 11);
  await waitsAt(engine, workflowId, STEP);
  const skip = { kind: 'skip', operator: 'ada', reason: 'known fault' } as const;
  await decide(engine.temporal.client, workflowId, skip);
  const refused = await eventually(
    async () => (await listWaiting(engine.temporal.client)).find(({ message }) => message.startsWith('The skip could')),
    { what: 'the refusal of a skip that is not on record' },
  );
  t.is(refused.workflowId, workflowId);
  broken.delete(`auditStepSkipped of ${policyId}`);
  await decide(engine.temporal.client, workflowId, skip);
  await isShownAs(engine, workflowId, 'active');
  const [entry, ...others] = await tenant.database.forOrg(tenant.orgId, (em) =>
    em.find(AuditEntry, { action: 'policy:skip_step' }),
  );
  t.like(entry, { actorId: 'ada', entityId: policyId, changes: { step: STEP, reason: 'known fault' } });
  t.is(others.length, 0);

  broken.delete(`${FAILING} of ${policyId}`);
  await advance(tenant, 12);
  t.is(await pastDues(tenant, policyId), 0, 'it is left out on later days too');
  await tenant.lifecycle.endorsePolicy(endorsement(tenant, policyId, 101_000_000));
  await eventually(async () => (await pastDues(tenant, policyId)) === 1, { what: 'the step to be done' });
});

test('a saga whose alert cannot be raised waits for its operator all the same, and does not end without the alert', async (t) => {
  const { engine } = t.context;
  const insurance = await insure(await engine.organization());
  const { tenant } = insurance;
  const invoiceId = await bill(insurance);
  const paymentId = newId('payment');
  const faults = ['recordCommission', 'raiseStepFailure'].map((activity) => `${activity} of ${paymentId}`);
  for (const fault of faults) broken.add(fault);
  await tenant.lifecycle.recordPayment(tenant.command(paymentId, payment(invoiceId)));
  const workflowId = paymentWorkflowId(tenant.orgId, paymentId);
  await waitsAt(engine, workflowId, 'commission');
  broken.delete(faults[0] ?? '');
  await decide(engine.temporal.client, workflowId, { kind: 'retry', operator: 'ada' });
  await waitsAt(engine, workflowId, 'alert');
  const isAlarm = ({ type }: { type: string }) => type === 'financial.operation_failed';
  t.is((await books(tenant, invoiceId)).events.filter(isAlarm).length, 0);
  broken.delete(faults[1] ?? '');
  await decide(engine.temporal.client, workflowId, { kind: 'retry', operator: 'ada' });
  await engine.temporal.client.workflow.getHandle(workflowId).result();
  t.is((await books(tenant, invoiceId)).events.filter(isAlarm).length, 1);
});
