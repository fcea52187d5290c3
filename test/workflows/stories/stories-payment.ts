// What happens to payments and collection attempts, one path through the workflows each. Part of `stories.ts`.
import { recordCardReceipt } from '../../../activities/billing/cards/card-receipts.ts';
import type { Deps } from '../../../activities/context.ts';
import { retryStepSignal, skipStepSignal } from '../../../contracts/machinery/saga.ts';
import { WAITING_MEMO } from '../../../contracts/machinery/search-attributes.ts';
import {
  attemptCancellationWorkflowId,
  collectionWorkflowId,
  invoiceVoidWorkflowId,
  paymentWorkflowId,
} from '../../../contracts/machinery/start.ts';
import { PaymentIntent } from '../../../db/entities/billing/payment-intent.ts';
import { newId } from '../../../db/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { bill, insure, payment, SAMPLE_LINES, SAMPLE_TOTAL_CENTS } from '../billing/billed.ts';
import type { Engine, Tenant } from '../run-engine.ts';
import type { HistoryName, Story } from './story.ts';

/** Pays by hand; the saga may still be running. */
async function paid(tenant: Tenant, invoiceId: string, amountCents = SAMPLE_TOTAL_CENTS): Promise<HistoryName> {
  const paymentId = newId('payment');
  const command = tenant.command(paymentId, payment(invoiceId, { amountCents }));
  await tenant.lifecycle.recordPayment(command).catch(() => null);
  return { workflowId: paymentWorkflowId(tenant.orgId, paymentId) };
}

const handleOf = (engine: Engine, { workflowId }: HistoryName) => engine.temporal.client.workflow.getHandle(workflowId);

/** In part, in full, and one cent too much. */
const paymentByHand: Story = async (tenant, engine) => {
  const invoiceId = await bill(await insure(tenant));
  const part = await paid(tenant, invoiceId, 100);
  const full = await paid(tenant, invoiceId, SAMPLE_TOTAL_CENTS - 100);
  const refused = await paid(tenant, invoiceId, 1);
  const recorded = Object.entries({ part, full, refused }).map(([suffix, name]) => ({ ...name, suffix }));
  for (const name of recorded) await handleOf(engine, name).result();
  return recorded;
};

/** Recorded from a processor event before its saga starts; the policy has no producer. */
const paymentByCard: Story = async (tenant, engine) => {
  const { orgId } = tenant;
  const invoiceId = await bill(await insure(tenant, { withProducer: false }));
  const recorded = await tenant.database.transaction(orgId, async (em) => {
    const intentId = `pi_${newId('request').slice(4)}`;
    const receipt = { orgId, intentId, chargeId: null, amountCents: SAMPLE_TOTAL_CENTS, invoiceId };
    const deps = { now: Date.now } as Deps;
    const outcome = await recordCardReceipt(em, deps, { ...receipt, createdAt: Math.floor(Date.now() / 1000) });
    return outcome;
  });
  const { paymentId } = recorded;
  const workflowId = paymentWorkflowId(orgId, paymentId);
  const { client } = engine.temporal;
  const handle = await client.workflow.start('paymentWorkflow', {
    workflowId,
    taskQueue: engine.queue,
    args: [{ orgId, paymentId, recorded }],
  });
  await handle.result();
  return [{ workflowId }];
};

/** Lines that cannot be shared out: a step fails, is retried in vain, and is skipped. */
const paymentWaiting: Story = async (tenant, engine) => {
  const lines = SAMPLE_LINES.map((line) =>
    line.kind === 'fee' ? { ...line, amountCents: -line.amountCents } : { ...line, amountCents: line.amountCents },
  );
  const totalCents = SAMPLE_TOTAL_CENTS - 2 * 25_000;
  const name = await paid(tenant, await bill(await insure(tenant), { lines, totalCents }), totalCents);
  const handle = handleOf(engine, name);
  const waitsAgain = (known: number) =>
    eventually(
      async () => {
        const marks = (await handle.fetchHistory()).events?.filter(isWaitingMark) ?? [];
        const { memo } = await handle.describe();
        return marks.length > known && (memo?.[WAITING_MEMO] as { step: string } | null | undefined)?.step;
      },
      { what: 'the saga to wait' },
    );
  const first = await waitsAgain(0);
  await handle.signal(retryStepSignal, { step: first, operator: 'ada' });
  const second = await waitsAgain(2);
  await handle.signal(skipStepSignal, { step: second, operator: 'ada', reason: 'posted by hand' });
  const third = await waitsAgain(4);
  await handle.signal(skipStepSignal, { step: third, operator: 'ada', reason: 'posted by hand' });
  await handle.result();
  return [name];
};

