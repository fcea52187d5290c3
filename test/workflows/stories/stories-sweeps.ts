// The daily sweeps: reconciliation with an organization that does not agree, healing, and filing deadlines; and a
// reconciliation started by a person. Their histories are in test/histories.

import {
  bordereauWorkflowId,
  submissionWorkflowId,
  trustRunWorkflowId,
  WORKFLOW_TYPES,
} from '../../../contracts/machinery/start.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { Producer } from '../../../db/entities/distribution/producer.ts';
import { Filing } from '../../../db/entities/insight/filing.ts';
import { newId } from '../../../db/ids.ts';
import { openBordereau } from '../../../db/queries/insight/bordereaux.ts';
import { addDays } from '../../../domain/dates.ts';
import type { Tenant } from '../run-engine.ts';
import type { Story } from './story.ts';

/** A cent that was received but never entered in the ledger; it matches no invoice. */
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

/** Across all organizations, and for one whose submission has lost its workflow. */
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

/** A filing due in a week. */
export const addFiling = ({ database, orgId, today }: Tenant, producerId: string): Promise<void> =>
  database.transaction(orgId, async (em) => {
    const dueDate = addDays(today, 7);
    em.create(Producer, { id: producerId, name: 'Lone Star Agency', status: 'active' }, { persist: true });
    em.create(Filing, { producerId, kind: 'licence_renewal', state: 'TX', dueDate }, { persist: true });
  });

const complianceSweep: Story = async (tenant, { temporal, queue }) => {
  await addFiling(tenant, newId('producer'));
  const workflowId = `compliance-sweep/${tenant.today}`;
  const options = { workflowId, taskQueue: queue, args: [{}] };
  await temporal.client.workflow.execute(WORKFLOW_TYPES.complianceSweep, options);
  return [{ workflowId }];
};

/** For an organization that bound nothing in the month before, plus one bordereau started by a person. */
const bordereauSweep: Story = async (tenant, { temporal, queue }) => {
  const workflowId = `bordereau-sweep/${tenant.today}`;
  const options = { workflowId, taskQueue: queue, args: [{}] };
  await temporal.client.workflow.execute(WORKFLOW_TYPES.bordereauSweep, options);
  return [{ workflowId }];
};

const bordereau: Story = async ({ orgId, database, lifecycle, today }, { temporal }) => {
  const id = newId('bordereau');
  const report = { carrier: 'Default Carrier', month: today.slice(0, 7), kind: 'premium' as const };
  await database.transaction(orgId, async (em) => {
    await openBordereau(em, { id, ...report, through: today, createdBy: 'usr_test' });
  });
  await lifecycle.startBordereau(orgId, id);
  const workflowId = bordereauWorkflowId(orgId, id);
  await temporal.client.workflow.getHandle(workflowId).result();
  return [{ workflowId }];
};

export const SWEEP_STORIES: Record<string, Story> = {
  bordereau,
  'bordereau-sweep': bordereauSweep,
  'compliance-sweep': complianceSweep,
  'trust-reconciliation': trustReconciliation,
  'trust-run': trustRun,
  healing,
};
