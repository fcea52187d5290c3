/**
 * Makes one version of a bordereau: its files and its sums. The row says what it is; one that cannot be made says why.
 * Domain facts 3.10.
 */
import { ApplicationFailure, setCurrentDetails } from '@temporalio/workflow';
import type { BordereauWorkflowInput } from '../contracts/bordereau.ts';
import { innerFailure, isStepFailure } from './machinery/failures.ts';
import { RECONCILING, REPORTING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { makeBordereau } = activitiesOn('reports', REPORTING);
const { failBordereau } = activitiesOn('batch', RECONCILING);

export async function bordereauWorkflow(input: BordereauWorkflowInput): Promise<void> {
  try {
    const { rowCount } = await makeBordereau(input);
    setCurrentDetails(`${input.bordereauId}: ${rowCount} rows`);
  } catch (error) {
    if (!isStepFailure(error)) throw error;
    await failBordereau({ ...input, code: codeOf(error) });
    setCurrentDetails('It cannot be made.');
  }
}

/** The code of a fault; a worker that never came back gives none. */
function codeOf(error: unknown): string {
  const cause = innerFailure(error);
  return (cause instanceof ApplicationFailure && cause.type) || 'internal_error';
}
