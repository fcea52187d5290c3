/**
 * A reconciliation of one organization that a person starts: the update opens it, and the checks follow. While it is
 * under way, everybody who starts another one is answered with it.
 */
import {
  allHandlersFinished,
  condition,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import { type OpenedRun, startRunUpdate, type TrustRunInput } from '../../contracts/trust.ts';
import { ONE_TRANSACTION } from '../machinery/options.ts';
import { readStatement, reconcile } from '../machinery/reconciliation.ts';

const { openReconciliation } = proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function trustRunWorkflow({ orgId }: TrustRunInput): Promise<void> {
  const run: { opening?: Promise<OpenedRun> } = {};
  setHandler(
    startRunUpdate,
    (command) => {
      run.opening ??= openReconciliation(command);
      return run.opening;
    },
    { description: 'Opens a reconciliation, or answers with the one that is under way.' },
  );
  await condition(() => run.opening !== undefined);
  await run.opening?.then(
    (opened) => check(orgId, opened),
    () => setCurrentDetails('It could not be opened.'),
  );
  await condition(allHandlersFinished);
}

async function check(orgId: string, { reconciliationId, date }: OpenedRun): Promise<void> {
  setCurrentDetails(`Books of ${date}: the card statement is read`);
  const statement = await readStatement(orgId);
  setCurrentDetails(`Books of ${date}: being checked`);
  const { isClean, failed } = await reconcile({ orgId, statement, reconciliationId, isLastLook: true });
  setCurrentDetails(`Books of ${date}: ${isClean ? 'clean' : `**they disagree** (${failed.join(', ')})`}`);
}
