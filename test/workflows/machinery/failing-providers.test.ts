// Providers that stay away: an envelope's e-signature provider, a notice's mail server, and the card processor for
// cancelled attempts. Nothing is lost, and an operator decides.
import anyTest, { type TestFn } from 'ava';
import { advanceClockUpdate } from '../../../contracts/clock.ts';
import { rowChangedSignal } from '../../../contracts/machinery/command.ts';
import {
  appointmentWorkflowId,
  attemptCancellationWorkflowId,
  noticeWorkflowId,
  signingEnvelopeWorkflowId,
  WORKFLOW_TYPES,
} from '../../../contracts/machinery/start.ts';
import { PaymentIntent } from '../../../db/entities/billing/payment-intent.ts';
import { Appointment } from '../../../db/entities/distribution/appointment.ts';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { SigningEnvelope } from '../../../db/entities/signing/signing-envelope.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { intentsOf } from '../../../db/queries/billing/payments.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { addDays } from '../../../domain/dates.ts';
import { decide, listWaiting, retryWaiting } from '../../../scripts/ops/waiting.ts';
import { eventually } from '../../support/eventually.ts';
import { DAYS_AHEAD } from '../../support/fixed/today.ts';
import { bill, insure } from '../billing/billed.ts';
import { advance } from '../claim/filed.ts';
import type { Engine, Tenant } from '../engine.ts';
import { bindNew } from '../run-engine.ts';
import { anAppointment } from '../stories/stories-appointment.ts';
import { enterCard } from '../stories/stories-autopay.ts';
import { anEnvelope } from '../stories/stories-providers.ts';
import { attempts, type Breakable, broken, healed, isShownAs, NEVER, startBreakable, waitsAt } from './breakable.ts';

const test = anyTest as TestFn<Breakable>;
const DAY_S = 86_400;
const SKIP = { kind: 'skip', operator: 'ada', reason: 'the signers were called' } as const;

test.before('a server that cuts histories early, and an engine whose activities can be broken', async (t) => {
  t.context = await startBreakable(t);
});

test.after.always('the server is stopped', (t) => t.context.server.stop());

/** An envelope whose reminder fails on its day; its workflow then never retries on its own. */
async function unreminded(engine: Engine, tenant: Tenant) {
  const { orgId, lifecycle, command } = tenant;
  const envelopeId = await anEnvelope(tenant, engine);
  await lifecycle.sendEnvelope(command(envelopeId, {}));
  const reminder = `remindSigners of ${envelopeId}`;
  broken.add(reminder);
  await advance(tenant, 7);
  const workflowId = signingEnvelopeWorkflowId(orgId, envelopeId);
  const { workflow } = engine.temporal.client;
  await workflow.getHandle(workflowId).terminate('started again with other pauses');
  const args = [{ orgId, envelopeId, backOff: NEVER }];
  await workflow.start(WORKFLOW_TYPES.signingEnvelope, { workflowId, taskQueue: engine.queue, args });
  await waitsAt(engine, workflowId, 'reminder');
  return { envelopeId, workflowId, handle: workflow.getHandle(workflowId), reminder };
}

const statusOf = ({ orgId, database }: Tenant, id: string) =>
  database.forOrg(orgId, async (em) => (await em.findOneOrFail(SigningEnvelope, { id })).status);

const attemptWith = ({ orgId, database }: Tenant, processorId: string) =>
  database.forOrg(orgId, async (em) => (await em.findOneOrFail(PaymentIntent, { processorId })).id);

const audited = ({ orgId, database }: Tenant, action: string) =>
  database.forOrg(orgId, (em) => em.find(AuditEntry, { action }));

test('an envelope whose provider fails is passed over by the test clock, listed as waiting, and goes on by retry', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const envelopeId = await anEnvelope(tenant, engine);
  await tenant.lifecycle.sendEnvelope(tenant.command(envelopeId, {}));
  for (const activity of ['remindSigners', 'expireEnvelope']) broken.add(`${activity} of ${envelopeId}`);
  const date = addDays(tenant.today, 31);
  t.is((await advance(tenant, 31)).date, date);
  const workflowId = signingEnvelopeWorkflowId(tenant.orgId, envelopeId);
  t.like(await waitsAt(engine, workflowId, 'expiry'), { message: 'injected' });
  for (const activity of ['remindSigners', 'expireEnvelope']) broken.delete(`${activity} of ${envelopeId}`);
  await decide(engine.temporal.client, workflowId, { kind: 'retry', operator: 'ada' });
  await engine.temporal.client.workflow.getHandle(workflowId).result();
  t.is(await statusOf(tenant, envelopeId), 'expired');
});

