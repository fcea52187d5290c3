/**
 * The daily reconciliation of every organization, page by page. A mismatch is checked again a little later, since an
 * operator may be mending it, and then raises an alert. Started by a schedule.
 */
import { continueAsNew, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { StatementCover, TrustReconciliationInput } from '../../contracts/trust.ts';
import { RECONCILING } from '../machinery/options.ts';
import { activitiesOn } from '../machinery/queues.ts';
import { readStatement, reconcile } from '../machinery/reconciliation.ts';

const { organizationsAfter } = activitiesOn('batch', { ...RECONCILING, summary: 'next organizations' });

const PAGE = 50;
const LOOK_AGAIN_AFTER_MS = 60_000;
const AT_ONCE = 8;
/**
 * Organizations of a run, some twenty events each; the next run goes on, so histories stay short however many there
 * are.
 */
const ORGANIZATIONS_OF_A_RUN = 150;

export async function trustReconciliationWorkflow(input: TrustReconciliationInput = {}): Promise<void> {
  const { after = '', found, lookAgainAfterMs = LOOK_AGAIN_AFTER_MS, page = PAGE } = input;
  const statement = input.statement ?? (await readStatement(null));
  const total = { organizations: 0, unclean: 0, ...found };
  let cursor = after;
  for (const last = total.organizations + ORGANIZATIONS_OF_A_RUN; total.organizations < last; ) {
    if (workflowInfo().continueAsNewSuggested) break;
    const orgIds = await organizationsAfter({ after: cursor, limit: page });
    const lastId = orgIds.at(-1);
    if (lastId === undefined) return;
    total.unclean += await reconcileAll(orgIds, statement, lookAgainAfterMs);
    total.organizations += orgIds.length;
    setCurrentDetails(`${total.organizations} organizations, ${total.unclean} of them do not agree`);
    cursor = lastId;
  }
  await continueAsNew<typeof trustReconciliationWorkflow>({ ...input, statement, after: cursor, found: total });
}

/** Answers how many still do not agree on the second check. */
async function reconcileAll(
  orgIds: readonly string[],
  statement: StatementCover,
  lookAgainAfterMs: number,
): Promise<number> {
  const doubtful = await unclean(orgIds, statement, false);
  if (doubtful.length === 0) return 0;
  await sleep(lookAgainAfterMs, { summary: `${doubtful.length} organizations are looked at again` });
  return (await unclean(doubtful, statement, true)).length;
}

async function unclean(orgIds: readonly string[], statement: StatementCover, isLastLook: boolean): Promise<string[]> {
  const found: string[] = [];
  for (let i = 0; i < orgIds.length; i += AT_ONCE) {
    const some = orgIds.slice(i, i + AT_ONCE);
    const look = (orgId: string) => reconcile({ orgId, statement, reconciliationId: null, isLastLook });
    const results = await Promise.all(some.map(look));
    found.push(...some.filter((_, n) => results[n]?.isClean === false));
  }
  return found;
}
