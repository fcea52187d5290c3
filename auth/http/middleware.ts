// What every answer of the service has: a request id, the error body of the contract, and headers against caching and
// framing. Contract 1.
import type { Logger } from 'pino';
import { isUnavailable } from '../../db/faults.ts';
import { newId } from '../../db/ids.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Middleware, RequestContext } from './state.ts';

const WELL_FORMED_ID = /^[A-Za-z0-9_-]{8,128}$/;
const RETRY_AFTER_SECONDS = 2;

/** Keeps a well-formed `X-Request-Id`, or makes one. */
export function nameRequests(): Middleware {
  return (ctx, next) => {
    const given = ctx.req.headers['x-request-id'];
    const requestId = typeof given === 'string' && WELL_FORMED_ID.test(given) ? given : newId('request');
    ctx.state = { requestId, pattern: null };
    ctx.set('X-Request-Id', requestId);
    return next();
  };
}

/** No answer is kept, framed, or named to the next site: tokens pass through addresses and bodies here. */
export function protectAnswers(): Middleware {
  return (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    return next();
  };
}

/** One line for each request, with the pattern of its path and never its query. */
export function logRequests(logger: Logger): Middleware {
  return async (ctx, next) => {
    const startedMs = performance.now();
    await next();
    const { requestId, pattern } = ctx.state;
    const ms = Math.round((performance.now() - startedMs) * 10) / 10;
    logger.info({ requestId, method: ctx.method, route: pattern ?? 'none', status: ctx.status, ms }, 'request');
  };
}

/** Answers every error with the body of Spec 2.10; what is no refusal is logged and told without its insides. */
export function answerErrors(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      answer(ctx, refusalOf(error, ctx.state.requestId, logger));
    }
  };
}

function refusalOf(error: unknown, requestId: string, logger: Logger): DomainError {
  if (error instanceof DomainError) return error;
  if (isUnavailable(error)) {
    logger.warn({ requestId, reason: error instanceof Error ? error.message : String(error) }, 'the database is away');
    return new DomainError('service_unavailable', 'The database cannot be reached. Try again shortly.');
  }
  logger.error({ requestId, err: error }, 'unexpected error');
  return new DomainError('internal_error', 'Something went wrong. Name the request id when you ask for help.');
}

function answer(ctx: RequestContext, refusal: DomainError): void {
  const { code, message, details, status } = refusal;
  ctx.status = status;
  ctx.body = { error: code, message, details, requestId: ctx.state.requestId };
  if (code === 'service_unavailable' || code === 'rate_limited') {
    ctx.set('Retry-After', String(details.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  }
}
