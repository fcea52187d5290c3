// The gate every call passes: who is calling, and whether they are within their limit. Contract 1 "Order of checks",
// "Rate headers".
import type { ApiConfig } from '../../config.ts';
import {
  RATE_LIMIT_ENTERPRISE_PER_MINUTE,
  RATE_LIMIT_INGEST_PER_MINUTE,
  RATE_LIMIT_MESSAGES_PER_MINUTE,
  RATE_LIMIT_SANDBOX_PER_MINUTE,
  RATE_LIMIT_STANDARD_PER_MINUTE,
} from '../../domain/limits.ts';
import { createProbeLimiter, type RateBucket, type RateLimiter, rateLimited } from '../../http/rate-counters.ts';
import { recordRejection } from '../credentials/audit.ts';
import type { Authenticate, Caller } from '../credentials/caller.ts';
import { CredentialRejected } from '../credentials/rejected.ts';
import type { RuntimeDeps } from './deps.ts';
import { anonymousBucket, rate } from './middleware/rate-limit.ts';
import type { RequestContext } from './middleware/state.ts';
import type { RateClass } from './route.ts';

/** Inbound webhooks per sender address: a provider has few addresses, sends in bursts and retries what is refused. */
const RATE_LIMIT_WEBHOOK_PER_MINUTE = 10_000;

export interface Gate {
  /**
   * Lets a caller through. `place` finds the organization named by a caller without a home; a refusal is recorded
   * there.
   * @throws DomainError unauthenticated, rate_limited
   */
  pass: (ctx: RequestContext, rateClass: RateClass, place: (caller: Caller) => Promise<unknown>) => Promise<Caller>;
  /** @throws DomainError rate_limited */
  passAnonymous: (ctx: RequestContext, rateClass: RateClass) => Promise<void>;
}

/** Builds the gate. */
export function createGate(deps: RuntimeDeps, authenticate: Authenticate, limiter: RateLimiter): Gate {
  const probes = createProbeLimiter(deps.logger);
  return {
    pass: async (ctx, rateClass, place) => {
      const caller = await authenticate(ctx.req).catch((error: unknown) => refused(error, ctx, deps, limiter));
      ctx.state.actor = { kind: caller.kind, id: caller.id };
      ctx.state.orgId = caller.home?.id ?? null;
      const status = await rate(ctx, limiter, bucketOf(caller, rateClass, deps.config));
      if (!status.exceeded) return caller;
      // The named organization may be missing or unknown: the caller is rate limited all the same.
      if (caller.home === null) await place(caller).catch(() => null);
      throw rateLimited(status);
    },
    passAnonymous: async (ctx, rateClass) => {
      const bucket = rateClass === 'webhook' ? webhookBucket(ctx.state.client) : anonymousBucket(ctx.state.client);
      const status = await rate(ctx, rateClass === 'probe' ? probes : limiter, bucket);
      if (status.exceeded) throw rateLimited(status);
    },
  };
}

/**
 * A refused credential is counted as anonymous. Over that limit the response is still 401, which comes before 429 in
 * the order of checks, but it gets no audit row: it is only counted (http/refusals.ts).
 */
async function refused(error: unknown, ctx: RequestContext, deps: RuntimeDeps, limiter: RateLimiter): Promise<never> {
  if (error instanceof CredentialRejected) {
    const { requestId, client } = ctx.state;
    const { exceeded } = await rate(ctx, limiter, anonymousBucket(client));
    await recordRejection(error.facts, { ...deps, requestId, client, isFlood: exceeded });
  }
  throw error;
}

/**
 * The limit of a caller: by the tier of the organization it belongs to, or by the environment. Spec 8.1, Contract 1.
 */
function bucketOf(caller: Caller, rateClass: RateClass, { environment }: ApiConfig): RateBucket {
  const name = `${caller.kind}:${caller.home?.id ?? ''}:${caller.id}`;
  if (rateClass === 'ai') return { key: `ai:${name}`, perMinute: RATE_LIMIT_INGEST_PER_MINUTE };
  if (rateClass === 'message' && environment !== 'sandbox') {
    return { key: `message:${name}`, perMinute: RATE_LIMIT_MESSAGES_PER_MINUTE };
  }
  if (environment === 'sandbox') return { key: name, perMinute: RATE_LIMIT_SANDBOX_PER_MINUTE };
  const isStandard = environment === 'production' && caller.home?.tier === 'standard';
  return { key: name, perMinute: isStandard ? RATE_LIMIT_STANDARD_PER_MINUTE : RATE_LIMIT_ENTERPRISE_PER_MINUTE };
}

function webhookBucket(client: string): RateBucket {
  return { key: `webhook:${client}`, perMinute: RATE_LIMIT_WEBHOOK_PER_MINUTE };
}
