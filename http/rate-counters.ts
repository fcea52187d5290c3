// Rate limits: fixed one-minute windows, counted in this process or, with KV_CACHE, in Valkey or Redis for all
// processes together. Every response shows what is left. Spec 8.1, Contract 1 "Rate headers".
import { Redis } from 'iovalkey';
import type { Logger } from 'pino';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes, RateLimiterValkey } from 'rate-limiter-flexible';
import { DomainError } from '../domain/errors.ts';
import { RATE_LIMIT_WINDOW_SECONDS } from '../domain/limits.ts';

const STORE_TIMEOUT_MS = 250;
const STORE_RETRY_MS = 1_000;

/** The library's script, in commands known to both Valkey and Redis. Returns the count and the time left. */
const COUNT_SCRIPT = `
redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
local consumed = redis.call('incrby', KEYS[1], ARGV[1])
return {consumed, redis.call('pttl', KEYS[1])}
`;

/** What is counted together, and how much is allowed per minute. */
export interface RateBucket {
  key: string;
  perMinute: number;
}

export interface RateStatus {
  limit: number;
  remaining: number;
  msToReset: number;
  exceeded: boolean;
}

export interface RateLimiter {
  count: (bucket: RateBucket) => Promise<RateStatus>;
  close: () => Promise<void>;
}

/**
 * Builds the counters. While the shared store is down, every process counts for itself: refusing everyone would turn a
 * cache outage into a platform outage. The log records when it goes down and comes back.
 */
export function createRateLimiter(options: { kvCache: string | null; logger: Logger }): RateLimiter {
  const store = options.kvCache === null ? null : openStore(options.kvCache, options.logger);
  const limiters = new Map<number, RateLimiterAbstract>();
  const limiterOf = (perMinute: number): RateLimiterAbstract => {
    const known = limiters.get(perMinute);
    if (known) return known;
    const made = makeLimiter(perMinute, store);
    limiters.set(perMinute, made);
    return made;
  };
  return {
    count: async ({ key, perMinute }) => statusOf(await consume(limiterOf(perMinute), key), perMinute),
    close: async () => store?.disconnect(),
  };
}

/**
 * Builds the counters of probes (health, readiness, measurements), which are separate from those of other calls and
 * never shared: a prober checks every process, and no caller may use up its limit. Decision 0144.
 */
export function createProbeLimiter(logger: Logger): RateLimiter {
  return createRateLimiter({ kvCache: null, logger });
}

/** Returns the rate headers of a response. `X-RateLimit-Reset` is the Unix second when the window ends. */
export function rateHeaders({ limit, remaining, msToReset }: Omit<RateStatus, 'exceeded'>): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil((Date.now() + msToReset) / 1000)),
  };
}

/** Builds the refusal of a call over the limit. Spec 7. */
export function rateLimited(status: RateStatus): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil(status.msToReset / 1000));
  return new DomainError('rate_limited', `You have sent more than ${status.limit} requests in a minute.`, {
    limit: status.limit,
    retryAfterSeconds,
  });
}

function makeLimiter(points: number, storeClient: Redis | null): RateLimiterAbstract {
  const options = { points, duration: RATE_LIMIT_WINDOW_SECONDS, keyPrefix: `rate:${points}` };
  const memory = new RateLimiterMemory(options);
  if (storeClient === null) return memory;
  return new RateLimiterValkey({
    ...options,
    storeClient,
    insuranceLimiter: memory,
    rejectIfValkeyNotReady: true,
    customIncrTtlLuaScript: COUNT_SCRIPT,
  });
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) return error;
    throw error;
  }
}

function statusOf(result: RateLimiterRes, limit: number): RateStatus {
  const { consumedPoints, msBeforeNext } = result;
  return {
    limit,
    remaining: Math.max(0, limit - consumedPoints),
    msToReset: Math.max(0, msBeforeNext),
    exceeded: consumedPoints > limit,
  };
}

function openStore(url: string, logger: Logger): Redis {
  const store = new Redis(url.replace(/^valkey/, 'redis'), {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: STORE_TIMEOUT_MS,
    retryStrategy: () => STORE_RETRY_MS,
  });
  let isAway = false;
  store.on('error', (error: Error) => {
    if (!isAway)
      logger.warn(
        { reason: error.message },
        'the shared rate counters are unavailable: this process counts for itself',
      );
    isAway = true;
  });
  store.on('ready', () => {
    if (isAway) logger.info('the shared rate counters are back');
    isAway = false;
  });
  return store;
}
