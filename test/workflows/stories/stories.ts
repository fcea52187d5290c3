// What happens to submissions and policies, one path through the workflows each. Their histories are in
// test/histories.

import { policyWorkflowId, submissionWorkflowId, testClockWorkflowId } from '../../../contracts/machinery/start.ts';
import { addDays } from '../../../domain/dates.ts';
import { payFirst } from '../billing/billed.ts';
import { bindNew, type Engine, type Tenant } from '../run-engine.ts';
import { APPOINTMENT_STORIES } from './stories-appointment.ts';
import { AUTOPAY_STORIES } from './stories-autopay.ts';
import { CLAIM_STORIES } from './stories-claim.ts';
import { DELINQUENCY_STORIES } from './stories-delinquency.ts';
import { DELIVERY_STORIES } from './stories-delivery.ts';
import { DOCUMENT_STORIES } from './stories-document.ts';
import { INBOUND_STORIES } from './stories-inbound.ts';
import { PAYMENT_STORIES } from './stories-payment.ts';
import { POLICY_STORIES } from './stories-policy.ts';
import { PROVIDER_STORIES } from './stories-providers.ts';
import { REFUND_STORIES } from './stories-refund.ts';
import { REMITTANCE_STORIES } from './stories-remittance.ts';
import { RENEWAL_STORIES } from './stories-renewal.ts';
import { SWEEP_STORIES } from './stories-sweeps.ts';
import type { HistoryName, Story } from './story.ts';

const IN_FULL = { installmentPlan: 'PAY_IN_FULL', quoteId: null } as const;

const submission = (tenant: Tenant, submissionId: string): HistoryName => ({
  workflowId: submissionWorkflowId(tenant.orgId, submissionId),
});

async function ended(engine: Engine, { workflowId, runId }: HistoryName): Promise<void> {
  await engine.temporal.client.workflow.getHandle(workflowId, runId).result();
}

/** Binds, and waits until the policy's workflow has started. */
const advance = (tenant: Tenant, days: number) =>
  tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo: addDays(tenant.today, days) }));

const submissionBound: Story = async (tenant, engine) => {
  const submissionId = await tenant.created({ state: null });
  await tenant.lifecycle.correctSubmission(tenant.command(submissionId, { state: 'TX' }));
  await tenant.lifecycle.quoteSubmission(tenant.command(submissionId, {}));
  await tenant.lifecycle.quoteSubmission(tenant.command(submissionId, {}));
  await tenant.lifecycle.bindSubmission(tenant.command(submissionId, IN_FULL));
  const name = submission(tenant, submissionId);
  await ended(engine, name);
  return [name];
};

const submissionEnded: Story = async (tenant, engine) => {
  const [declined, withdrawn, expired] = await Promise.all([tenant.created(), tenant.quoted(), tenant.created()]);
  await tenant.lifecycle.declineSubmission(tenant.command(declined, { reason: 'Outside the appetite' }));
  await tenant.lifecycle.withdrawSubmission(tenant.command(withdrawn, {}));
  await advance(tenant, 90);
  const names = { declined, withdrawn, expired };
  const recorded = Object.entries(names).map(([suffix, id]) => ({ ...submission(tenant, id), suffix }));
  for (const name of recorded) await ended(engine, name);
  return recorded;
};

/** A command for an ended submission starts a run that finds this in the row, refuses and ends. */
const submissionRefused: Story = async (tenant, engine) => {
  const { submissionId } = await bindNew(engine, tenant);
  const name = submission(tenant, submissionId);
  await tenant.lifecycle.bindSubmission(tenant.command(submissionId, IN_FULL)).catch(() => null);
  await ended(engine, name);
  return [name];
};

const submissionContinued: Story = async (tenant, engine) => {
  const submissionId = await tenant.created();
  const name = submission(tenant, submissionId);
  const first = (await engine.temporal.client.workflow.getHandle(name.workflowId).describe()).runId;
  for (let i = 0; i < 14; i += 1) await tenant.lifecycle.quoteSubmission(tenant.command(submissionId, {}));
  await tenant.lifecycle.withdrawSubmission(tenant.command(submissionId, {}));
  await ended(engine, name);
  return [
    { ...name, runId: first, suffix: 'first-run' },
    { ...name, suffix: 'last-run' },
  ];
};

const policyTerm: Story = async (tenant, engine) => {
  const { policyId } = await bindNew(engine, tenant);
  const name = { workflowId: policyWorkflowId(tenant.orgId, policyId) };
  await advance(tenant, 10);
  await payFirst(tenant, policyId);
  await advance(tenant, 375);
  await ended(engine, name);
  return [name, { workflowId: testClockWorkflowId(tenant.orgId), suffix: 'clock' }];
};

/** A policy whose workflow is started from its row alone. */
const policyHealed: Story = async (tenant, engine) => {
  const { policyId } = await bindNew(engine, tenant);
  const name = { workflowId: policyWorkflowId(tenant.orgId, policyId) };
  await engine.temporal.client.workflow.getHandle(name.workflowId).terminate('lost');
  await tenant.lifecycle.ensurePolicyWorkflow(tenant.orgId, policyId);
  await advance(tenant, 375);
  await ended(engine, name);
  return [name];
};

/** By file name. */
export const STORIES: Readonly<Record<string, Story>> = {
  'submission-bound': submissionBound,
  'submission-ended': submissionEnded,
  'submission-refused': submissionRefused,
  'submission-continued': submissionContinued,
  'policy-term': policyTerm,
  'policy-healed': policyHealed,
  ...APPOINTMENT_STORIES,
  ...AUTOPAY_STORIES,
  ...CLAIM_STORIES,
  ...DELINQUENCY_STORIES,
  ...INBOUND_STORIES,
  ...PROVIDER_STORIES,
  ...PAYMENT_STORIES,
  ...POLICY_STORIES,
  ...REFUND_STORIES,
  ...REMITTANCE_STORIES,
  ...RENEWAL_STORIES,
  ...DELIVERY_STORIES,
  ...DOCUMENT_STORIES,
  ...SWEEP_STORIES,
};
