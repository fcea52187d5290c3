// A refund is rejected after a cancellation has relied on it: another refund returns the premium.
import test from 'ava';
import { paymentWorkflowId, policyWorkflowId } from '../../../contracts/machinery/start.ts';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { newId } from '../../../db/ids.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { putFlagOverride } from '../../../db/queries/platform/flags.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { type Engine, startEngine } from '../engine.ts';
import { books, insure } from './billed.ts';
import { payByCheck, refund, refundSaga } from './returned.ts';

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t);
});

test('the refund that replaces a rejected one has its own saga, which waits for approval and then returns the money', async (t) => {
  const tenant = await engine.organization();
  const { invoice } = await insure(tenant);
  const { id: invoiceId, policyId, totalCents } = invoice;
  await tenant.database.transaction(tenant.orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  await payByCheck(engine, tenant, invoiceId, totalCents);
  const { refundId } = await refund(tenant, invoiceId);
  const policy = await tenant.database.forOrg(tenant.orgId, (em) => em.findOneOrFail(Policy, { id: policyId }));
  const { effectiveDate } = policy;
  const ending = { effectiveDate, reason: 'insured_request', source: null, method: 'flat' } as const;
  await tenant.lifecycle.cancelPolicy(tenant.command(policyId, ending));
  const by = { actor: { kind: 'user', id: 'test-other', role: 'org_admin' } } as const;
  const rejection = { decision: 'reject', reason: 'The wrong reason.' } as const;
  await tenant.lifecycle.decideRefund({ ...tenant.command(refundId, rejection), ...by });
  await refundSaga(engine, tenant, refundId).result();
  const { payments } = await books(tenant, invoiceId);
  const owed = payments.find(({ kind, id }) => kind === 'refund' && id !== refundId);
  t.like(owed, { amountCents: -totalCents, status: 'pending_approval' });
  const approver = { actor: { kind: 'user', id: 'test-third', role: 'org_admin' } } as const;
  const approval = { decision: 'approve', reason: null } as const;
  await tenant.lifecycle.decideRefund({ ...tenant.command(owed?.id ?? '', approval), ...approver });
  await refundSaga(engine, tenant, owed?.id ?? '').result();
  // All shares are zero; a check is owed.
  t.deepEqual(openBalances((await books(tenant, invoiceId)).balances), { 1010: totalCents, 2060: -totalCents });
});

test('return premium whose refund is rejected is taken from its parts by its saga, and held as unapplied cash by another; a return of that ends when its check bounces', async (t) => {
  const tenant = await engine.organization();
  const { orgId, database, lifecycle } = tenant;
  const { invoice } = await insure(tenant);
  const { id: invoiceId, policyId, totalCents } = invoice;
  await database.transaction(orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  const paymentId = await payByCheck(engine, tenant, invoiceId, totalCents);
  const { effectiveDate } = await database.forOrg(orgId, (em) => em.findOneOrFail(Policy, { id: policyId }));
  const ending = { effectiveDate, reason: 'insured_request', source: null, method: 'flat' } as const;
  const { refundIds } = await lifecycle.cancelPolicy(tenant.command(policyId, ending));
  const refundId = refundIds[0] ?? '';
  const by = { actor: { kind: 'user', id: 'test-other', role: 'org_admin' } } as const;
  const rejection = { decision: 'reject', reason: 'Ask them first.' } as const;
  await lifecycle.decideRefund({ ...tenant.command(refundId, rejection), ...by });
  await refundSaga(engine, tenant, refundId).result();
  const { balances, payments } = await books(tenant, invoiceId);
  const kept = payments.find(({ method }) => method === 'kept_refund');
  await engine.temporal.client.workflow.getHandle(paymentWorkflowId(orgId, kept?.id ?? '')).result();
  // All shares are zero; no check is owed.
  t.deepEqual(openBalances(balances), { 1010: totalCents, 2070: -totalCents });
  const payload = { paymentId: kept?.id ?? '', amountCents: null, reason: 'They want it.' };
  const waiting = await lifecycle.returnUnapplied(tenant.command(newId('refund'), payload));
  t.true(waiting.awaitsApproval);
  const bounced = { paymentId, reason: 'nsf', feeCents: null } as const;
  const { refundId: reversalId } = await lifecycle.reversePayment(tenant.command(newId('refund'), bounced));
  await refundSaga(engine, tenant, waiting.refundId).result();
  await refundSaga(engine, tenant, reversalId).result();
  t.deepEqual(openBalances((await books(tenant, invoiceId)).balances), {}, 'there is nothing to send any more');
});

const openBalances = (balances: Record<string, number>) =>
  Object.fromEntries(Object.entries(balances).filter(([, cents]) => cents !== 0));

test('the policy is notified that more is due once a refund of a bounced check is rejected', async (t) => {
  const tenant = await engine.organization();
  const { orgId, database, lifecycle } = tenant;
  const { invoice } = await insure(tenant);
  const { id: invoiceId, policyId, totalCents } = invoice;
  await database.transaction(orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  const paymentId = await payByCheck(engine, tenant, invoiceId, totalCents);
  const { refundId } = await refund(tenant, invoiceId);
  const bounced = { paymentId, reason: 'nsf', feeCents: null } as const;
  await lifecycle.reversePayment(tenant.command(newId('refund'), bounced));
  const by = { actor: { kind: 'user', id: 'test-other', role: 'org_admin' } } as const;
  const rejection = { decision: 'reject', reason: 'The check bounced.' } as const;
  await lifecycle.decideRefund({ ...tenant.command(refundId, rejection), ...by });
  const saga = refundSaga(engine, tenant, refundId);
  await saga.result();
  const { events } = await saga.fetchHistory();
  const notified = (events ?? []).flatMap(
    ({ signalExternalWorkflowExecutionInitiatedEventAttributes: to }) => to?.workflowExecution?.workflowId ?? [],
  );
  t.deepEqual(notified, [policyWorkflowId(orgId, policyId)]);
  const again = await database.forOrg(orgId, (em) => em.findOneOrFail(Invoice, { id: invoiceId }));
  t.is(invoiceBalance(invoiceAmounts(again)), totalCents);
});
