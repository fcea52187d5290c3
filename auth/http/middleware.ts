// Every response of the service has a request id, the contract's error body, and a header against caching. Contract 1.
import type { Logger } from 'pino';
import type { DomainError } from '../../domain/errors.ts';
import { clientOf } from '../../http/client-address.ts';
import { answeredError, errorBody, retryAfterOf } from '../../http/errors.ts';
import { requestIdFrom } from '../../http/request-id.ts';
import type { Middleware, RequestContext } from './state.ts';

/** Keeps a well-formed `X-Request-Id`, or makes one. */
export function nameRequests(): Middleware {
  return (ctx, next) => {
    const requestId = requestIdFrom(ctx.req.headers['x-request-id']);
    ctx.state = { requestId, client: clientOf(ctx.ip), pattern: null };
    ctx.set('X-Request-Id', requestId);
    return next();
  };
}

/** No response may be cached: addresses and bodies carry tokens here. */
export function keepNothing(): Middleware {
  return (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    return next();
  };
}

/** One line per request, with the pattern of its path and never its query. */
export function logRequests(logger: Logger): Middleware {
  return async (ctx, next) => {
    const startedMs = performance.now();
    await next();
    const { requestId, pattern } = ctx.state;
    const ms = Math.round((performance.now() - startedMs) * 10) / 10;
    logger.info({ requestId, method: ctx.method, route: pattern ?? 'none', status: ctx.status, ms }, 'request');
  };
}

/** Answers every error with the body of Spec 2.10; a fault is logged and returned without details. */
export function answerErrors(logger: Logger): Middleware {
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
  const retryAfter = retryAfterOf(refusal);
  if (retryAfter !== null) ctx.set('Retry-After', retryAfter);
}
