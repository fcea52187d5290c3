// Renewal batches for the policies that expire soon: dry run, start, and progress. The batch's workflow makes the
// renewals. Spec 4.4, Contract 3.2 "batch".
import { withDeadlineOfItsOwn } from '../../../db/deadline.ts';
import type { RenewalBatch } from '../../../db/entities/renewal/renewal-batch.ts';
import { newId } from '../../../db/ids.ts';
import { batchCounts, findBatch, itemsWithOutcome } from '../../../db/queries/renewal/renewal-batches.ts';
import { DRY_RUN_DEADLINE_MS } from '../../../domain/limits.ts';
import { RENEWAL_DAYS_BEFORE } from '../../../domain/renewal/renewal.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { dryRun } from './dry-runs.ts';
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
    'Takes active policies that have neither a next term nor a notice of non-renewal. Each policy is renewed only once, even if other batches run at the same time. With `dryRun`, the response counts and lists, page by page, what would happen; it checks each policy by itself against the authority used so far.',
  access: allow('renewal:run'),
  deadlineMs: DRY_RUN_DEADLINE_MS,
  query: BatchItemsQuery,
  body: RenewalBatchRunSchema,
  response: { status: 202, body: StartedBatchSchema },
  alternates: [
    { status: 200, body: RenewalBatchSchema, description: 'The dry run. Nothing was written.', exampleName: 'dryRun' },
  ],
  errors: [],
  handler: async ({ body: { expiringWithinDays, dryRun: isDryRun = false }, query, org, db, lifecycle, command }) => {
    const withinDays = Math.min(expiringWithinDays, RENEWAL_DAYS_BEFORE);
    if (isDryRun) {
      const tried = await withDeadlineOfItsOwn(DRY_RUN_DEADLINE_MS, () =>
        dryRun(db, { today: org.today, withinDays }, query),
      );
      return reply({ status: 200, body: dryRunToWire(tried) });
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
  summary: 'Read the progress of a renewal batch and the outcome of each policy',
  description:
    'The counts grow while the batch runs, and `items` pages through the policies whose outcome is known. A policy that failed names the error code that prevented its renewal.',
  access: allow('renewal:read', batchResource),
  params: BatchParams,
  query: BatchItemsQuery,
  response: { status: 200, body: RenewalBatchSchema },
  errors: [],
  handler: ({ row, query, db }) =>
    db.read(async (em) => batchToWire(row, await batchCounts(em, row.id), await itemsWithOutcome(em, row.id, query))),
});

export const renewalRoutes = [runRenewalBatch, getRenewalBatch];
