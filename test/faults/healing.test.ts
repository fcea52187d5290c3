// Temporal's data is gone, the rows are not: healing finds every workflow that should be running and starts it once,
// and every scheduled date still happens.
import { ApplicationFailure } from '@temporalio/common';
import test, { type ExecutionContext } from 'ava';
import type { HealingInput, HealingResult } from '../../contracts/machinery/healing.ts';
import { queueBeside } from '../../contracts/machinery/queues.ts';
import {
  appointmentWorkflowId,
  claimWorkflowId,
  noticeWorkflowId,
  paymentWorkflowId,
  policyWorkflowId,
  renewalBatchWorkflowId,
  signingEnvelopeWorkflowId,
  submissionWorkflowId,
  WORKFLOW_TYPES,
} from '../../contracts/machinery/start.ts';
import { Payment } from '../../db/entities/billing/payment.ts';
import { Claim } from '../../db/entities/claim/claim.ts';
import { AuditEntry } from '../../db/entities/platform/audit-entry.ts';
import { Policy } from '../../db/entities/policy/policy.ts';
import { newId } from '../../db/ids.ts';
import { addDays } from '../../domain/dates.ts';
import { decide, listWaiting } from '../../scripts/ops/waiting.ts';
import { bareEnvironment, runScript } from '../scripts/run-script.ts';
import { eventually } from '../support/eventually.ts';
import { copyExpiring } from '../support/expiring.ts';
import { STORY_MS } from '../support/patience.ts';
import { TEST_PAYLOAD_KEYS } from '../support/payload-keys.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { bill, books, insure, payment } from '../workflows/billing/billed.ts';
import { filed } from '../workflows/claim/filed.ts';
import { ended, startBatch } from '../workflows/renewal/renewing.ts';
import { bindNew, type Engine, runEngine, type Tenant } from '../workflows/run-engine.ts';
import { anAppointment } from '../workflows/stories/stories-appointment.ts';
import { anEnvelope } from '../workflows/stories/stories-providers.ts';
import { type OwnTemporal, ownTemporal } from './own-temporal.ts';

const POLICIES = 500;
/** Some of them begin on each of this many days, from tomorrow on. */
const DAYS = 5;

/** These steps fail until they are repaired. */
const BROKEN = new Set(['recordCommission', 'renewSlice', 'sendNotice']);
let isBroken = true;

async function interfere(activity: string, run: () => Promise<unknown>): Promise<unknown> {
  if (isBroken && BROKEN.has(activity)) {
    throw ApplicationFailure.nonRetryable('injected', 'internal_error');
  }
  return run();
}

const waits = ({ temporal }: Engine, workflowId: string) =>
  eventually(async () => (await listWaiting(temporal.client)).find((one) => one.workflowId === workflowId), {
    what: `${workflowId} to wait`,
  });

async function heal({ temporal, queue }: Engine, input: HealingInput): Promise<HealingResult> {
  const started = { workflowId: `healing/${newId('request')}`, taskQueue: queueBeside(queue, 'batch'), args: [input] };
  return temporal.client.workflow.execute(WORKFLOW_TYPES.healing, started) as Promise<HealingResult>;
}

