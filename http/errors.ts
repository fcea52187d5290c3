// How errors become responses. A refusal is shown; an unreachable server is a 503; anything else is a bug: logged with
// its stack under the request id and returned without details. Spec 2.10, 7, Contract 1.
import { OptimisticLockError } from '@mikro-orm/core';
import type { Logger } from 'pino';
import { isContention, isUnavailable } from '../db/faults.ts';
import { DomainError, type ErrorCode, isNotSetUp } from '../domain/errors.ts';

const RETRY_AFTER_SECONDS = 2;

/** The JSON of an error. Spec 2.10. */
export interface ErrorBody {
  error: string;
  message: string;
  details: Record<string, unknown>;
  requestId: string;
}

/** Builds the JSON of a refusal. Spec 2.10. */
export function errorBody(error: DomainError, requestId: string): ErrorBody {
  return { error: error.code, message: error.message, details: error.details, requestId };
}

/** Returns the refusal to respond with for an error; logs errors that are not refusals. */
export function answeredError(error: unknown, requestId: string, logger: Logger): DomainError {
  if (error instanceof DomainError) return error;
  if (isContention(error)) {
    logger.warn({ requestId, reason: messageOf(error) }, 'a transaction gave way to another one');
    return new DomainError('service_unavailable', 'Another call is changing the same data. Try again shortly.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (isUnavailable(error)) {
    logger.warn({ requestId, reason: messageOf(error) }, 'the database is unavailable');
    return new DomainError('service_unavailable', 'The database cannot be reached. Try again shortly.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (error instanceof OptimisticLockError) {
    return new DomainError('precondition_failed', 'Another call changed the resource at the same time. Read it again.');
  }
  logger.error({ requestId, err: error instanceof Error ? error : new Error(String(error)) }, 'unexpected error');
  return new DomainError('internal_error', 'Something went wrong. Quote the request id when you ask for help.');
}

/** Whether waiting can cure a refusal, so that it gets a `Retry-After`. */
export function isWorthRetrying(code: ErrorCode): boolean {
  return code === 'service_unavailable' || code === 'rate_limited' || code === 'idempotency_in_progress';
}

/** Returns the value of `Retry-After`; null for a refusal that waiting cannot cure. */
export function retryAfterOf(error: DomainError): string | null {
  if (!isWorthRetrying(error.code) || isNotSetUp(error)) return null;
  return String(error.details.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
