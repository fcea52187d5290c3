// What happens to a remittance: prepared, approved or rejected. Part of `stories.ts`.
import { remittanceWorkflowId } from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { bill, insure } from '../billing/billed.ts';
import { payByCheck } from '../billing/returned.ts';
import type { Engine, Tenant } from '../run-engine.ts';
import type { HistoryName, Story } from './story.ts';

const APPROVER = { kind: 'user', id: 'test-approver', role: 'billing_admin' } as const;

/** One rejected and one approved: each command has its own run. */
const remittanceDecided: Story = async (tenant, engine) => {
  await payByCheck(engine, tenant, await bill(await insure(tenant)));
  const [prepared, rejected] = await decided(tenant, engine, 'reject');
  const [, approved] = await decided(tenant, engine, 'approve');
  return [
    { ...prepared, suffix: 'prepared' },
    { ...rejected, suffix: 'rejected' },
    { ...approved, suffix: 'approved' },
  ];
};

/** The run that prepared it, and the run that decided it. */
async function decided(
  tenant: Tenant,
  engine: Engine,
  decision: 'approve' | 'reject',
): Promise<[HistoryName, HistoryName]> {
  const id = newId('remittance');
  const workflowId = remittanceWorkflowId(tenant.orgId, id);
  const endOfRun = async (): Promise<HistoryName> => {
    const handle = engine.temporal.client.workflow.getHandle(workflowId);
    const { runId } = await handle.describe();
    await handle.result();
    return { workflowId, runId };
  };
  const payload = { kind: 'tax', payee: 'TX', through: tenant.today, filingId: null, policyId: null } as const;
  await tenant.lifecycle.prepareRemittance(tenant.command(id, payload));
  const prepared = await endOfRun();
  const reason = decision === 'reject' ? 'The state sends its own bill.' : null;
  await tenant.lifecycle.decideRemittance({ ...tenant.command(id, { decision, reason }), actor: APPROVER });
  return [prepared, await endOfRun()];
}

/** By file name. */
export const REMITTANCE_STORIES: Readonly<Record<string, Story>> = { remittance: remittanceDecided };
