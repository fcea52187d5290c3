// An activity's calls to the card processor: an outage is retried, a refusal is final.
import { ApplicationFailure } from '@temporalio/common';
import { DomainError } from '../../../domain/errors.ts';
import { activityFailure, type Deps, type Step } from '../../context.ts';

/** Awaits a call; throws the activity's failure. */
export async function atProcessor<T>(deps: Deps, step: Step, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw processorFailure(deps, step, error);
  }
}

/** An activity's failure after a call to the processor. */
export function processorFailure(deps: Deps, step: Step, error: unknown): unknown {
  if (error instanceof DomainError && error.code === 'service_unavailable') {
    return ApplicationFailure.retryable('The card processor is unavailable.', 'service_unavailable');
  }
  return activityFailure(deps, step, error);
}
