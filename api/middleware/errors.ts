// The one place where errors become answers. A refusal is shown; a server that is away is 503; anything else is a bug:
// logged with its stack under the request id and answered without its insides. Spec 2.10, 7, Contract 1.
import { OptimisticLockError } from '@mikro-orm/core';
import type { Logger } from 'pino';
import { isUnavailable } from '../../db/faults.ts';
import { DomainError } from '../../domain/errors.ts';
import { errorBody } from '../reply.ts';
import type { Middleware, RequestContext } from './state.ts';

const RETRY_AFTER_SECONDS = 2;

/** A refusal that says something in headers too. */
export class RefusalWithHeaders extends DomainError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(refusal: Pick<DomainError, 'code' | 'message' | 'details'>, headers: Readonly<Record<string, string>>) {
    super(refusal.code, refusal.message, refusal.details);
    this.headers = headers;
  }
}

/** Answers every error with the body of Spec 2.10. */
export function answerErrors({ logger }: { logger: Logger }): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      answer(ctx, refusalOf(error, ctx.state.requestId, logger));
    }
  };
}

/** Gives the refusal that an error is told as; what is no refusal is logged. */
export function refusalOf(error: unknown, requestId: string, logger: Logger): DomainError {
  if (error instanceof DomainError) return error;
  if (isUnavailable(error)) {
    logger.warn({ requestId, reason: messageOf(error) }, 'the database is away');
    return new DomainError('service_unavailable', 'The database cannot be reached. Try again shortly.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (error instanceof OptimisticLockError) {
    return new DomainError('precondition_failed', 'The resource was changed by another call at the same time.');
  }
  logger.error({ requestId, err: error instanceof Error ? error : new Error(String(error)) }, 'unexpected error');
  return new DomainError('internal_error', 'Something went wrong. Name the request id when you ask for help.');
}

function answer(ctx: RequestContext, refusal: DomainError): void {
  ctx.status = refusal.status;
  ctx.body = errorBody(refusal, ctx.state.requestId);
  ctx.set('Cache-Control', 'no-store');
  if (refusal instanceof RefusalWithHeaders) ctx.set(refusal.headers);
  if (refusal.code === 'unauthenticated') ctx.set('WWW-Authenticate', 'Bearer');
  if (refusal.code === 'service_unavailable' || refusal.code === 'rate_limited') {
    ctx.set('Retry-After', String(refusal.details.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
