/**
 * The daily reconciliation of every organization, page by page, started by a schedule. A mismatch is checked again a
 * little later, since an operator may be fixing it, and then raises an alert. An organization whose books cannot be
 * checked holds up no other.
 */
import { continueAsNew, log, rootCause, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { StatementCover, TrustReconciliationInput } from '../../contracts/trust.ts';
import { isLasting } from '../machinery/failures.ts';
import { RECONCILING } from '../machinery/options.ts';
import { activitiesOn } from '../machinery/queues.ts';
import { readCardStatement, reconcile } from '../machinery/reconciliation.ts';

const { organizationsAfter } = activitiesOn('batch', { ...RECONCILING, summary: 'next organizations' });

const PAGE = 50;
const LOOK_AGAIN_AFTER_MS = 60_000;
const AT_ONCE = 8;
/**
 * Organizations per run, some twenty events each; the next run continues, so histories stay short however many there
 * are.
 */
const ORGANIZATIONS_OF_A_RUN = 150;

export async function trustReconciliationWorkflow(input: TrustReconciliationInput = {}): Promise<void> {
  const { after = '', found, lookAgainAfterMs = LOOK_AGAIN_AFTER_MS, page = PAGE } = input;
  const statement = input.statement ?? (await readCardStatement(null));
  const total = { organizations: 0, unclean: 0, failed: 0, ...found };
  let cursor = after;
  for (const last = total.organizations + ORGANIZATIONS_OF_A_RUN; total.organizations < last; ) {
    if (workflowInfo().continueAsNewSuggested) break;
    const orgIds = await organizationsAfter({ after: cursor, limit: page });
    const lastId = orgIds.at(-1);
    if (lastId === undefined) return;
    const { unclean, failed } = await reconcileAll(orgIds, statement, lookAgainAfterMs);
    total.unclean += unclean.length;
    total.failed += failed;
    total.organizations += orgIds.length;
    setCurrentDetails(
      `${total.organizations} organizations, ${total.unclean} of them do not agree, ${total.failed} could not be checked`,
    );
    cursor = lastId;
  }
  await continueAsNew<typeof trustReconciliationWorkflow>({ ...input, statement, after: cursor, found: total });
}

/** The organizations that do not reconcile, and how many could not be checked. */
interface Looked {
  unclean: string[];
  failed: number;
}

/** Returns those that still do not reconcile on the second check. */
async function reconcileAll(
  orgIds: readonly string[],
  statement: StatementCover,
  lookAgainAfterMs: number,
): Promise<Looked> {
  const first = await look(orgIds, statement, false);
  if (first.unclean.length === 0) return first;
  await sleep(lookAgainAfterMs, { summary: `${first.unclean.length} organizations are looked at again` });
  const second = await look(first.unclean, statement, true);
  return { unclean: second.unclean, failed: first.failed + second.failed };
}

async function look(orgIds: readonly string[], statement: StatementCover, isLastLook: boolean): Promise<Looked> {
  const looked: Looked = { unclean: [], failed: 0 };
  for (let i = 0; i < orgIds.length; i += AT_ONCE) {
    const some = orgIds.slice(i, i + AT_ONCE);
    const results = await Promise.all(some.map((orgId) => isClean(orgId, statement, isLastLook)));
    looked.unclean.push(...some.filter((_, n) => results[n] === false));
    looked.failed += results.filter((result) => result === null).length;
  }
  return looked;
}

/** Null if the books could not be checked: the next day's sweep tries again. */
async function isClean(orgId: string, statement: StatementCover, isLastLook: boolean): Promise<boolean | null> {
  try {
    return (await reconcile({ orgId, statement, reconciliationId: null, isLastLook })).isClean;
  } catch (error) {
    if (!isLasting(error)) throw error;
    log.error('The books of an organization could not be checked', { orgId, reason: rootCause(error) });
    return null;
  }
}
