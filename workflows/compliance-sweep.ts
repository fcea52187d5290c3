/**
 * Announces daily what falls due in every organization, page by page. The rows record what was announced, so a second
 * sweep on the same day announces nothing. Started by a schedule. Contract 3.7 "Compliance filings".
 */
import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import type { ComplianceSweepInput } from '../contracts/compliance.ts';
import { RECONCILING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { organizationsWithDeadlines, announceDeadlines } = activitiesOn('batch', {
  ...RECONCILING,
  summary: 'deadlines of filings',
});

/** Organizations per run, some six events each; the next run continues, so histories stay short. */
const PAGE = 50;
const PAGES_OF_A_RUN = 10;

export async function complianceSweepWorkflow(input: ComplianceSweepInput = {}): Promise<void> {
  const { page = PAGE } = input;
  let { after = '', announced = 0, failed = 0 } = input;
  for (let pages = 0; pages < PAGES_OF_A_RUN; pages += 1) {
    const orgIds = await organizationsWithDeadlines({ after, limit: page });
    const steps = await Promise.allSettled(orgIds.map((orgId) => announceDeadlines({ orgId })));
    // One that fails for hours is tried again tomorrow, and holds up no other.
    for (const step of steps) {
      if (step.status === 'fulfilled') announced += step.value;
      else failed += 1;
    }
    setCurrentDetails(`${announced} deadlines turned; ${failed} organizations failed`);
    after = orgIds.at(-1) ?? after;
    if (orgIds.length < page) return;
  }
  await continueAsNew<typeof complianceSweepWorkflow>({ page, after, announced, failed });
}