test('a reminder that an operator leaves out is audited and not tried again, and the envelope sleeps until its expiry', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { envelopeId, workflowId, handle, reminder } = await unreminded(engine, tenant);
  await decide(engine.temporal.client, workflowId, SKIP);
  await isShownAs(engine, workflowId, null);
  const [entry, ...others] = await audited(tenant, 'envelope:skip_step');
  t.like(entry, { actorId: 'ada', entityId: envelopeId, changes: { step: 'reminder', reason: SKIP.reason } });
  t.is(others.length, 0);

  // It sleeps for the 23 days left of 30, by business date: the first may be part of a day.
  const sleepsUntilExpiry = async () =>
    (await handle.fetchHistory()).events?.some(({ timerStartedEventAttributes: timer }) => {
      const days = Number(timer?.startToFireTimeout?.seconds ?? 0) / DAY_S;
      return days > 21.9 && days <= 23.1;
    });
  t.truthy(await eventually(sleepsUntilExpiry, { what: 'a timer until the day of expiry' }));
  broken.delete(reminder);
  const tried = attempts.get(reminder);
  await advance(tenant, 29);
  t.is(attempts.get(reminder), tried, 'it is left out on later days too');
  await advance(tenant, 30);
  await handle.result();
  t.is(await statusOf(tenant, envelopeId), 'expired');
});

test('an envelope that continues as new still waits at the step that has failed, and still leaves out skipped steps', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { envelopeId, workflowId, handle, reminder } = await unreminded(engine, tenant);
  const untilNextRun = async (work: () => Promise<unknown>) => {
    const { runId } = await handle.describe();
    const isNext = async () => {
      await work();
      return (await handle.describe()).runId !== runId;
    };
    await eventually(isNext, { what: 'the next run' });
  };
  // Each report from the provider retries the reminder, in vain.
  await untilNextRun(() => handle.signal(rowChangedSignal));
  await waitsAt(engine, workflowId, 'reminder');
  await decide(engine.temporal.client, workflowId, SKIP);
  await isShownAs(engine, workflowId, null);

  broken.delete(reminder);
  const tried = attempts.get(reminder);
  const argument = { clockOffsetDays: DAYS_AHEAD + 8 };
  await untilNextRun(() => handle.executeUpdate(advanceClockUpdate, { args: [argument] }));
  t.is(attempts.get(reminder), tried, 'the later run knows what was left out');
  await tenant.lifecycle.voidEnvelope(tenant.command(envelopeId, {}));
  await handle.result();
  t.is(await statusOf(tenant, envelopeId), 'voided');
  t.is((await audited(tenant, 'envelope:skip_step')).length, 1);
});

test('a notice that the mail server has not taken for as long as it is tried raises an alert, waits, and goes out by retry', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { orgId, database } = tenant;
  const { policyId } = await bindNew(engine, tenant, { insuredEmail: `owner@${orgId}.test` });
  broken.add(`sendNotice of ${policyId}`);
  // Unpaid: past due on the day after it begins.
  await advance(tenant, 11);
  const { client } = engine.temporal;
  const notice = await eventually(async () => (await listWaiting(client, orgId))[0], {
    what: 'the notice to be listed',
  });
  t.is((await listWaiting(client, orgId)).length, 1);
  t.like(notice, { step: 'notice', message: 'injected' });
  const alerts = await database.forOrg(orgId, (em) => em.find(Event, { type: 'financial.operation_failed' }));
  const policy = await database.forOrg(orgId, (em) => findPolicy(em, policyId));
  t.is(alerts.length, 1);
  const about = { policyId, paymentId: null, reference: policy?.policyNumber, workflowId: notice.workflowId };
  t.like(alerts[0]?.data, { severity: 'critical', operation: 'notice', ...about });

  await client.workflow.getHandle(notice.workflowId).terminate('lost');
  t.deepEqual(await healed(engine, orgId), [notice.workflowId]);
  await waitsAt(engine, notice.workflowId, 'notice');
  const mails = () => engine.providers.mails.filter(({ to }) => to === `owner@${orgId}.test`);
  t.is(mails().length, 0);
  broken.delete(`sendNotice of ${policyId}`);
  await retryWaiting(client, 'ada', orgId);
  await client.workflow.getHandle(notice.workflowId).result();
  t.is(mails().length, 1);
  await eventually(async () => (await listWaiting(client, orgId)).length === 0, { what: 'nothing to wait' });
  t.deepEqual(await healed(engine, orgId), [], 'a notice that has gone out is not started again');
});

