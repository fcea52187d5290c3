// The daily trust reconciliation: one organization that agrees and one that does not. Their history is kept in test/histories.
import { Payment } from '../../db/entities/payment.ts';
import { WORKFLOW_TYPES } from '../../workflows/contracts.ts';
import type { Tenant } from './run-engine.ts';
import type { Story } from './stories.ts';

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

export const TRUST_STORIES: Record<string, Story> = { 'trust-reconciliation': trustReconciliation };
