// Every step of the saga fails, before and after its commit. Watching one payment finds the steps, so that a new step
// is tried too.
import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import { receiptPath } from '../../../activities/billing/payments/receipts.ts';
import { retryStepSignal, skipStepSignal } from '../../../contracts/machinery/saga.ts';
import { WAITING_MEMO } from '../../../contracts/machinery/search-attributes.ts';
import { paymentWorkflowId } from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { listRetrying, listWaiting } from '../../../scripts/ops/waiting.ts';
import { bareEnvironment, runScript } from '../../scripts/run-script.ts';
import { eventually } from '../../support/eventually.ts';
import { STORY_MS } from '../../support/patience.ts';
import { TEMPORAL_VARIABLE } from '../../support/servers/servers.ts';
import { type Engine, startEngine } from '../engine.ts';
import { bill, books, type Insurance, insure, payment, SAMPLE_TOTAL_CENTS } from './billed.ts';

/** A fault in one step of one payment. */
interface Fault {
  activity: string;
  at: 'before' | 'after';
  /** Whether the step is given up, as after a refusal, or retried by Temporal, as after a worker's death. */
  isFinal: boolean;
}

const faults = new Map<string, Fault>();
const seen = new Map<string, string[]>();
/** While a payment is in here, its general ledger entry cannot be written. */
const stuck = new Set<string>();

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t, { interfere });
});

async function interfere(activity: string, run: () => Promise<unknown>, argument: unknown): Promise<unknown> {
  const { entityId = '' } = argument as { entityId?: string };
  seen.set(entityId, [...(seen.get(entityId) ?? []), activity]);
  if (stuck.has(entityId) && activity === 'postEarnings')
    throw ApplicationFailure.retryable('injected', 'internal_error');
  const fault = faults.get(entityId);
  if (fault?.activity !== activity) return run();
  faults.delete(entityId);
  if (fault.at === 'after') await run();
  if (fault.isFinal) throw ApplicationFailure.nonRetryable('injected', 'internal_error');
  throw ApplicationFailure.retryable('injected', 'internal_error');
}

const handleOf = (orgId: string, paymentId: string) =>
  engine.temporal.client.workflow.getHandle(paymentWorkflowId(orgId, paymentId));

/** Pays an invoice with a fault on the way; resolves when the saga has ended or waits. */
async function payWith(insurance: Insurance, fault: Fault | null) {
  const { tenant } = insurance;
  const invoiceId = await bill(insurance);
  const paymentId = newId('payment');
  if (fault) faults.set(paymentId, fault);
  const answer = tenant.lifecycle.recordPayment(tenant.command(paymentId, payment(invoiceId)));
  const isRefused = await answer.then(
    () => false,
    () => true,
  );
  const handle = handleOf(tenant.orgId, paymentId);
  const waitingFor = await eventually(
    async () => {
      const { status, memo } = await handle.describe();
      if (status.name !== 'RUNNING') return { step: null };
      return (memo?.[WAITING_MEMO] as { step: string } | null | undefined) ?? null;
    },
    { what: 'the saga to end or to wait' },
  );
  return { invoiceId, paymentId, handle, isRefused, waitingFor: waitingFor.step };
}

const ops = (...args: string[]) => {
  const variables = { TEMPORAL_ADDRESS: process.env[TEMPORAL_VARIABLE] ?? '', OPERATOR: 'ada' };
  return runScript('scripts/ops.ts', bareEnvironment(variables), args);
};

/** What must be there once a payment is complete, whatever happened along the way. */
async function isComplete(insurance: Insurance, invoiceId: string) {
  const { tenant } = insurance;
  const { payments, entries, commissions, events, invoice } = await books(tenant, invoiceId);
  const [paid] = payments;
  const path = paid && receiptPath(tenant.orgId, invoice.invoiceNumber, paid.createdAt);
  const receipt = path && (await engine.providers.storage.get(path));
  return {
    payments: payments.length,
    paidCents: invoice.paidCents,
    entries: [...entries].sort(),
    commissions: commissions.length,
    hasReceipt: Boolean(receipt),
    events: events.map(({ type }) => type).filter((type) => type !== 'financial.operation_failed'),
  };
}

