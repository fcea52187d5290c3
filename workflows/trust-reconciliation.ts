/**
 * The daily trust reconciliation of every organization, page by page. A mismatch is checked again a little later, since
 * an operator may be mending it, and then raises an alert. Started by a schedule.
 */
import { continueAsNew, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { TrustReconciliationInput } from '../contracts/trust.ts';
import { RECONCILING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { organizationsAfter, reconcileTrust } = activitiesOn('batch', RECONCILING);

const PAGE = 50;
const LOOK_AGAIN_AFTER_MS = 60_000;
const AT_ONCE = 8;
/**
 * Organizations of a run, up to seven events each; the next run goes on, so histories stay short however many there
 * are.
 */
const ORGANIZATIONS_OF_A_RUN = 300;

export async function trustReconciliationWorkflow(input: TrustReconciliationInput = {}): Promise<void> {
  const { after = '', found, lookAgainAfterMs = LOOK_AGAIN_AFTER_MS, page = PAGE } = input;
  const total = { organizations: 0, unclean: 0, ...found };
  let cursor = after;
  for (const last = total.organizations + ORGANIZATIONS_OF_A_RUN; total.organizations < last; ) {
    if (workflowInfo().continueAsNewSuggested) break;
    const orgIds = await organizationsAfter({ after: cursor, limit: page });
    const lastId = orgIds.at(-1);
    if (lastId === undefined) return;
    total.unclean += await reconcileAll(orgIds, lookAgainAfterMs);
    total.organizations += orgIds.length;
    setCurrentDetails(`${total.organizations} organizations, ${total.unclean} of them do not agree`);
    cursor = lastId;
  }
  await continueAsNew<typeof trustReconciliationWorkflow>({ ...input, after: cursor, found: total });
}

/** Answers how many still do not agree on the second check. */
async function reconcileAll(orgIds: readonly string[], lookAgainAfterMs: number): Promise<number> {
  const doubtful = await looked(orgIds, false);
  if (doubtful.length === 0) return 0;
  await sleep(lookAgainAfterMs, { summary: `${doubtful.length} organizations are looked at again` });
  return (await looked(doubtful, true)).length;
}

async function looked(orgIds: readonly string[], isLastLook: boolean): Promise<string[]> {
  const unclean: string[] = [];
  for (let i = 0; i < orgIds.length; i += AT_ONCE) {
    const some = orgIds.slice(i, i + AT_ONCE);
    const results = await Promise.all(some.map((orgId) => reconcileTrust({ orgId, isLastLook })));
    unclean.push(...some.filter((_, n) => (results[n]?.findings.length ?? 0) > 0));
  }
  return unclean;
}