/** One mark when it begins to wait, and one when it resumes. */
const isWaitingMark = (event: { workflowPropertiesModifiedEventAttributes?: unknown }) =>
  Boolean(event.workflowPropertiesModifiedEventAttributes);

const collection: Story = async (tenant, engine) => {
  const invoiceId = await bill(await insure(tenant));
  const name = { workflowId: collectionWorkflowId(tenant.orgId, invoiceId) };
  await tenant.lifecycle.collect(tenant.command(invoiceId, { amountCents: null, isRetry: false }));
  await handleOf(engine, name).result();
  return [name];
};

/** Voided, and refused a second time; the policy's workflow is not running, or rereads its row. */
const invoiceVoid: Story = async (tenant, engine) => {
  const invoiceId = await bill(await insure(tenant));
  const name = { workflowId: invoiceVoidWorkflowId(tenant.orgId, invoiceId) };
  const voided = () => tenant.lifecycle.voidInvoice(tenant.command(invoiceId, { reason: 'Mistake.', reissue: false }));
  await voided();
  await handleOf(engine, name).result();
  const { runId } = await handleOf(engine, name).describe();
  await voided().catch(() => null);
  await handleOf(engine, name).result();
  return [
    { ...name, runId, suffix: 'voided' },
    { ...name, suffix: 'refused' },
  ];
};

/** Attempts left behind by a retry, a payment by hand and a void, and a workflow that cancels them. */
const attemptsCancelled: Story = async (tenant, engine) => {
  const { orgId, database, lifecycle, command } = tenant;
  const insurance = await insure(tenant);
  const invoiceId = await bill(insurance);
  const voidedId = await bill(insurance);
  const attempt = (id: string, isRetry = false) => lifecycle.collect(command(id, { amountCents: null, isRetry }));
  const { intentId: processorId } = await attempt(invoiceId);
  await handleOf(engine, { workflowId: collectionWorkflowId(orgId, invoiceId) }).result();
  await database.transaction(orgId, async (em) => {
    (await em.findOneOrFail(PaymentIntent, { processorId })).status = 'failed';
  });
  await attempt(invoiceId, true);
  const superseded = { workflowId: collectionWorkflowId(orgId, invoiceId), suffix: 'superseded' };
  const full = { ...(await paid(tenant, invoiceId)), suffix: 'paid' };
  const { intentId: voidedIntent } = await attempt(voidedId);
  await lifecycle.voidInvoice(command(voidedId, { reason: 'Mistake.', reissue: false }));
  const voided = { workflowId: invoiceVoidWorkflowId(orgId, voidedId), suffix: 'voided' };
  const { id: attemptId } = await database.forOrg(orgId, (em) =>
    em.findOneOrFail(PaymentIntent, { processorId: voidedIntent }),
  );
  const cancelled = { workflowId: attemptCancellationWorkflowId(orgId, attemptId) };
  const recorded = [superseded, full, voided, cancelled];
  for (const name of recorded) await handleOf(engine, name).result();
  return recorded;
};

/** By file name. */
export const PAYMENT_STORIES: Readonly<Record<string, Story>> = {
  'payment-by-hand': paymentByHand,
  'payment-by-card': paymentByCard,
  'payment-waiting': paymentWaiting,
  'attempt-cancellation': attemptsCancelled,
  collection,
  'invoice-void': invoiceVoid,
};
