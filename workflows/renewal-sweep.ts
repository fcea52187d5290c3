/**
 * The daily start of the renewal batch of every organization whose flag `auto_renewal` is on, page by page. Its id is that of the business
 * date, so that a second sweep of a day starts nothing. Started by a schedule. Contract 3.2 "batch".
 */
import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { startOutliving } from './children.ts';
import {
  type RenewalBatchInput,
  type RenewalSweepInput,
  renewalBatchWorkflowId,
  SAGA_STATUS,
  startOptions,
} from './contracts.ts';
import { RECONCILING } from './options.ts';
import { renewalBatchWorkflow } from './renewal-batch.ts';

const { renewingOrganizations } = proxyActivities<Activities>({
  ...RECONCILING,
  summary: 'organizations that renew automatically',
});

const PAGE = 50;
/** Pages of a run; the next run goes on, so that a history stays short however many organizations there are. */
const PAGES_OF_A_RUN = 10;

export async function renewalSweepWorkflow({
  after = '',
  started = 0,
  page = PAGE,
}: RenewalSweepInput = {}): Promise<void> {
  let cursor = after;
  let total = started;
  for (let pages = 0; pages < PAGES_OF_A_RUN; pages += 1) {
    const organizations = await renewingOrganizations({ after: cursor, limit: page });
    await Promise.all(organizations.map(({ orgId, date }) => startDaily(orgId, date)));
    total += organizations.length;
    setCurrentDetails(`${total} organizations: their batches are started`);
    cursor = organizations.at(-1)?.orgId ?? cursor;
    if (organizations.length < page) return;
  }
  await continueAsNew<typeof renewalSweepWorkflow>({ page, after: cursor, started: total });
}

function startDaily(orgId: string, date: string): Promise<void> {
  const input: RenewalBatchInput = { orgId };
  const facts = { orgId, entityId: orgId, status: SAGA_STATUS.running };
  return startOutliving(renewalBatchWorkflow, input, startOptions(renewalBatchWorkflowId(orgId, date), facts));
}
