// Rate limits per minute for an address or session. Every response shows what is left. Contract 1 "Rate headers".
import { createHash } from 'node:crypto';
import type { AuthConfig } from '../../config.ts';
import { DomainError } from '../../domain/errors.ts';
import {
  RATE_LIMIT_ANONYMOUS_PER_MINUTE,
  RATE_LIMIT_ENTERPRISE_PER_MINUTE,
  RATE_LIMIT_SANDBOX_PER_MINUTE,
  RATE_LIMIT_STANDARD_PER_MINUTE,
} from '../../domain/limits.ts';
import { type RateBucket, type RateLimiter, rateHeaders, rateLimited } from '../../http/rate-counters.ts';
import { openSessionToken } from '../../providers/session-token.ts';
import { readCookie, SESSION_COOKIE } from '../cookies.ts';
import type { Middleware, RequestContext } from './state.ts';

const SESSION_LIMIT: Record<AuthConfig['environment'], number> = {
  local: RATE_LIMIT_ENTERPRISE_PER_MINUTE,
  sandbox: RATE_LIMIT_SANDBOX_PER_MINUTE,
  production: RATE_LIMIT_STANDARD_PER_MINUTE,
};

type RateConfig = Pick<AuthConfig, 'environment' | 'acceptedSecrets'>;

/**
 * Refuses calls over the limit; probes are counted separately. Callers with a session that we sealed are counted by
 * session, all others by address.
 */
export function limitRates(config: RateConfig, limiter: RateLimiter, probes: RateLimiter): Middleware {
  return async (ctx, next) => {
    const status = await (ctx.path === '/healthz' ? probes : limiter).count(bucketOf(ctx, config));
    ctx.set(rateHeaders(status));
    if (status.exceeded) throw rateLimited(status);
    await next();
  };
}

/** Builds the refusal for too many attempts. Spec 7. */
export function tooMany(message: string, seconds: number): DomainError {
  return new DomainError('rate_limited', message, { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) });
}

/** Uses the session's hash: the counters may be in a cache that others read. */
function bucketOf(ctx: RequestContext, { environment, acceptedSecrets }: RateConfig): RateBucket {
  const sealed = readCookie(ctx.get('cookie'), SESSION_COOKIE);
  const token = sealed === null ? null : openSessionToken(sealed, ...acceptedSecrets.authSecret);
  if (token === null) return { key: `auth-address:${ctx.state.client}`, perMinute: RATE_LIMIT_ANONYMOUS_PER_MINUTE };
  const hash = createHash('sha256').update(token).digest('hex');
  return { key: `auth-session:${hash}`, perMinute: SESSION_LIMIT[environment] };
}
