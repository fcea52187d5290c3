/**
 * Makes one version of a bordereau: its files and totals. The row says what it is and, if it cannot be made, why.
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

/** A fault's code; a worker that never came back has none. */
function codeOf(error: unknown): string {
  const cause = innerFailure(error);
  return (cause instanceof ApplicationFailure && cause.type) || 'internal_error';
}
