// Counts API calls and shows what is left on every response. Spec 8.1, Contract 1 "Rate headers".
import { RATE_LIMIT_ANONYMOUS_PER_MINUTE } from '../../../domain/limits.ts';
import { type RateBucket, type RateLimiter, type RateStatus, rateHeaders } from '../../../http/rate-counters.ts';
import type { Middleware, RequestContext } from './state.ts';

/** The bucket of a client that calls without a credential. Contract 1. */
export function anonymousBucket(client: string): RateBucket {
  return { key: `address:${client}`, perMinute: RATE_LIMIT_ANONYMOUS_PER_MINUTE };
}

/** Counts a request and sets the rate headers on its response. Returns whether the limit is exceeded. */
export async function rate(ctx: RequestContext, limiter: RateLimiter, bucket: RateBucket): Promise<RateStatus> {
  const status = await limiter.count(bucket);
  ctx.set(rateHeaders(status));
  ctx.state.rated = true;
  return status;
}

/**
 * Counts as anonymous whatever was answered before the caller was known, such as an unknown path. It is never refused.
 */
export function rateTheRest(limiter: RateLimiter): Middleware {
  return async (ctx, next) => {
    await next();
    if (!ctx.state.rated) await rate(ctx, limiter, anonymousBucket(ctx.state.client));
  };
}
