/**
 * Each past month's bordereaux, for every carrier of every organization, page by page: opened with their deadline, and
 * made. Those already open are left alone, so a second sweep starts nothing. Started by a daily schedule, so that a
 * month is opened late if the 1st was missed. Domain facts 3.10, 6.2.
 */
import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import type { BordereauSweepInput } from '../contracts/bordereau.ts';
import { bordereauWorkflowId, startOptions } from '../contracts/machinery/start.ts';
import { bordereauWorkflow } from './bordereau.ts';
import { startOutliving } from './machinery/children.ts';
import { RECONCILING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { organizationsAfter, openMonthlyBordereaux } = activitiesOn('batch', {
  ...RECONCILING,
  summary: 'bordereaux of the month',
});

/** Organizations per run, some tens of events each; the next run continues, so histories stay short. */
const PAGE = 50;
const PAGES_OF_A_RUN = 2;

export async function bordereauSweepWorkflow(input: BordereauSweepInput = {}): Promise<void> {
  const { page = PAGE } = input;
  let { after = '', started = 0, failed = 0 } = input;
  for (let pages = 0; pages < PAGES_OF_A_RUN; pages += 1) {
    const orgIds = await organizationsAfter({ after, limit: page });
    for (const orgId of orgIds) {
      // One that fails for hours is left to a person and holds up no other.
      const opened = await openMonthlyBordereaux({ orgId }).catch(() => null);
      if (opened === null) failed += 1;
      for (const bordereauId of opened ?? []) await start(orgId, bordereauId);
      started += opened?.length ?? 0;
    }
    setCurrentDetails(`${started} bordereaux were started; ${failed} organizations failed`);
    after = orgIds.at(-1) ?? after;
    if (orgIds.length < page) return;
  }
  await continueAsNew<typeof bordereauSweepWorkflow>({ page, after, started, failed });
}

async function start(orgId: string, bordereauId: string): Promise<void> {
  const options = startOptions(bordereauWorkflowId(orgId, bordereauId), 'batch', { orgId, entityId: bordereauId });
  await startOutliving(bordereauWorkflow, { orgId, bordereauId }, options);
}
