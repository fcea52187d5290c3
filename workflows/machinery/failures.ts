/** How business refusals cross workflow boundaries: as an `ApplicationFailure` whose type is the error code. */
import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { DomainError } from '../../domain/errors.ts';

/** Turns a pure rule's refusal into the failure that an update's caller gets. */
export function asFailure(rule: () => void): void {
  try {
    rule();
  } catch (error) {
    if (error instanceof DomainError) throw ApplicationFailure.nonRetryable(error.message, error.code, error.details);
    throw error;
  }
}

/** The failure that the activity itself threw, without its wrapper: its type is the error code. */
export function innerFailure(error: unknown): unknown {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : error;
}

/**
 * Whether an activity has failed for good. A regular one fails with a wrapper that names it, a local one with the
 * failure itself.
 */
export function isStepFailure(error: unknown): error is ActivityFailure | ApplicationFailure {
  return error instanceof ActivityFailure || error instanceof ApplicationFailure;
}

/** Whether an activity has failed for good, other than by the workflow's cancellation. */
export function isLasting(error: unknown): boolean {
  return isStepFailure(error) && !isCancellation(error);
}

/** Whether an activity refused, so that nothing was written; after any other failure we do not know what it did. */
export function isRefusal(error: unknown): boolean {
  const cause = innerFailure(error);
  return cause instanceof ApplicationFailure && (cause.nonRetryable ?? false) && cause.type !== 'internal_error';
}
