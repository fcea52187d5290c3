/** How business refusals cross the edges of a workflow: as an `ApplicationFailure` whose type is the error code. */
import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { DomainError } from '../../domain/errors.ts';

/** Turns the refusal of a pure rule into the failure that the caller of an update is given. */
export function asFailure(rule: () => void): void {
  try {
    rule();
  } catch (error) {
    if (error instanceof DomainError) throw ApplicationFailure.nonRetryable(error.message, error.code, error.details);
    throw error;
  }
}

/** The failure an activity itself threw instead of the wrapper that names the activity: its type is the error code. */
export function innerFailure(error: unknown): unknown {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : error;
}

/**
 * Whether an activity has failed for good. A regular one fails in a wrapper that names it, a local one with the failure
 * itself.
 */
export function isStepFailure(error: unknown): error is ActivityFailure | ApplicationFailure {
  return error instanceof ActivityFailure || error instanceof ApplicationFailure;
}

/** Whether an activity has failed for good, and not because the workflow is cancelled. */
export function isLasting(error: unknown): boolean {
  return isStepFailure(error) && !isCancellation(error);
}

/** Whether an activity refused, so that nothing was written; after any other failure we do not know what it did. */
export function isRefusal(error: unknown): boolean {
  const cause = innerFailure(error);
  return cause instanceof ApplicationFailure && (cause.nonRetryable ?? false) && cause.type !== 'internal_error';
}
