// How often an address, or a session, may ask in a minute. Every answer tells what is left. Contract 1 "Rate headers".
import { Redis } from 'iovalkey';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes, RateLimiterValkey } from 'rate-limiter-flexible';
import type { Config } from '../../config.ts';
import { DomainError } from '../../domain/errors.ts';
import {
  RATE_LIMIT_ANONYMOUS_PER_MINUTE,
  RATE_LIMIT_ENTERPRISE_PER_MINUTE,
  RATE_LIMIT_SANDBOX_PER_MINUTE,
  RATE_LIMIT_STANDARD_PER_MINUTE,
  RATE_LIMIT_WINDOW_SECONDS,
} from '../../domain/limits.ts';
import { openSessionToken } from '../../providers/session-token.ts';
import { readCookie, SESSION_COOKIE } from '../cookies.ts';
import type { Middleware } from './state.ts';

const SESSION_LIMIT: Record<Config['environment'], number> = {
  local: RATE_LIMIT_ENTERPRISE_PER_MINUTE,
  sandbox: RATE_LIMIT_SANDBOX_PER_MINUTE,
  production: RATE_LIMIT_STANDARD_PER_MINUTE,
};
const STORE_TIMEOUT_MS = 250;

export interface RateLimit {
  middleware: Middleware;
  close: () => void;
}

/** Refuses beyond the limit. Who carries a session that we sealed is counted by it, everybody else by the address. */
export function limitRates(config: Pick<Config, 'environment' | 'kvCache' | 'acceptedSecrets'>): RateLimit {
  const store = config.kvCache === null ? null : openStore(config.kvCache);
  const anonymous = limiterOf(RATE_LIMIT_ANONYMOUS_PER_MINUTE, 'auth-address', store);
  const withSession = limiterOf(SESSION_LIMIT[config.environment], 'auth-session', store);
  const middleware: Middleware = async (ctx, next) => {
    const sealed = readCookie(ctx.get('cookie'), SESSION_COOKIE);
    const token = sealed === null ? null : openSessionToken(sealed, ...config.acceptedSecrets.authSecret);
    const limiter = token === null ? anonymous : withSession;
    const { consumedPoints, msBeforeNext } = await consume(limiter, token ?? ctx.ip);
    ctx.set('X-RateLimit-Limit', String(limiter.points));
    ctx.set('X-RateLimit-Remaining', String(Math.max(0, limiter.points - consumedPoints)));
    ctx.set('X-RateLimit-Reset', String(Math.ceil((Date.now() + msBeforeNext) / 1000)));
    if (consumedPoints > limiter.points && ctx.path !== '/healthz') {
      throw tooMany(`More than ${limiter.points} requests in a minute.`, msBeforeNext / 1000);
    }
    await next();
  };
  return { middleware, close: () => store?.disconnect() };
}

/** Builds the refusal of what was tried too often. Spec 7. */
export function tooMany(message: string, seconds: number): DomainError {
  return new DomainError('rate_limited', message, { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) });
}

function limiterOf(points: number, keyPrefix: string, storeClient: Redis | null): RateLimiterAbstract {
  const options = { points, duration: RATE_LIMIT_WINDOW_SECONDS, keyPrefix };
  const memory = new RateLimiterMemory(options);
  if (storeClient === null) return memory;
  return new RateLimiterValkey({ ...options, storeClient, insuranceLimiter: memory, rejectIfValkeyNotReady: true });
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) return error;
    throw error;
  }
}

/** While the store is away, each process counts for itself. */
function openStore(url: string): Redis {
  const store = new Redis(url.replace(/^valkey/, 'redis'), {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: STORE_TIMEOUT_MS,
  });
  store.on('error', () => {});
  return store;
}
