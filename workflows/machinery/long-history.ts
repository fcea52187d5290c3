/** When a run hands over to the next, so that its history stays short. */
import { workflowInfo } from '@temporalio/workflow';

/** Events per run. Temporal suggests continue-as-new at 4,096 events, which is later than we want. */
const LONGEST_HISTORY = 2_500;

/** Whether to continue as new: Temporal suggests it, or soon would. */
export function isLong(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength >= LONGEST_HISTORY;
}
