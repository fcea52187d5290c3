/** What Temporal client failures mean to a caller of the api. */
import { WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { DomainError, isNotSetUp, unknownOutcome } from '../../domain/errors.ts';
import { engineFaultOf, isLost, isUnknownToWorker, refusedUpdate } from '../../providers/temporal-errors.ts';

const RETRY_AFTER_SECONDS = 2;
/** The activities that call the card processor while a caller waits. */
const CALLS_PROCESSOR = new Set(['createIntent', 'refundAtProcessor']);

/**
 * The error for a part that cannot be reached now, by default the engine; nothing is half done, and the same command
 * may be sent again.
 */
export function unavailable(reason = 'The workflow engine cannot be reached.'): DomainError {
  return new DomainError('service_unavailable', `${reason} Try again shortly.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** Whether a failure is in the server or connection and may pass in a moment. An expired deadline is not. */
export function isPassing(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return false;
  return isLost(error) || (engineFaultOf(error)?.passes ?? false);
}

/**
 * The `DomainError` that a failure represents. Any other failure is returned unchanged: it is a bug, ours or in the
 * setup of the installation. `commandId` is the command that was sent, if any.
 */
export function engineRefusal(error: unknown, commandId: string | null = null): unknown {
  if (error instanceof WorkflowUpdateFailedError) return ofUpdate(error, commandId);
  if (!engineFaultOf(error)?.passes) return error;
  return commandId === null ? unavailable() : unknownOutcome(commandId);
}

function ofUpdate(error: WorkflowUpdateFailedError, commandId: string | null): unknown {
  if (isLost(error)) return commandId === null ? unavailable() : unknownOutcome(commandId);
  if (isUnknownToWorker(error)) return unavailable('The workers do not support this command yet.');
  const refusal = refusedUpdate(error);
  if (refusal !== null) {
    const isOutage = refusal.code === 'service_unavailable' && !isNotSetUp(refusal);
    return isOutage ? unavailable(refusal.message) : refusal;
  }
  // All attempts of the activity timed out: what it calls was down for longer than the retries last.
  return error.cause instanceof ActivityFailure ? unavailable(reasonOf(error.cause)) : error;
}

/** What a timed-out activity was calling. */
function reasonOf({ activityType, cause }: ActivityFailure): string {
  if (cause instanceof ApplicationFailure && cause.type === 'service_unavailable') return cause.message;
  return CALLS_PROCESSOR.has(activityType) ? 'The card processor is unavailable.' : 'The database is unavailable.';
}
