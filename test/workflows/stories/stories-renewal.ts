// Renewal batches: one with every outcome, one that continues as new, one that waits for an operator and is given up,
// and the daily sweep with its batch. Their histories are in test/histories.
import { WithStartWorkflowOperation } from '@temporalio/client';
import { renewalBatchWorkflowId, startOptions, WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { type RenewalPace, runRenewalsUpdate } from '../../../contracts/renewal.ts';
import { newId } from '../../../db/ids.ts';
import { putFlagOverride } from '../../../db/queries/platform/flags.ts';
import { decide, listWaiting } from '../../../scripts/ops/waiting.ts';
import { eventually } from '../../support/eventually.ts';
import { ended, expiringPolicies } from '../renewal/renewing.ts';
import type { Engine, Tenant } from '../run-engine.ts';
import { runsOf } from '../runs-of.ts';
import type { Story } from './story.ts';

const ABOVE_AUTHORITY = { limit_cents: '900000000', aggregate_limit_cents: '1800000000' };
/** The database fails a renewal: the line has no code that the rates know. */
const FAULTY = { rating_inputs: `'{}'::jsonb`, surplus_lines_rates: `'{}'::jsonb`, installment_plan: "'NONE'" };
const SMALL: RenewalPace = { page: 4, slice: 2, atOnce: 2, slicesOfARun: 4 };

async function opened(tenant: Tenant, { temporal, queue }: Engine, pace: Partial<RenewalPace>) {
  const { orgId } = tenant;
  const batchId = newId('batch');
  const workflowId = renewalBatchWorkflowId(orgId, batchId);
  const startWorkflowOperation = new WithStartWorkflowOperation(WORKFLOW_TYPES.renewalBatch, {
    ...startOptions(workflowId, 'batch', { orgId, entityId: batchId }),
    ...{ taskQueue: queue, workflowIdConflictPolicy: 'USE_EXISTING', args: [{ orgId, batchId, pace }] },
  });
  const command = tenant.command(batchId, { withinDays: 30 });
  await temporal.client.workflow.executeUpdateWithStart(runRenewalsUpdate, { args: [command], startWorkflowOperation });
  return { batchId, workflowId, handle: await startWorkflowOperation.workflowHandle() };
}

const renewalBatch: Story = async (tenant, engine) => {
  await expiringPolicies(engine, tenant, { count: 5 });
  await expiringPolicies(engine, tenant, { count: 2, columns: ABOVE_AUTHORITY });
  const { batchId, workflowId } = await opened(tenant, engine, { slice: 3 });
  await ended(engine, tenant, batchId);
  return [{ workflowId }];
};

const renewalBatchContinued: Story = async (tenant, engine) => {
  await expiringPolicies(engine, tenant, { count: 10 });
  const { batchId, workflowId } = await opened(tenant, engine, SMALL);
  await ended(engine, tenant, batchId);
  const runs = await runsOf(engine.temporal.client, workflowId);
  return [
    { workflowId, runId: runs.at(-1)?.runId ?? '', suffix: 'first-run' },
    { workflowId, suffix: 'last-run' },
  ];
};

const renewalBatchWaiting: Story = async (tenant, engine) => {
  await expiringPolicies(engine, tenant, { count: 6, columns: FAULTY });
  const { batchId, workflowId } = await opened(tenant, engine, SMALL);
  for (const kind of ['retry', 'skip'] as const) {
    const { client } = engine.temporal;
    await eventually(async () => (await listWaiting(client)).find((one) => one.workflowId === workflowId), {
      what: 'the batch to wait for an operator',
    });
    await decide(client, workflowId, { kind, operator: 'operator', reason: 'A known fault' });
    await eventually(async () => !(await listWaiting(client)).some((one) => one.workflowId === workflowId), {
      what: 'the batch to go on',
    });
  }
  await ended(engine, tenant, batchId);
  return [{ workflowId }];
};

const renewalSweep: Story = async (tenant, engine) => {
  await expiringPolicies(engine, tenant, { count: 2 });
  await tenant.database.transaction(tenant.orgId, (em) => putFlagOverride(em, 'auto_renewal', true));
  const workflowId = `auto-renewal/${tenant.today}`;
  const options = { workflowId, taskQueue: engine.queue, args: [{}] };
  await engine.temporal.client.workflow.execute(WORKFLOW_TYPES.renewalSweep, options);
  await ended(engine, tenant, tenant.today);
  return [{ workflowId }, { workflowId: renewalBatchWorkflowId(tenant.orgId, tenant.today), suffix: 'batch' }];
};

export const RENEWAL_STORIES: Record<string, Story> = {
  'renewal-batch': renewalBatch,
  'renewal-batch-continued': renewalBatchContinued,
  'renewal-batch-waiting': renewalBatchWaiting,
  'renewal-sweep': renewalSweep,
};