test('a notice that an operator leaves out is over: healing does not start it again', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { orgId, lifecycle, command } = tenant;
  const submissionId = await tenant.quoted({ effectiveDate: tenant.today, insuredEmail: `owner@${orgId}.test` });
  const binding = command(submissionId, { installmentPlan: 'PAY_IN_FULL' as const, quoteId: null });
  const { policyId } = await lifecycle.bindSubmission(binding);
  broken.add(`sendNotice of ${policyId}`);
  const { transactionId } = await lifecycle.nonRenewPolicy(command(policyId, { reason: 'Losses.' }));
  const workflowId = noticeWorkflowId(orgId, policyId, { kind: 'non_renewal', on: tenant.today, transactionId });
  await waitsAt(engine, workflowId, 'notice');
  await decide(engine.temporal.client, workflowId, { ...SKIP, reason: 'posted' });
  await engine.temporal.client.workflow.getHandle(workflowId).result();
  t.deepEqual(await healed(engine, orgId), []);
});

test('the e-mail before an automatic charge whose workflow was lost goes out once after healing', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { orgId, lifecycle, command, today } = tenant;
  // The whole premium falls due on the first day, and is announced three days before.
  const effectiveDate = addDays(today, 3);
  const submissionId = await tenant.quoted({ effectiveDate, insuredEmail: `owner@${orgId}.test` });
  const binding = command(submissionId, { installmentPlan: 'PAY_IN_FULL' as const, quoteId: null });
  const { policyId } = await lifecycle.bindSubmission(binding);
  const [invoice] = await tenant.database.forOrg(orgId, (em) => invoicesOfPolicy(em, policyId));
  await enterCard(tenant, engine, policyId);
  broken.add(`sendNotice of ${policyId}`);
  const { workflow } = engine.temporal.client;
  const sweep = (workflowId: string) =>
    workflow.execute(WORKFLOW_TYPES.autopaySweep, { workflowId, taskQueue: engine.queue, args: [{}] });
  await sweep(`autopay/${today}`);
  const bill = { kind: 'autopay_upcoming', on: effectiveDate, transactionId: invoice?.id ?? '' } as const;
  const workflowId = noticeWorkflowId(orgId, policyId, bill);
  await waitsAt(engine, workflowId, 'notice');
  await workflow.getHandle(workflowId).terminate('lost');
  broken.delete(`sendNotice of ${policyId}`);
  await sweep(`autopay/${today}/again`);
  const subjects = () =>
    engine.providers.mails.filter(({ to }) => to === `owner@${orgId}.test`).map((it) => it.subject);
  t.deepEqual(subjects(), [], 'the sweep lists it once');
  t.deepEqual(await healed(engine, orgId), [workflowId]);
  await workflow.getHandle(workflowId).result();
  t.is(subjects().length, 1);
  t.true(subjects()[0]?.startsWith('Automatic payment scheduled'));
  t.deepEqual(await healed(engine, orgId), [], 'an e-mail that has gone out is not started again');
  t.is(subjects().length, 1);
});

