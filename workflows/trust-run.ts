/** A reconciliation of one organization that a person starts: the update opens it, and the checks follow. */
import { allHandlersFinished, condition, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { startRunUpdate, type TrustRunInput } from '../contracts/trust.ts';
import { ONE_TRANSACTION } from './machinery/options.ts';
import { readStatement, reconcile } from './machinery/reconciliation.ts';

const { openReconciliation } = proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function trustRunWorkflow({ orgId, reconciliationId }: TrustRunInput): Promise<void> {
  let isAnswered = false;
  let isOpen = false;
  setHandler(
    startRunUpdate,
    async (command) => {
      try {
        const opened = await openReconciliation(command);
        isOpen = true;
        return opened;
      } finally {
        isAnswered = true;
      }
    },
    { description: 'Opens a reconciliation.' },
  );
  await condition(() => isAnswered);
  if (isOpen) {
    const statement = await readStatement(orgId);
    await reconcile({ orgId, statement, reconciliationId, isLastLook: true });
  }
  await condition(allHandlersFinished);
}