test('healing starts all that the rows call for after Temporal has lost everything, and nothing happens twice', async (t) => {
  t.timeout(STORY_MS);
  const temporal = await ownTemporal();
  await temporal.start();
  const database = await createTestDatabase(t);
  const engine = await runEngine({ temporalAddress: temporal.address, database, interfere });
  try {
    const insurance = await insure(engine);
    const { tenant } = insurance;
    const { orgId, today } = tenant;
    const other = await engine.organization();
    const open = await tenant.created({ effectiveDate: addDays(today, 60) });
    await other.created();
    const ahead = await datesAhead(engine, other);
    const sourceId = insurance.invoice.policyId;
    const copies = await liveCopies(engine, sourceId);
    await copyExpiring({ ownerUrl: database.ownerUrl, sourceId, today, count: 3 });
    const { batchId } = await startBatch(tenant);
    const paymentId = newId('payment');
    const invoiceId = await bill(insurance);
    await tenant.lifecycle.recordPayment(tenant.command(paymentId, payment(invoiceId)));
    const beside = await entitiesBeside(engine, tenant);
    for (const workflowId of [paymentWorkflowId(orgId, paymentId), beside.notice]) await waits(engine, workflowId);

    await loseEverything(engine, temporal);
    const lost = [
      submissionWorkflowId(orgId, open),
      policyWorkflowId(orgId, copies[0] ?? ''),
      paymentWorkflowId(orgId, paymentId),
      ...Object.values(beside),
    ];
    await isHealed(t, { engine, orgId, lost });
    const all = await heal(engine, { organizationsOfARun: 1 });
    t.deepEqual(
      [all.organizations, all.missing],
      [2, 4],
      'the other organization has lost a submission and 3 policies',
    );
    t.is((await heal(engine, {})).missing, 0);

    await takesItsNextCommand(t, { engine, tenant, workflowId: beside.claim });
    await repair(engine, [paymentWorkflowId(orgId, paymentId), renewalBatchWorkflowId(orgId, batchId), beside.notice]);
    await engine.temporal.client.workflow.getHandle(paymentWorkflowId(orgId, paymentId)).result();
    await ended(engine, tenant, batchId);
    await engine.temporal.client.workflow.getHandle(beside.notice).result();
    t.deepEqual(mailsTo(engine, OWNER), ['Notice of non-renewal'], 'the notice went out once');
    t.is((await heal(engine, { orgId, isDryRun: true })).missing, 0, 'no work that is done is looked for again');
    const { commissions, payments } = await books(tenant, invoiceId);
    t.deepEqual([commissions.length, payments.length], [1, 1]);
    t.is(await tenant.database.forOrg(orgId, (em) => em.count(Payment, { sagaEndedAt: null })), 0);

    await tenant.lifecycle.advanceTestClock(tenant.command(orgId, { advanceTo: addDays(today, DAYS) }));
    await eachHasBegunOnce(t, tenant, copies);
    await eachDateCameOnce(t, engine, other, ahead);
  } finally {
    await engine.close();
    await temporal.remove();
  }
});

/** A dry run finds what is lost, and two parallel runs start it once. */
async function isHealed(
  t: ExecutionContext,
  { engine, orgId, lost }: { engine: Engine; orgId: string; lost: readonly string[] },
): Promise<void> {
  const describe = (workflowId: string) => engine.temporal.client.workflow.getHandle(workflowId).describe();
  const dry = await heal(engine, { orgId, isDryRun: true });
  t.is(dry.missing, dry.checked);
  t.true(dry.missing >= POLICIES + 13, 'policies, 3 that expire, 3 bound, and one of each other kind');
  for (const workflowId of lost) await t.throwsAsync(describe(workflowId), undefined, workflowId);
  const [first, second] = await Promise.all([heal(engine, { orgId }), heal(engine, { orgId })]);
  t.is(first.missing + second.missing, dry.missing, 'two simultaneous runs start each workflow once');
  for (const workflowId of lost) t.is((await describe(workflowId)).status.name, 'RUNNING', workflowId);
}

const OWNER = 'owner@lost.test';

const mailsTo = ({ providers }: Engine, address: string) =>
  providers.mails.filter(({ to }) => to === address).map(({ subject }) => subject.split(':')[0]);

