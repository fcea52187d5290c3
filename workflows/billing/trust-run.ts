/**
 * A reconciliation of one organization, started by a person: the update opens it, and the checks follow. While it
 * runs, anyone starting another gets this one. Healing restarts one that fails or is lost.
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
import { readCardStatement, reconcile } from '../machinery/reconciliation.ts';

const { openReconciliation } = proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function trustRunWorkflow({ orgId, reconciliationId }: TrustRunInput): Promise<void> {
  const run: { opening?: Promise<OpenedRun> } = {};
  if (reconciliationId !== undefined) run.opening = Promise.resolve({ reconciliationId });
  setHandler(
    startRunUpdate,
    (command) => {
      run.opening ??= openReconciliation(command);
      return run.opening;
    },
    { description: 'Opens a reconciliation, or returns the one that is under way.' },
  );
  await condition(() => run.opening !== undefined);
  await run.opening?.then(
    (opened) => check(orgId, opened),
    () => setCurrentDetails('It could not be opened.'),
  );
  await condition(allHandlersFinished);
}

async function check(orgId: string, { reconciliationId }: OpenedRun): Promise<void> {
  setCurrentDetails('The card statement is read');
  const statement = await readCardStatement(orgId);
  setCurrentDetails('The books are being checked');
  const { isClean, failed } = await reconcile({ orgId, statement, reconciliationId, isLastLook: true });
  setCurrentDetails(isClean ? 'The books agree' : `The books **disagree** (${failed.join(', ')})`);
}
