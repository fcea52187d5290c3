// Steps shared by the renewal batch tests: policies that expire soon, a batch of them, and its outcomes.

import { renewalBatchWorkflowId } from '../../../contracts/machinery/start.ts';
import type { RunRenewalsPayload } from '../../../contracts/renewal.ts';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { RenewalBatch } from '../../../db/entities/renewal/renewal-batch.ts';
import { newId } from '../../../db/ids.ts';
import { type BatchItem, batchCounts, itemsWithOutcome } from '../../../db/queries/renewal/renewal-batches.ts';
import { eventually } from '../../support/eventually.ts';
import { copyExpiring, type Expiring } from '../../support/expiring.ts';
import type { Engine, Tenant } from '../run-engine.ts';

/** Binds a policy and inserts copies of it that expire in 20 to 29 days; returns their ids in insertion order. */
export async function expiringPolicies(
  { testDatabase: { ownerUrl } }: Engine,
  tenant: Tenant,
  copies: Pick<Expiring, 'count' | 'columns'>,
): Promise<string[]> {
  const submissionId = await tenant.quoted();
  const payload = { installmentPlan: 'PAY_IN_FULL', quoteId: null } as const;
  const { policyId: sourceId } = await tenant.lifecycle.bindSubmission(tenant.command(submissionId, payload));
  return copyExpiring({ ownerUrl, sourceId, today: tenant.today, ...copies });
}

/** Opens a batch of the policies that expire within 30 days, and returns its id. */
export async function startBatch(
  tenant: Tenant,
  batchId = newId('batch'),
): Promise<{ batchId: string; matched: number }> {
  const payload: RunRenewalsPayload = { withinDays: 30 };
  return tenant.lifecycle.runRenewals(tenant.command(batchId, payload, `open ${batchId}`));
}

/** Waits for the batch's workflow to end. */
export const ended = ({ temporal }: Engine, { orgId }: Tenant, which: string): Promise<unknown> =>
  temporal.client.workflow.getHandle(renewalBatchWorkflowId(orgId, which)).result();

/** A batch's row, its counts, and all of its items in order. */
export async function batchOf({ database, orgId }: Tenant, batchId: string) {
  return database.forOrg(orgId, async (em) => {
    const { status, matched } = await em.findOneOrFail(RenewalBatch, { id: batchId });
    const { data } = await itemsWithOutcome(em, batchId, { limit: 100_000 });
    return { status, matched, ...(await batchCounts(em, batchId)), items: data };
  });
}

/** Waits until this many policies of a batch have an outcome. */
export const untilDone = ({ database, orgId }: Tenant, batchId: string, least: number): Promise<BatchItem[]> =>
  eventually(
    async () => {
      const page = await database.forOrg(orgId, (em) => itemsWithOutcome(em, batchId, { limit: 100_000 }));
      return page.data.length >= least && page.data;
    },
    { what: `${least} policies to have an outcome` },
  );

/** Each policy's next terms. */
export function nextTerms({ database, orgId }: Tenant, policyIds: readonly string[]): Promise<string[][]> {
  return database.forOrg(orgId, async (em) => {
    const rows = await em.find(Policy, { renewalOf: { $in: [...policyIds] } }, { fields: ['id', 'renewalOf'] });
    return policyIds.map((policyId) => rows.filter(({ renewalOf }) => renewalOf === policyId).map(({ id }) => id));
  });
}