/** The workflows of an envelope out for signature, an ending appointment, an open claim, and a waiting notice. */
async function entitiesBeside(
  engine: Engine,
  tenant: Tenant,
): Promise<Record<'envelope' | 'appointment' | 'claim' | 'notice', string>> {
  const { orgId, lifecycle, command, today } = tenant;
  const envelopeId = await anEnvelope(tenant, engine);
  await lifecycle.sendEnvelope(command(envelopeId, {}));
  const appointmentId = await anAppointment(tenant, 'active');
  const submissionId = await tenant.quoted({ effectiveDate: today, insuredEmail: OWNER });
  const plan = { installmentPlan: 'PAY_IN_FULL', quoteId: null } as const;
  const { policyId } = await lifecycle.bindSubmission(command(submissionId, plan));
  const { transactionId } = await lifecycle.nonRenewPolicy(command(policyId, { reason: 'Losses.' }));
  return {
    envelope: signingEnvelopeWorkflowId(orgId, envelopeId),
    appointment: appointmentWorkflowId(orgId, appointmentId),
    claim: claimWorkflowId(orgId, await filed(tenant, engine)),
    notice: noticeWorkflowId(orgId, policyId, { kind: 'non_renewal', on: today, transactionId }),
  };
}

/** The run that healing started carries out the claim's next command. */
async function takesItsNextCommand(
  t: ExecutionContext,
  { engine, tenant, workflowId }: { engine: Engine; tenant: Tenant; workflowId: string },
): Promise<void> {
  const handle = engine.temporal.client.workflow.getHandle(workflowId);
  const { runId } = await handle.describe();
  const { id } = await tenant.database.forOrg(tenant.orgId, (em) => em.findOneOrFail(Claim, {}));
  const reserves = { indemnityCents: 500_000, expenseCents: 100_000 };
  await tenant.lifecycle.reserveClaim(tenant.command(id, { reserves, noteId: null }));
  t.is((await handle.describe()).runId, runId);
  const claim = await tenant.database.forOrg(tenant.orgId, (em) => em.findOneOrFail(Claim, { id }));
  t.like(claim, { reserveIndemnityCents: 500_000, reserveExpenseCents: 100_000 });
}

/** Repairs the fault once all of these are waiting on it, and retries each. */
async function repair(engine: Engine, workflowIds: readonly string[]): Promise<void> {
  for (const workflowId of workflowIds) await waits(engine, workflowId);
  isBroken = false;
  for (const workflowId of workflowIds) {
    await decide(engine.temporal.client, workflowId, { kind: 'retry', operator: 'ada' });
  }
}

async function loseEverything(engine: Engine, temporal: OwnTemporal): Promise<void> {
  await engine.stopWorker();
  await temporal.wipe();
  await temporal.start();
  await engine.startWorker();
}

async function eachHasBegunOnce(t: ExecutionContext, tenant: Tenant, policyIds: string[]): Promise<void> {
  const [policies, steps] = await tenant.database.forOrg(tenant.orgId, async (em) => [
    await em.find(Policy, { id: { $in: policyIds } }),
    await em.find(AuditEntry, { action: 'policy:activate', entityId: { $in: policyIds } }),
  ]);
  t.deepEqual([...new Set(policies.map(({ status }) => status))], ['active']);
  t.is(steps.length, policyIds.length);
  t.is(new Set(steps.map(({ entityId }) => entityId)).size, policyIds.length);
}

const UNPAID = 'unpaid@lost.test';

/** Three policies and what lies ahead of them: a lapse, a cancellation, and the end of the term. */
async function datesAhead({ temporal, testDatabase: { ownerUrl } }: Engine, tenant: Tenant) {
  const { today, lifecycle, command } = tenant;
  const { policyId: lapses } = await bindNew({ temporal }, tenant, { insuredEmail: UNPAID });
  const { policyId: ends } = await bindNew({ temporal }, tenant);
  const ending = { effectiveDate: addDays(today, 25), reason: 'insured_request', source: null, method: null } as const;
  await lifecycle.cancelPolicy(command(ends, ending));
  const [expires = ''] = await copyExpiring({ ownerUrl, sourceId: lapses, today, count: 1 });
  return { lapses, ends, expires };
}

