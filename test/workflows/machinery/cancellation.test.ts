// What a request to cancel a workflow, as sent from the Temporal web interface, does to entities and money: nothing.
import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import { retryStepSignal } from '../../../contracts/machinery/saga.ts';
import { REFUSAL_MEMO, SEARCH_ATTRIBUTES, WAITING_MEMO } from '../../../contracts/machinery/search-attributes.ts';
import { paymentWorkflowId, policyWorkflowId, submissionWorkflowId } from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { bill, books, insure, payFirst, payment } from '../billing/billed.ts';
import { type Engine, startEngine } from '../engine.ts';

const IN_FULL = { installmentPlan: 'PAY_IN_FULL', quoteId: null } as const;

let engine: Engine;
/** Payments whose receipt cannot be stored. */
const withoutReceipt = new Set<string>();

test.before('an engine', async (t) => {
  engine = await startEngine(t, {
    interfere: async (activity, run, argument) => {
      const { entityId = '' } = argument as { entityId?: string };
      if (activity !== 'storeReceipt' || !withoutReceipt.has(entityId)) return run();
      throw ApplicationFailure.nonRetryable('injected', 'internal_error');
    },
  });
});

const described = (workflowId: string) => engine.temporal.client.workflow.getHandle(workflowId).describe();
const running = (workflowId: string, holds: (it: Awaited<ReturnType<typeof described>>) => boolean) =>
  eventually(() => described(workflowId).then(holds, () => false), { what: workflowId });

/** Sends the request and waits until the workflow has acknowledged it in its memo. */
async function cancelInVain(workflowId: string): Promise<void> {
  await engine.temporal.client.workflow.getHandle(workflowId).cancel();
  await running(
    workflowId,
    ({ memo, status }) => status.name === 'RUNNING' && /refused/.test(String(memo?.[REFUSAL_MEMO])),
  );
}

test('a submission that somebody cancels says that it refuses, and goes on serving commands', async (t) => {
  const tenant = await engine.organization();
  const submissionId = await tenant.created();
  await cancelInVain(submissionWorkflowId(tenant.orgId, submissionId));
  await tenant.lifecycle.quoteSubmission(tenant.command(submissionId, {}));
  const { policyId } = await tenant.lifecycle.bindSubmission(tenant.command(submissionId, IN_FULL));
  await running(policyWorkflowId(tenant.orgId, policyId), ({ status }) => status.name === 'RUNNING');
  t.pass();
});

test('a policy that somebody cancels keeps its dates', async (t) => {
  const tenant = await engine.organization();
  const { policyId } = await tenant.lifecycle.bindSubmission(tenant.command(await tenant.quoted(), IN_FULL));
  const workflowId = policyWorkflowId(tenant.orgId, policyId);
  await running(workflowId, ({ status }) => status.name === 'RUNNING');
  await cancelInVain(workflowId);
  await payFirst(tenant, policyId);
  const advance = (days: number) => {
    const advanceTo = addDays(tenant.today, days);
    return tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo }));
  };
  await advance(10);
  t.is((await described(workflowId)).typedSearchAttributes.get(SEARCH_ATTRIBUTES.entityStatus), 'active');
  await advance(400);
  t.is((await tenant.database.forOrg(tenant.orgId, (em) => findPolicy(em, policyId)))?.status, 'expired');
  await running(workflowId, ({ status }) => status.name === 'COMPLETED');
});

test('a payment that waits for an operator and is cancelled goes on waiting, and is completed when it is retried', async (t) => {
  const insurance = await insure(await engine.organization());
  const { tenant } = insurance;
  const invoiceId = await bill(insurance);
  const paymentId = newId('payment');
  withoutReceipt.add(paymentId);
  await tenant.lifecycle.recordPayment(tenant.command(paymentId, payment(invoiceId)));
  const workflowId = paymentWorkflowId(tenant.orgId, paymentId);
  await running(workflowId, ({ memo }) => memo?.[WAITING_MEMO] !== undefined);
  await cancelInVain(workflowId);
  withoutReceipt.delete(paymentId);
  const handle = engine.temporal.client.workflow.getHandle(workflowId);
  await handle.signal(retryStepSignal, { step: 'receipt', operator: 'test' });
  await handle.result();
  const { events } = await books(tenant, invoiceId);
  t.deepEqual(events.map(({ type }) => type).sort(), [
    'financial.operation_failed',
    'invoice.paid',
    'payment.received',
  ]);
});
