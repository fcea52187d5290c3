/** What the failures of Temporal's client mean to a caller of the api. */
import { WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { DomainError } from '../../domain/errors.ts';
import { engineFaultOf, isLost, isUnknownToWorker, refusedUpdate } from '../../providers/temporal-errors.ts';

const RETRY_AFTER_SECONDS = 2;
/** The activities that call the card processor while somebody waits. */
const CALLS_PROCESSOR = new Set(['createIntent', 'refundAtProcessor']);

/**
 * Says that a part cannot be reached now, by default the engine; nothing is half done, and the same command may be sent
 * again.
 */
export function unavailable(reason = 'The workflow engine cannot be reached.'): DomainError {
  return new DomainError('service_unavailable', `${reason} Try again shortly.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/**
 * Says that a command was sent and not answered: it may have been carried out, or may be yet. Its repetition finds out.
 */
export function unknownOutcome(commandId: string): DomainError {
  return new DomainError(
    'service_unavailable',
    'The command was not answered in time and may still be carried out. Repeating the request with the same Idempotency-Key is safe ' +
      'and returns the outcome. Without a key, check what happened before you send it again.',
    { commandId, outcome: 'unknown' },
  );
}

/** Whether a failure is of the server or the line, and may be gone the next moment. A deadline that is over is not. */
export function isPassing(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return false;
  return isLost(error) || (engineFaultOf(error)?.passes ?? false);
}

/**
 * The `DomainError` that a failure stands for; a failure that stands for none is returned as it is and is a bug, of
 * ours or of how the installation is set up. `commandId` names the command that was sent, if one was.
 */
export function engineRefusal(error: unknown, commandId: string | null = null): unknown {
  if (error instanceof WorkflowUpdateFailedError) return ofUpdate(error, commandId);
  if (!engineFaultOf(error)?.passes) return error;
  return commandId === null ? unavailable() : unknownOutcome(commandId);
}

function ofUpdate(error: WorkflowUpdateFailedError, commandId: string | null): unknown {
  if (isLost(error)) return commandId === null ? unavailable() : unknownOutcome(commandId);
  if (isUnknownToWorker(error)) return unavailable('The workers do not know this command yet.');
  const refusal = refusedUpdate(error);
  if (refusal !== null) return refusal.code === 'service_unavailable' ? unavailable(refusal.message) : refusal;
  // All attempts of the activity ran out of time: what it calls was away for longer than it is repeated.
  return error.cause instanceof ActivityFailure ? unavailable(reasonOf(error.cause)) : error;
}

/** What an activity that failed for want of time called. */
function reasonOf({ activityType, cause }: ActivityFailure): string {
  if (cause instanceof ApplicationFailure && cause.type === 'service_unavailable') return cause.message;
  return CALLS_PROCESSOR.has(activityType) ? 'The card processor is unavailable.' : 'The database is unavailable.';
}
