// A policy that falls behind: noticed and paid, noticed and lapsed, its e-mails, and a hold. Their histories are in
// test/histories.

import {
  billingHoldWorkflowId,
  noticeWorkflowId,
  paymentWorkflowId,
  policyWorkflowId,
} from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { payment } from '../billing/billed.ts';
import { bindNew, type Engine, type Tenant } from '../run-engine.ts';
import type { Story } from './story.ts';

/** An unpaid policy that begins in ten days, with its workflow running. */
async function unpaid(tenant: Tenant, engine: Engine): Promise<string> {
  return (await bindNew(engine, tenant, { insuredEmail: 'owner@diner.test' }, 'QUARTERLY_4')).policyId;
}

const advance = (tenant: Tenant, days: number) =>
  tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo: addDays(tenant.today, days) }));

const statusOf = async ({ orgId, database }: Tenant, policyId: string) =>
  (await database.forOrg(orgId, (em) => findPolicy(em, policyId)))?.status;

/** Noticed and paid by check; behind again with the second installment, put on hold, and lapsed. */
const policyDelinquent: Story = async (tenant, engine) => {
  const { orgId, lifecycle, command, database } = tenant;
  const policyId = await unpaid(tenant, engine);
  const workflowId = policyWorkflowId(orgId, policyId);
  const { runId } = await engine.temporal.client.workflow.getHandle(workflowId).describe();
  await advance(tenant, 21);
  const [invoice] = await database.forOrg(orgId, (em) => invoicesOfPolicy(em, policyId));
  const paymentId = newId('payment');
  const paid = payment(invoice?.id ?? '', { amountCents: invoice?.totalCents ?? 0 });
  await lifecycle.recordPayment(command(paymentId, paid));
  await eventually(async () => (await statusOf(tenant, policyId)) === 'active', { what: 'the notice taken back' });
  await advance(tenant, 125);
  const holdId = newId('billingHold');
  const days = { from: addDays(tenant.today, 126), to: addDays(tenant.today, 127) };
  await lifecycle.placeBillingHold(command(holdId, { state: 'TX', ...days }));
  await advance(tenant, 200);
  const notice = { kind: 'past_due', on: addDays(tenant.today, 11) } as const;
  const recorded = [
    { workflowId, suffix: 'lapsed' },
    { workflowId: paymentWorkflowId(orgId, paymentId), suffix: 'payment' },
    { workflowId: billingHoldWorkflowId(orgId, holdId), suffix: 'hold' },
    { workflowId: noticeWorkflowId(orgId, policyId, notice), suffix: 'mail' },
  ];
  for (const { workflowId } of recorded) await engine.temporal.client.workflow.getHandle(workflowId).result();
  return [...recorded, { workflowId, runId, suffix: 'first-run' }];
};

/** By file name. */
export const DELINQUENCY_STORIES: Readonly<Record<string, Story>> = { 'policy-delinquent': policyDelinquent };
