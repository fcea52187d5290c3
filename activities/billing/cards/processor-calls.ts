// Calls of the card processor by an activity: while it is away they are tried again, and a refusal is final.
import { ApplicationFailure } from '@temporalio/common';
import { DomainError } from '../../../domain/errors.ts';
import { activityFailure, type Deps, type Step } from '../../context.ts';

/** Waits for a call; throws what the activity fails with. */
export async function atProcessor<T>(deps: Deps, step: Step, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw processorFailure(deps, step, error);
  }
}

/** What an activity fails with after a call of the processor. */
export function processorFailure(deps: Deps, step: Step, error: unknown): unknown {
  if (error instanceof DomainError && error.code === 'service_unavailable') {
    return ApplicationFailure.retryable('The card processor is unavailable.', 'service_unavailable');
  }
  return activityFailure(deps, step, error);
}