const COMPLETE = {
  payments: 1,
  paidCents: SAMPLE_TOTAL_CENTS,
  entries: ['earnings', 'receipt', 'split'],
  commissions: 1,
  hasReceipt: true,
  events: ['payment.received', 'invoice.paid'],
};

test('a fault at any step leaves the payment complete or waiting; after retryStep it is complete, and nothing is there twice', async (t) => {
  t.timeout(STORY_MS);
  const insurance = await insure(await engine.organization());
  const { tenant } = insurance;
  const clean = await payWith(insurance, null);
  t.deepEqual(await isComplete(insurance, clean.invoiceId), COMPLETE);
  const steps = seen.get(clean.paymentId) ?? [];
  t.true(steps.length >= 6, steps.join());

  for (const activity of steps) {
    for (const at of ['before', 'after'] as const) {
      for (const isFinal of [true, false]) {
        const name = `${activity}, ${at} its commit, ${isFinal ? 'for good' : 'once'}`;
        const { invoiceId, paymentId, handle, isRefused, waitingFor } = await payWith(insurance, {
          activity,
          at,
          isFinal,
        });
        t.false(faults.has(paymentId), `${name}: the fault was met`);
        if (activity === 'recordPayment' && at === 'before' && isFinal) {
          t.true(isRefused, name);
          t.is((await books(tenant, invoiceId)).payments.length, 0, name);
          continue;
        }
        t.is((await books(tenant, invoiceId)).payments.length, 1, `${name}: the money is recorded first`);
        t.is(waitingFor === null, !isFinal || activity === 'recordPayment', `${name}: waits for ${waitingFor}`);
        if (waitingFor !== null) {
          const failures = (await books(tenant, invoiceId)).events.filter(
            ({ type }) => type === 'financial.operation_failed',
          );
          t.is(failures.length, 1, name);
          t.like(failures[0]?.data, {
            severity: 'critical',
            requiresManualReview: true,
            operation: waitingFor,
            paymentId,
            workflowId: handle.workflowId,
          });
          await handle.signal(retryStepSignal, { step: waitingFor, operator: 'ada' });
        }
        await handle.result();
        t.deepEqual(await isComplete(insurance, invoiceId), COMPLETE, name);
      }
    }
  }
});

test('npm run ops lists the waiting sagas with their reasons, and retries a step in the name of the operator', async (t) => {
  const insurance = await insure(await engine.organization());
  const { invoiceId, handle, waitingFor } = await payWith(insurance, {
    activity: 'postFiduciarySplit',
    at: 'after',
    isFinal: true,
  });
  const { workflowId } = handle;
  t.is(waitingFor, 'fiduciary ledger');
  const listed = await eventually(
    async () => {
      const { stdout } = await ops('list');
      return stdout.includes(workflowId) && stdout;
    },
    { what: 'the saga in the list' },
  );
  t.regex(listed, new RegExp(`^${workflowId}\n {2}waits at: fiduciary ledger\n {2}because: injected\n`, 'm'));
  t.is((await ops('skip', workflowId)).code, 2, 'a skip needs a reason');
  const retried = await ops('retry', workflowId);
  t.is(retried.code, 0, retried.stderr);
  t.regex(retried.stdout, /^fiduciary ledger is tried again, by ada\./);
  await handle.result();
  t.deepEqual(await isComplete(insurance, invoiceId), COMPLETE);
  const again = await ops('retry', workflowId);
  t.is(again.code, 1);
  t.is(again.stderr.trim(), `${workflowId} does not wait for anybody.`);
  t.is((await ops('retry', 'payment/none')).code, 1);
});

