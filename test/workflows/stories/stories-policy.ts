// What happens to a policy when it is changed: paths through its workflow, with histories in test/histories.

import { paymentWorkflowId, policyWorkflowId } from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { addDays } from '../../../domain/dates.ts';
import { payment } from '../billing/billed.ts';
import { bindNew, type Engine, type Tenant } from '../run-engine.ts';
import type { Story } from './story.ts';

/** A paid policy that begins in ten days, with its workflow running. */
async function paidPolicy(tenant: Tenant, engine: Engine): Promise<string> {
  const { orgId, lifecycle, command, database } = tenant;
  const { policyId } = await bindNew(engine, tenant);
  const [invoice] = await database.forOrg(orgId, (em) => invoicesOfPolicy(em, policyId));
  const paymentId = newId('payment');
  const paid = payment(invoice?.id ?? '', { amountCents: invoice?.totalCents ?? 0 });
  await lifecycle.recordPayment(command(paymentId, paid));
  await engine.temporal.client.workflow.getHandle(paymentWorkflowId(orgId, paymentId)).result();
  return policyId;
}

const advance = (tenant: Tenant, days: number) =>
  tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo: addDays(tenant.today, days) }));

const cancel = (tenant: Tenant, policyId: string, days: number) =>
  tenant.lifecycle.cancelPolicy(
    tenant.command(policyId, {
      effectiveDate: addDays(tenant.today, days),
      reason: 'insured_request' as const,
      source: null,
      method: null,
    }),
  );

const reinstate = (tenant: Tenant, policyId: string) =>
  tenant.lifecycle.reinstatePolicy(tenant.command(policyId, { effectiveDate: null, reason: null }));

/**
 * Endorsed, scheduled for cancellation, rescinded, scheduled again; the date comes with its refund; then reinstated,
 * which is a separate run.
 */
const policyChanged: Story = async (tenant, engine) => {
  const policyId = await paidPolicy(tenant, engine);
  const { lifecycle, command } = tenant;
  const changes = { annualRevenueCents: 90_000_000 };
  const effectiveDate = addDays(tenant.today, 10);
  await lifecycle.endorsePolicy(command(policyId, { effectiveDate, changes, reason: null }));
  await cancel(tenant, policyId, 60);
  await reinstate(tenant, policyId);
  await advance(tenant, 20);
  await cancel(tenant, policyId, 60);
  const workflow = engine.temporal.client.workflow.getHandle(policyWorkflowId(tenant.orgId, policyId));
  const { runId } = await workflow.describe();
  await advance(tenant, 60);
  await workflow.result();
  await reinstate(tenant, policyId);
  const { workflowId } = workflow;
  return [
    { workflowId, runId, suffix: 'ended' },
    { workflowId, suffix: 'reinstated' },
  ];
};

/** Renewed and then cancelled, which also cancels the next term. */
const policyRenewed: Story = async (tenant, engine) => {
  const policyId = await paidPolicy(tenant, engine);
  await advance(tenant, 340);
  const renewal = tenant.command(policyId, { effectiveDate: null, changes: {} });
  const { renewal: next } = await tenant.lifecycle.renewPolicy(renewal);
  await cancel(tenant, policyId, 340);
  const names = { old: policyId, next: next.policyId };
  const recorded = Object.entries(names).map(([suffix, id]) => ({
    workflowId: policyWorkflowId(tenant.orgId, id),
    suffix,
  }));
  for (const { workflowId } of recorded) await engine.temporal.client.workflow.getHandle(workflowId).result();
  return recorded;
};

/** By file name. */
export const POLICY_STORIES: Readonly<Record<string, Story>> = {
  'policy-changed': policyChanged,
  'policy-renewed': policyRenewed,
};
