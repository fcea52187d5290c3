/**
 * The daily trust reconciliation of every organization, page by page. One that does not agree is looked at again a little later, since a
 * payment may have been between two of its steps, and then raises the alarm. Started by a schedule.
 */
import { continueAsNew, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { TrustReconciliationInput } from './contracts.ts';
import { RECONCILING } from './options.ts';
import { activitiesOn } from './queues.ts';

const { organizationsAfter, reconcileTrust } = activitiesOn('batch', RECONCILING);

const LOOK_AGAIN_AFTER_MS = 60_000;
const AT_ONCE = 8;
/** Pages of a run; the next run goes on, so that a history stays short however many organizations there are. */
const PAGES_PER_RUN = 10;

export async function trustReconciliationWorkflow(input: TrustReconciliationInput = {}): Promise<void> {
  const { after = '', found, lookAgainAfterMs = LOOK_AGAIN_AFTER_MS } = input;
  const total = { organizations: 0, unclean: 0, ...found };
  let cursor = after;
  for (let page = 0; page < PAGES_PER_RUN; page += 1) {
    const orgIds = await organizationsAfter({ after: cursor });
    const last = orgIds.at(-1);
    if (last === undefined) return;
    total.unclean += await reconcileAll(orgIds, lookAgainAfterMs);
    total.organizations += orgIds.length;
    setCurrentDetails(`${total.organizations} organizations, ${total.unclean} of them do not agree`);
    cursor = last;
  }
  await continueAsNew<typeof trustReconciliationWorkflow>({ lookAgainAfterMs, after: cursor, found: total });
}

/** Answers how many do not agree on the second look either. */
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