test('card attempts that the processor has not cancelled for as long as it is tried raise an alert, and wait for an operator', async (t) => {
  const { engine } = t.context;
  const insurance = await insure(await engine.organization());
  const { orgId, database, lifecycle, command } = insurance.tenant;
  broken.add(`cancelAttempt of ${orgId}`);
  const voided = async () => {
    const invoiceId = await bill(insurance);
    const { intentId } = await lifecycle.collect(command(invoiceId, { amountCents: null, isRetry: false }));
    await lifecycle.voidInvoice(command(invoiceId, { reason: 'Mistake.', reissue: false }));
    const workflowId = attemptCancellationWorkflowId(orgId, await attemptWith(insurance.tenant, intentId));
    t.like(await waitsAt(engine, workflowId, 'card attempts'), { message: 'injected' });
    return { invoiceId, intentId, workflowId };
  };
  const [retried, skipped, lost] = [await voided(), await voided(), await voided()];
  const alerts = await database.forOrg(orgId, (em) =>
    em.find(Event, { type: 'financial.operation_failed' }, { orderBy: { position: 'asc' } }),
  );
  const { policyId } = insurance.invoice;
  t.deepEqual(
    alerts.map(({ data }) => [data.operation, data.invoiceId, data.policyId, data.paymentId, data.workflowId]),
    [retried, skipped, lost].map(({ invoiceId, workflowId }) => [
      'card attempts',
      invoiceId,
      policyId,
      null,
      workflowId,
    ]),
  );

  const { client } = engine.temporal;
  await decide(client, skipped.workflowId, SKIP);
  await client.workflow.getHandle(skipped.workflowId).result();
  await client.workflow.getHandle(lost.workflowId).terminate('lost');
  t.deepEqual(await healed(engine, orgId), [lost.workflowId], 'what was left out is not started again');
  await waitsAt(engine, lost.workflowId, 'card attempts');
  broken.delete(`cancelAttempt of ${orgId}`);
  const waiting = [retried, lost].map(({ workflowId }) => ({ workflowId, step: 'card attempts' }));
  const byId = (one: { workflowId: string }, other: { workflowId: string }) =>
    one.workflowId < other.workflowId ? -1 : 1;
  t.deepEqual((await retryWaiting(client, 'ada', orgId)).sort(byId), waiting.sort(byId));
  for (const { workflowId } of waiting) await client.workflow.getHandle(workflowId).result();
  const statusOfAttempts = ({ invoiceId }: typeof retried) =>
    database.forOrg(orgId, async (em) => (await intentsOf(em, invoiceId)).map(({ status }) => status));
  for (const each of [retried, lost]) {
    t.deepEqual(await statusOfAttempts(each), ['cancelled']);
    t.is((await engine.providers.card.readIntent(each.intentId)).status, 'canceled');
  }
  t.deepEqual(await statusOfAttempts(skipped), ['open']);
  const [entry, ...others] = await audited(insurance.tenant, 'invoice:skip_step');
  t.like(entry, { actorId: 'ada', entityType: 'invoice', entityId: skipped.invoiceId });
  t.is(others.length, 0);
  t.deepEqual(await healed(engine, orgId), [], 'what is cancelled is not started again');
});

test('a card attempt that a retry has replaced is cancelled once after its workflow was lost, the retry is left alone', async (t) => {
  const { engine } = t.context;
  const insurance = await insure(await engine.organization());
  const { orgId, database, lifecycle, command } = insurance.tenant;
  const invoiceId = await bill(insurance);
  const collect = async (isRetry: boolean) =>
    (await lifecycle.collect(command(invoiceId, { amountCents: null, isRetry }))).intentId;
  const first = await collect(false);
  await database.transaction(orgId, async (em) => {
    (await em.findOneOrFail(PaymentIntent, { processorId: first })).status = 'failed';
  });
  broken.add(`cancelAttempt of ${orgId}`);
  const second = await collect(true);
  const workflowId = attemptCancellationWorkflowId(orgId, await attemptWith(insurance.tenant, first));
  await waitsAt(engine, workflowId, 'card attempts');
  const lost = engine.temporal.client.workflow.getHandle(workflowId);
  await lost.terminate('lost');
  broken.delete(`cancelAttempt of ${orgId}`);
  t.deepEqual(await healed(engine, orgId), [workflowId]);
  await engine.temporal.client.workflow.getHandle(workflowId).result();
  const { card } = engine.providers;
  t.deepEqual(
    [(await card.readIntent(first)).status, (await card.readIntent(second)).status === 'canceled'],
    ['canceled', false],
  );
  t.deepEqual(await healed(engine, orgId), []);
});

test('an appointment and an envelope whose workflows were lost are healed, and end on their day', async (t) => {
  const { engine } = t.context;
  const tenant = await engine.organization();
  const { orgId, lifecycle, command, database } = tenant;
  const [envelopeId, appointmentId] = [await anEnvelope(tenant, engine), await anAppointment(tenant, 'active')];
  await lifecycle.sendEnvelope(command(envelopeId, {}));
  const lost = [appointmentWorkflowId(orgId, appointmentId), signingEnvelopeWorkflowId(orgId, envelopeId)];
  const { workflow } = engine.temporal.client;
  for (const workflowId of lost) await workflow.getHandle(workflowId).terminate('lost');
  t.deepEqual((await healed(engine, orgId)).sort(), lost);
  for (const workflowId of lost) t.is((await workflow.getHandle(workflowId).describe()).status.name, 'RUNNING');
  await advance(tenant, 31);
  for (const workflowId of lost) await workflow.getHandle(workflowId).result();
  t.is(await statusOf(tenant, envelopeId), 'expired');
  const { status } = await database.forOrg(orgId, (em) => em.findOneOrFail(Appointment, { id: appointmentId }));
  t.is(status, 'expired');
  t.deepEqual(await healed(engine, orgId), []);
});
