// The one place where errors become API responses. Spec 2.10, 7, Contract 1.
import type { Logger } from 'pino';
import { DomainError } from '../../../domain/errors.ts';
import { answeredError, errorBody, retryAfterOf } from '../../../http/errors.ts';
import type { Middleware, RequestContext } from './state.ts';

/** A refusal that also sets headers. */
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
      answer(ctx, answeredError(error, ctx.state.requestId, logger));
    }
  };
}

function answer(ctx: RequestContext, refusal: DomainError): void {
  ctx.status = refusal.status;
  ctx.body = errorBody(refusal, ctx.state.requestId);
  ctx.set('Cache-Control', 'no-store');
  if (refusal instanceof RefusalWithHeaders) ctx.set(refusal.headers);
  if (refusal.code === 'unauthenticated') ctx.set('WWW-Authenticate', 'Bearer');
  const retryAfter = retryAfterOf(refusal);
  if (retryAfter !== null) ctx.set('Retry-After', retryAfter);
}
