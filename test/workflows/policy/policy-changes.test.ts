// What a policy's workflow adds to the transactions of its changes: order, refusals without a trace, waiting for a
// date, the sagas and terms that follow. test/activities covers what the transactions write.
import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import type { DueCommand } from '../../../contracts/machinery/command.ts';
import { paymentWorkflowId, policyWorkflowId, refundWorkflowId } from '../../../contracts/machinery/start.ts';
import type { CancelPayload } from '../../../contracts/policy.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { findPolicy, policyTransactions } from '../../../db/queries/policy/policies.ts';
import { addDays, addYears, type BusinessDate } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { payment } from '../billing/billed.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { bindNew, type Interference } from '../run-engine.ts';

let engine: Engine;
/** Activity → organizations in which its next run is cut off after its transaction. */
const cutOff = new Map<string, Set<string>>();

test.before(async (t) => {
  engine = await startEngine(t, { interfere });
});

/** Organization → when its policy's row can be read again. */
const readable = new Map<string, Promise<void>>();

/** Organizations whose next day of a cancellation is first booked by a worker that dies with its workflow task. */
const bookedBefore = new Set<string>();

const interfere: Interference = async (activity, run, argument, activities) => {
  const { orgId } = argument as { orgId: string };
  if (bookedBefore.has(orgId) && ['readPolicy', 'takeCancellationEffect'].includes(activity)) {
    const { status } = await activities.takeCancellationEffect(argument as DueCommand);
    if (status === 'cancelled') bookedBefore.delete(orgId);
  }
  if (activity === 'readPolicy') await readable.get(orgId);
  const outcome = await run();
  if (!cutOff.get(activity)?.delete(orgId)) return outcome;
  throw ApplicationFailure.retryable('injected', 'internal_error');
};

interface Bound {
  tenant: Tenant;
  policyId: string;
  effectiveDate: BusinessDate;
}

async function bound(days = 10): Promise<Bound> {
  const tenant = await engine.organization();
  const effectiveDate = addDays(tenant.today, days);
  const { policyId } = await bindNew(engine, tenant, { effectiveDate });
  return { tenant, policyId, effectiveDate };
}

const workflowOf = ({ orgId }: Tenant, policyId: string) =>
  engine.temporal.client.workflow.getHandle(policyWorkflowId(orgId, policyId));

const rowOf = ({ orgId, database }: Tenant, policyId: string) =>
  database.forOrg(orgId, (em) => findPolicy(em, policyId));

const advance = (tenant: Tenant, advanceTo: BusinessDate) =>
  tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo }));

const shown = async (tenant: Tenant, policyId: string) => {
  const handle = workflowOf(tenant, policyId);
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return currentDetails;
};

const cancellation = (effectiveDate: BusinessDate): CancelPayload => ({
  effectiveDate,
  reason: 'insured_request',
  source: null,
  method: null,
});

const cancel = ({ tenant, policyId }: Bound, day: BusinessDate) =>
  tenant.lifecycle.cancelPolicy(tenant.command(policyId, cancellation(day)));

/** Pays the policy by check and waits until the saga has ended. */
async function pay({ tenant, policyId }: Bound): Promise<void> {
  const [invoice] = await tenant.database.forOrg(tenant.orgId, (em) => invoicesOfPolicy(em, policyId));
  const paymentId = newId('payment');
  const paid = payment(invoice?.id ?? '', { amountCents: invoice?.totalCents ?? 0 });
  await tenant.lifecycle.recordPayment(tenant.command(paymentId, paid));
  await engine.temporal.client.workflow.getHandle(paymentWorkflowId(tenant.orgId, paymentId)).result();
}

/** A policy's refund, once its saga has ended. */
async function refundOf({ tenant }: Bound): Promise<Payment> {
  const find = () => tenant.database.forOrg(tenant.orgId, (em) => em.findOne(Payment, { kind: 'refund' }));
  const found = await eventually(find, { what: 'the refund to be reserved' });
  const saga = engine.temporal.client.workflow.getHandle(refundWorkflowId(tenant.orgId, found.id));
  await eventually(async () => (await saga.describe().catch(() => null)) !== null, { what: 'the saga of the refund' });
  await saga.result();
  return (await find()) as Payment;
}