/** A bill due on day 10 is past due on day 11, goes to notice on day 21, and its policy lapses on day 31. */
async function eachDateCameOnce(
  t: ExecutionContext,
  engine: Engine,
  { orgId, today, lifecycle, command, database }: Tenant,
  { lapses, ends, expires }: Awaited<ReturnType<typeof datesAhead>>,
): Promise<void> {
  await lifecycle.advanceTestClock(command(orgId, { advanceTo: addDays(today, 31) }));
  const [policies, steps] = await database.forOrg(orgId, async (em) => [
    await em.find(Policy, { id: { $in: [lapses, ends, expires] } }),
    await em.find(AuditEntry, { entityId: { $in: [lapses, ends, expires] } }),
  ]);
  const byId = new Map(policies.map((policy) => [policy.id, policy]));
  t.like(byId.get(lapses), { status: 'lapsed', cancellation: { effectiveDate: addDays(today, 31) } });
  t.like(byId.get(ends), { status: 'cancelled', cancellation: { effectiveDate: addDays(today, 25) } });
  t.is(byId.get(expires)?.status, 'expired');
  const takenBy = (id: string) => steps.filter(({ entityId }) => entityId === id).map(({ action }) => action);
  const daysOfLapse = ['policy:activate', 'policy:past_due', 'policy:notice_of_cancellation', 'policy:end_coverage'];
  for (const step of daysOfLapse) t.is(takenBy(lapses).filter((action) => action === step).length, 1, step);
  t.is(takenBy(ends).filter((action) => action === 'policy:end_coverage').length, 1);
  t.deepEqual(takenBy(expires), ['policy:expire']);
  await eventually(() => mailsTo(engine, UNPAID).length >= 3, { what: 'the mail about the lapse' });
  const letters = ['Payment past due', 'Notice of cancellation for non-payment', 'Policy cancelled for non-payment'];
  t.deepEqual(mailsTo(engine, UNPAID).toSorted(), letters.toSorted(), 'each went out once');
}

/** Policies that begin within days, inserted directly into the database. */
function liveCopies({ testDatabase: { ownerUrl }, today }: Engine, sourceId: string): Promise<string[]> {
  const begins = `'${today}'::date + 1 + (i - 1) % ${DAYS}`;
  const columns = {
    status: "'pending'",
    effective_date: begins,
    expiration_date: `(${begins} + interval '1 year')::date`,
  };
  return copyExpiring({ ownerUrl, sourceId, today, count: POLICIES, columns });
}

test('npm run ops -- heal lists what was missing, and a second one that nothing is', async (t) => {
  const temporal = await ownTemporal();
  await temporal.start();
  const engine = await runEngine({ temporalAddress: temporal.address, database: await createTestDatabase(t) });
  const prefix = engine.queue.replace(/-lifecycle$/, '');
  const environment = bareEnvironment({
    TEMPORAL_ADDRESS: temporal.address,
    TASK_QUEUE_PREFIX: prefix,
    PAYLOAD_KEYS: TEST_PAYLOAD_KEYS,
  });
  const ops = (...args: string[]) => runScript('scripts/ops.ts', environment, ['heal', ...args]);
  try {
    const submissionId = await engine.created();
    const workflowId = submissionWorkflowId(engine.orgId, submissionId);
    await engine.temporal.client.workflow.getHandle(workflowId).terminate('lost');
    const missing = 'Checked 1 row in 1 organization. 1 workflow was missing';
    t.is((await ops('--dry-run')).stdout.trim(), `${missing}.\n  ${workflowId}`);
    t.is((await ops('--org', engine.orgId)).stdout.trim(), `${missing}, and has been started.\n  ${workflowId}`);
    t.is((await ops()).stdout.trim(), 'Checked 1 row in 1 organization. 0 workflows were missing.');
  } finally {
    await engine.close();
    await temporal.remove();
  }
});
