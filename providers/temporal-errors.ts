// Describes a failed call to Temporal: its gRPC code, its cause, and whether it is temporary. For the log lines of api
// and worker, and for the answer to the caller. https://grpc.io/docs/guides/status-codes
import {
  isGrpcServiceError,
  ServiceError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, NamespaceNotFoundError } from '@temporalio/common';
import type { Logger } from 'pino';
import { DomainError, type ErrorDetails, isErrorCode } from '../domain/errors.ts';

/** By number. */
const GRPC_CODES = [
  ...['OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS'],
  ...['PERMISSION_DENIED', 'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED', 'OUT_OF_RANGE', 'UNIMPLEMENTED'],
  ...['INTERNAL', 'UNAVAILABLE', 'DATA_LOSS', 'UNAUTHENTICATED'],
];
/**
 * A server or connection in trouble. Every other code says that the call is wrong or not allowed, which waiting does
 * not cure.
 */
const PASSING = new Set(['CANCELLED', 'UNKNOWN', 'DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED', 'ABORTED', 'UNAVAILABLE']);
const NOT_FOUND = 'NOT_FOUND';
const UNANSWERED = new Set(['DEADLINE_EXCEEDED', 'CANCELLED']);
/** How a connection that breaks mid-response appears, under a code that otherwise means an error. */
const BROKEN_LINE = /RST_STREAM|Call ended without gRPC status/i;
/**
 * The error for an update whose workflow task was discarded because a message came in between; the next task handles
 * that. Updates that arrive before the next task get the same error.
 */
const LOST_TASK = /unexpected workflow task failure|workflow task in failed state/i;
/** The error for a command that may start its workflow, while the server cannot read its namespaces. */
const UNREAD_NAMESPACE = /\bNamespace \S+ is not found/;
/**
 * The server's names for an update that a run did not answer: it was accepted and then the run ended, or it arrived
 * during a burst of others and no worker looked at it.
 */
const LOST_UPDATES: readonly string[] = ['AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate'];

export interface EngineFault {
  /** Name of the gRPC code. */
  grpcCode: string;
  /** The server's or transport's message. */
  cause: string;
  /** Whether the same call may succeed later. */
  passes: boolean;
}

/** Describes an error from Temporal's client; null if it is not about reaching the server. */
export function engineFaultOf(error: unknown): EngineFault | null {
  // This error has lost its gRPC cause. A server just started or restored has the namespace a moment later.
  if (error instanceof NamespaceNotFoundError) return { grpcCode: NOT_FOUND, cause: messageOf(error), passes: true };
  const isWrapper = error instanceof ServiceError || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
  // The native connection's own errors have the wrapper's name but wrap nothing.
  const origin = (isWrapper ? error.cause : null) ?? error;
  if (isGrpcServiceError(origin)) return faultOf(GRPC_CODES[origin.code] ?? 'UNKNOWN', origin.message);
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return faultOf('DEADLINE_EXCEEDED', messageOf(error));
  return isWrapper ? { grpcCode: 'none', cause: messageOf(origin), passes: false } : null;
}

/**
 * Whether a call timed out without a response. At the deadline, the server's end of the call may arrive before our
 * own timeout: it then says that the call was cancelled.
 */
export function isUnanswered(error: unknown): boolean {
  return UNANSWERED.has(engineFaultOf(error)?.grpcCode ?? '');
}

/** Whether the workflow has not answered an update and never will, so that it must be resent. */
export function isLost(error: unknown): boolean {
  return LOST_UPDATES.includes(failureOf(error)?.type ?? '');
}

/**
 * The error an update was refused with; null for any other failure. An unavailable database also counts as a refusal,
 * of this attempt.
 */
export function refusedUpdate(error: unknown): DomainError | null {
  const { type, message, details } = failureOf(error) ?? {};
  if (!isErrorCode(type)) return null;
  return new DomainError(type, message ?? '', (details?.[0] ?? {}) as ErrorDetails);
}

/**
 * Whether the workflow runs on a worker older than the command, which was refused before anything happened. The SDK
 * gives this failure no type.
 */
export function isUnknownToWorker(error: unknown): boolean {
  return failureOf(error)?.message.startsWith('No registered handler for update: ') ?? false;
}

function failureOf(error: unknown): ApplicationFailure | null {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : null;
  return cause instanceof ApplicationFailure ? cause : null;
}

/** Logs an engine fault with its code and cause; ignores any other error. */
export function logEngineFault(logger: Logger, error: unknown, fields: Readonly<Record<string, unknown>>): void {
  const fault = engineFaultOf(error);
  if (fault === null) return;
  const { grpcCode, cause, passes } = fault;
  // A missing namespace may have been forgotten when the installation was set up.
  logger[passes && grpcCode !== NOT_FOUND ? 'warn' : 'error'](
    { ...fields, grpcCode, cause },
    'a call to Temporal failed',
  );
}

function faultOf(grpcCode: string, cause: string): EngineFault {
  const isBrokenLine = grpcCode === 'INTERNAL' && BROKEN_LINE.test(cause);
  const isLostTask = grpcCode === 'FAILED_PRECONDITION' && LOST_TASK.test(cause);
  const isUnreadNamespace = grpcCode === NOT_FOUND && UNREAD_NAMESPACE.test(cause);
  return { grpcCode, cause, passes: PASSING.has(grpcCode) || isBrokenLine || isLostTask || isUnreadNamespace };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