test('a command after one that was cut off and repeated is judged by the row, which has yet to be read again', async (t) => {
  const policy = await bound();
  const { tenant, policyId, effectiveDate } = policy;
  const reinstate = () =>
    tenant.lifecycle.reinstatePolicy(tenant.command(policyId, { effectiveDate: null, reason: null }));
  // From here on the workflow knows that the policy is pending.
  await cancel(policy, effectiveDate);
  await reinstate();
  const { promise, resolve: release } = Promise.withResolvers<void>();
  // What is never released would keep its worker from stopping.
  t.teardown(release);
  readable.set(tenant.orgId, promise);
  cutOff.set('cancelPolicy', new Set([tenant.orgId]));
  await cancel(policy, effectiveDate);
  const reinstated = reinstate();
  const isAccepted = async () => {
    const { events } = await workflowOf(tenant, policyId).fetchHistory();
    return events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length === 3;
  };
  const refused = reinstated.then(
    () => false,
    () => true,
  );
  await Promise.race([refused, eventually(isAccepted, { what: 'the reinstatement to be accepted' })]);
  release();
  t.is((await reinstated).status, 'pending');
});

test('a command that was carried out but lost by its server returns its outcome when it is sent again, though the state no longer allows it', async (t) => {
  const policy = await bound();
  const { tenant, policyId, effectiveDate } = policy;
  await cancel(policy, addDays(effectiveDate, 30));
  const reinstate = tenant.command(policyId, { effectiveDate: null, reason: null });
  const first = await tenant.lifecycle.reinstatePolicy(reinstate);
  const handle = workflowOf(tenant, policyId);
  const { taskQueue } = await handle.describe();
  await handle.terminate('its server lost it');
  const args = [{ orgId: tenant.orgId, policyId }];
  await engine.temporal.client.workflow.start('policyWorkflow', { workflowId: handle.workflowId, taskQueue, args });
  const isRead = async () => (await handle.describe()).searchAttributes.EntityStatus?.[0] === 'pending';
  await eventually(isRead, { what: 'the run to read the row' });

  await t.throwsAsync(tenant.lifecycle.reinstatePolicy(reinstate), { code: 'invalid_state_transition' });
  t.deepEqual(await tenant.lifecycle.reinstatePolicy({ ...reinstate, isRepeat: true }), first);
  const another = { ...tenant.command(policyId, { effectiveDate: null, reason: null }), isRepeat: true } as const;
  await t.throwsAsync(
    tenant.lifecycle.reinstatePolicy(another),
    { code: 'invalid_state_transition' },
    'the step refuses',
  );
});

test('the workflow of a cancelled policy ends, and a reinstatement starts it again from the row', async (t) => {
  const policy = await bound();
  const { tenant, policyId, effectiveDate } = policy;
  await cancel(policy, effectiveDate);
  await workflowOf(tenant, policyId).result();
  t.is((await rowOf(tenant, policyId))?.status, 'cancelled');
  const reinstatement = { effectiveDate: null, reason: null };
  const { status } = await tenant.lifecycle.reinstatePolicy(tenant.command(policyId, reinstatement));
  t.is(status, 'pending');
  t.is(await shown(tenant, policyId), `pending, next: starts on ${effectiveDate}`);
  const { typedSearchAttributes } = await workflowOf(tenant, policyId).describe();
  const found = Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
  const policyNumber = (await rowOf(tenant, policyId))?.policyNumber;
  t.like(found, { EntityStatus: 'pending', PolicyNumber: policyNumber, LineOfBusiness: 'GL' });
  await advance(tenant, effectiveDate);
  t.is((await rowOf(tenant, policyId))?.status, 'active');
});

test('the operator reads on which day an announced cancellation takes effect, and it does', async (t) => {
  const policy = await bound();
  const { tenant, policyId, effectiveDate } = policy;
  const day = addDays(effectiveDate, 30);
  await pay(policy);
  await cancel(policy, day);
  t.is(await shown(tenant, policyId), `pending_cancellation, next: cancellation on ${day}`);
  await advance(tenant, day);
  await workflowOf(tenant, policyId).result();
  t.is((await rowOf(tenant, policyId))?.status, 'cancelled');
});

test('an operation that the state forbids is refused before it leaves a trace', async (t) => {
  const { tenant, policyId, effectiveDate } = await bound();
  // While asleep it knows no state: its first command wakes it.
  const changes = { annualRevenueCents: 130_000_000 };
  await tenant.lifecycle.endorsePolicy(tenant.command(policyId, { effectiveDate, changes, reason: null }));
  const length = async () => (await workflowOf(tenant, policyId).describe()).historyLength;
  t.regex(await shown(tenant, policyId), /^pending, /);
  const before = await length();
  const reinstatement = tenant.command(policyId, { effectiveDate: null, reason: null });
  const error = await t.throwsAsync(tenant.lifecycle.reinstatePolicy(reinstatement), {
    code: 'invalid_state_transition',
  });
  const allowed = ['endorse', 'cancel', 'non_renew'];
  t.like(error, { details: { resource: 'policy', from: 'pending', action: 'reinstate', allowed } });
  t.is(await length(), before);
});