test('a step that an operator skips is left out and audited, and the saga goes on with the next', async (t) => {
  const insurance = await insure(await engine.organization());
  const { tenant } = insurance;
  const fault = { activity: 'recordCommission', at: 'before', isFinal: true } as const;
  const { invoiceId, handle, waitingFor } = await payWith(insurance, fault);
  t.is(waitingFor, 'commission');
  const found = await eventually(
    async () => {
      const waiting: string[] = [];
      const query = `EntityStatus = 'waiting' and OrgId = '${tenant.orgId}'`;
      for await (const { workflowId } of engine.temporal.client.workflow.list({ query })) waiting.push(workflowId);
      return waiting.length > 0 ? waiting : null;
    },
    { what: 'the list of those that wait' },
  );
  t.deepEqual(found, [handle.workflowId]);
  await handle.signal(retryStepSignal, { step: 'receipt', operator: 'ada' });
  await handle.signal(skipStepSignal, { step: 'commission', operator: 'ada', reason: 'paid by hand' });
  await handle.result();
  t.deepEqual(await isComplete(insurance, invoiceId), { ...COMPLETE, commissions: 0 });
  const [row] = await tenant.database.forOrg(tenant.orgId, (em) =>
    em.execute<{ actor_id: string; changes: object }[]>(
      `select actor_id, changes from audit_entries where org_id = ? and action = 'payment:skip_step'`,
      [tenant.orgId],
    ),
  );
  t.like(row, { actor_id: 'ada', changes: { step: 'commission', reason: 'paid by hand' } });
});

test('a step that Temporal tries again is listed long before its retries are at an end, and no more once it is done', async (t) => {
  const insurance = await insure(await engine.organization());
  const { tenant } = insurance;
  const [invoiceId, paymentId] = [await bill(insurance), newId('payment')];
  stuck.add(paymentId);
  await tenant.lifecycle.recordPayment(tenant.command(paymentId, payment(invoiceId)));
  const workflowId = paymentWorkflowId(tenant.orgId, paymentId);
  const inAMinute = async () =>
    (await listRetrying(engine.temporal.client, Date.now() + 60_000)).find((one) => one.workflowId === workflowId);
  const listed = await eventually(inAMinute, { what: 'the step to be listed' });
  t.is(listed.step, 'post earnings');
  t.regex(listed.message, /^injected It has failed [2-9] times/);
  stuck.delete(paymentId);
  await eventually(async () => (await isComplete(insurance, invoiceId)).events.length === 2, {
    what: 'the saga to end',
  });
  t.is(await inAMinute(), undefined);
});

test('npm run ops -- retry --all retries everything of an organization that waits, and nothing of another', async (t) => {
  const [insurance, another] = [await insure(await engine.organization()), await insure(await engine.organization())];
  const { orgId } = insurance.tenant;
  const fault = { activity: 'postEarnings', at: 'before', isFinal: true } as const;
  const paid = [await payWith(insurance, fault), await payWith(insurance, fault)];
  const elsewhere = await payWith(another, fault);
  const { client } = engine.temporal;
  await eventually(async () => (await listWaiting(client, orgId)).length === 2, { what: 'both to be listed' });
  t.is((await ops('retry', '--all', '--org', 'org_1')).code, 2, 'no organization has this id');
  const retried = await ops('retry', '--all', '--org', orgId);
  t.is(retried.code, 0, retried.stderr);
  const lines = retried.stdout.trim().split('\n');
  t.deepEqual(
    lines.slice(0, 2).sort(),
    paid.map(({ handle }) => `${handle.workflowId}: general ledger is tried again`).sort(),
  );
  t.regex(lines[2] ?? '', /^2 tried again\./);
  for (const { invoiceId, handle } of paid) {
    await handle.result();
    t.deepEqual(await isComplete(insurance, invoiceId), COMPLETE);
  }
  t.is((await elsewhere.handle.describe()).status.name, 'RUNNING');
  const all = await ops('retry', '--all');
  t.true(all.stdout.includes(`${elsewhere.handle.workflowId}: general ledger is tried again`), all.stdout);
  await elsewhere.handle.result();
  t.regex((await ops('retry', '--all', '--org', orgId)).stdout, /^0 tried again\./);
});
