// Renewal batches: started for the policies that expire soon, tried out beforehand, followed while they run. The
// renewals are made by the batch's workflow. Spec 4.4, Contract 3.2 "batch".
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RenewalBatch } from '../../../db/entities/renewal/renewal-batch.ts';
import { newId } from '../../../db/ids.ts';
import type { Page, PageRequest } from '../../../db/queries/pages.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import {
  type BatchItem,
  batchCounts,
  countDue,
  dueForRenewal,
  findBatch,
  itemsWithOutcome,
  type RenewalWindow,
} from '../../../db/queries/renewal/renewal-batches.ts';
import { DomainError } from '../../../domain/errors.ts';
import { outcomeOfRefusal } from '../../../domain/renewal/renewal-batch.ts';
import { planRenewal } from '../../../plans/renewal/renewal-plan.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { reply } from '../../spine/reply.ts';
import { type OrganizationDatabase, route } from '../../spine/route.ts';
import {
  BatchItemsQuery,
  BatchParams,
  RenewalBatchRunSchema,
  RenewalBatchSchema,
  StartedBatchSchema,
} from './renewals.schemas.ts';
import { batchToWire, dryRunToWire } from './renewals.wire.ts';

const TAG = 'Policies';
const SPEC = '4.4, Contract 3.2';

const batchResource: Resource<RenewalBatch> = {
  name: 'renewal batch',
  load: findBatch,
  facts: ({ orgId }) => ({ orgId }),
};

const runRenewalBatch = route({
  method: 'post',
  path: '/renewals/batch',
  operationId: 'runRenewalBatch',
  tag: TAG,
  spec: SPEC,
  summary: 'Renew every policy that expires soon',
  description:
    'Takes active policies that have neither a next term nor a notice of non-renewal. Each is renewed once, whatever other batches run. With `dryRun`, the answer lists page by page what would happen to each policy, judged by itself against the authority used so far.',
  access: allow('renewal:run'),
  query: BatchItemsQuery,
  body: RenewalBatchRunSchema,
  response: { status: 202, body: StartedBatchSchema },
  alternates: [{ status: 200, body: RenewalBatchSchema, description: 'The dry run. Nothing was written.' }],
  errors: [],
  handler: async ({ body: { expiringWithinDays: withinDays, dryRun = false }, query, org, db, lifecycle, command }) => {
    if (dryRun) {
      const tried = await tryOut(db, { today: org.today, withinDays }, query);
      return reply({ status: 200, body: dryRunToWire(tried.matched, tried.items) });
    }
    const { batchId, workflowId, matched } = await lifecycle.runRenewals(
      command({ withinDays }, newId('batch', command.seedUuid)),
    );
    return { batchId, workflowId, matched };
  },
});

const getRenewalBatch = route({
  method: 'get',
  path: '/renewals/batch/:id',
  operationId: 'getRenewalBatch',
  tag: TAG,
  spec: SPEC,
  summary: 'Follow a renewal batch: its progress, and the outcome of each policy',
  access: allow('renewal:read', batchResource),
  params: BatchParams,
  query: BatchItemsQuery,
  response: { status: 200, body: RenewalBatchSchema },
  errors: [],
  handler: ({ row, query, db }) =>
    db.read(async (em) => batchToWire(row, await batchCounts(em, row.id), await itemsWithOutcome(em, row.id, query))),
});

export const renewalRoutes = [runRenewalBatch, getRenewalBatch];

function tryOut(
  db: OrganizationDatabase,
  window: RenewalWindow,
  page: PageRequest,
): Promise<{ matched: number; items: Page<BatchItem> }> {
  return db.read(async (em) => {
    const matched = await countDue(em, window);
    const { data: ids, nextCursor } = await dueForRenewal(em, window, page);
    const data: BatchItem[] = [];
    for (const id of ids) {
      const item = await tryOne(em, id, window.today);
      if (item !== null) data.push(item);
    }
    return { matched, items: { data, nextCursor } };
  });
}

/** Null for a policy that has gone from the list meanwhile. */
async function tryOne(em: EntityManager, policyId: string, today: string): Promise<BatchItem | null> {
  const policy = await findPolicy(em, policyId);
  if (policy === null) return null;
  try {
    await planRenewal(em, policy, { effectiveDate: null, changes: {} }, today);
    return { policyId, outcome: 'renewed', renewalPolicyId: null, error: null };
  } catch (error) {
    if (error instanceof DomainError) return { policyId, ...outcomeOfRefusal(error) };
    throw error;
  }
}
