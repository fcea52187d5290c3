// The daily sweeps, reconciliation with an organization that does not agree and healing, and a reconciliation that a
// person starts. Their histories are
// kept in test/histories.

import { submissionWorkflowId, trustRunWorkflowId, WORKFLOW_TYPES } from '../../../contracts/start.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import type { Tenant } from '../run-engine.ts';
import type { Story } from './story.ts';

/** A cent that was received and never entered in the ledger; it matches no invoice. */
export const loseCent = ({ database, orgId, today }: Tenant): Promise<void> =>
  database.transaction(orgId, async (em) => {
    const taken = { amountCents: 1, appliedCents: 0, kind: 'manual', method: 'check', status: 'succeeded' } as const;
    const row = { reference: 'lost', invoiceId: null, policyId: null, receivedAt: new Date(), receivedOn: today };
    em.create(Payment, { ...row, ...taken }, { persist: true });
  });

const trustReconciliation: Story = async (tenant, { temporal, queue }) => {
  await loseCent(tenant);
  const workflowId = `trust-reconciliation/${tenant.today}`;
  const options = { workflowId, taskQueue: queue, args: [{ lookAgainAfterMs: 1 }] };
  await temporal.client.workflow.execute(WORKFLOW_TYPES.trustReconciliation, options);
  return [{ workflowId }];
};

const trustRun: Story = async ({ orgId, lifecycle, command }, { temporal }) => {
  await lifecycle.startReconciliation(command(newId('trustReconciliation'), {}));
  const workflowId = trustRunWorkflowId(orgId);
  await temporal.client.workflow.getHandle(workflowId).result();
  return [{ workflowId }];
};

/** Over all organizations, and over one whose submission has lost its workflow. */
const healing: Story = async (tenant, { temporal, queue }) => {
  const { workflow } = temporal.client;
  const submissionId = await tenant.created();
  await workflow.getHandle(submissionWorkflowId(tenant.orgId, submissionId)).terminate('lost');
  const recorded = [
    { workflowId: `healing/${tenant.orgId}`, suffix: 'one', input: { orgId: tenant.orgId } },
    { workflowId: `healing/${tenant.today}`, suffix: 'all', input: {} },
  ];
  for (const { workflowId, input } of recorded) {
    await workflow.execute(WORKFLOW_TYPES.healing, { workflowId, taskQueue: queue, args: [input] });
  }
  return recorded.map(({ workflowId, suffix }) => ({ workflowId, suffix }));
};

export const SWEEP_STORIES: Record<string, Story> = {
  'trust-reconciliation': trustReconciliation,
  'trust-run': trustRun,
  healing,
};