test('a change requested twice is made once', async (t) => {
  const { tenant, policyId, effectiveDate } = await bound();
  const payload = { effectiveDate, changes: { annualRevenueCents: 130_000_000 }, reason: null };
  const command = tenant.command(policyId, payload);
  const [first, second] = [
    await tenant.lifecycle.endorsePolicy(command),
    await tenant.lifecycle.endorsePolicy(command),
  ];
  t.deepEqual(first, second);
  const stack = await tenant.database.forOrg(tenant.orgId, (em) => policyTransactions(em, policyId));
  t.is(stack.length, 2);
});

test('a saga of its own pays out the refund of a cancelled paid policy', async (t) => {
  const policy = await bound();
  await pay(policy);
  await cancel(policy, policy.effectiveDate);
  t.like(await refundOf(policy), { status: 'succeeded', amountCents: -438_964 });
});

test('a worker that dies after the transaction of a cancellation loses no response and no refund', async (t) => {
  const policy = await bound();
  await pay(policy);
  cutOff.set('cancelPolicy', new Set([policy.tenant.orgId]));
  const { status } = await cancel(policy, policy.effectiveDate);
  t.is(status, 'cancelled');
  t.is((await refundOf(policy)).status, 'succeeded');
  const { tenant, policyId } = policy;
  const stack = await tenant.database.forOrg(tenant.orgId, (em) => policyTransactions(em, policyId));
  t.is(stack.length, 2);
});

test('a worker that dies after the day of a cancellation was booked does not lose the refund', async (t) => {
  const policy = await bound();
  await pay(policy);
  const day = addDays(policy.effectiveDate, 100);
  await cancel(policy, day);
  cutOff.set('takeCancellationEffect', new Set([policy.tenant.orgId]));
  await advance(policy.tenant, day);
  t.is((await refundOf(policy)).status, 'succeeded');
});

test('a worker that dies with the task in which it booked the day of a cancellation does not lose the refund', async (t) => {
  const policy = await bound();
  await pay(policy);
  const day = addDays(policy.effectiveDate, 100);
  await cancel(policy, day);
  // The next worker begins the task again, and reads a row that is cancelled already.
  bookedBefore.add(policy.tenant.orgId);
  await advance(policy.tenant, day);
  t.is((await refundOf(policy)).status, 'succeeded');
});

test('a renewal starts the workflow of the next term, and the two take turns on the day', async (t) => {
  const policy = await bound();
  await pay(policy);
  const { tenant, policyId, effectiveDate } = policy;
  const expirationDate = addYears(effectiveDate, 1);
  await advance(tenant, addDays(expirationDate, -30));
  const renewal = tenant.command(policyId, { effectiveDate: null, changes: {} });
  const { renewal: next } = await tenant.lifecycle.renewPolicy(renewal);
  const described = await eventually(
    () =>
      workflowOf(tenant, next.policyId)
        .describe()
        .catch(() => null),
    { what: 'the workflow of the next term' },
  );
  t.is(await described.staticDetails(), `pending, asleep until ${expirationDate} or a command`);
  await advance(tenant, expirationDate);
  await workflowOf(tenant, policyId).result();
  t.is((await rowOf(tenant, policyId))?.status, 'renewed');
  t.is((await rowOf(tenant, next.policyId))?.status, 'active');
});

test('a next term that is cancelled with the one before it is notified, and its workflow ends', async (t) => {
  const policy = await bound();
  await pay(policy);
  const { tenant, policyId, effectiveDate } = policy;
  const today = addDays(effectiveDate, 340);
  await advance(tenant, today);
  const renewal = tenant.command(policyId, { effectiveDate: null, changes: {} });
  const { renewal: next } = await tenant.lifecycle.renewPolicy(renewal);
  await tenant.lifecycle.cancelPolicy(tenant.command(policyId, cancellation(today)));
  await workflowOf(tenant, next.policyId).result();
  t.is((await rowOf(tenant, next.policyId))?.status, 'cancelled');
});
