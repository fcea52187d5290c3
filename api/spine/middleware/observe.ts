// One log line and one measurement for each request. The line has no body, header, query or personal data.
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import type { Middleware, RequestContext } from './state.ts';

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const NO_ROUTE = 'none';
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Logs and measures every request by the pattern of its operation. */
export function observeRequests({ logger, registry }: { logger: Logger; registry: Registry }): Middleware {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to its answer, by operation.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const series = new Map<string, { observe: (seconds: number) => void }>();
  const seriesOf = (method: string, route: string, status: number) => {
    const name = `${method} ${route} ${status}`;
    const known = series.get(name);
    if (known) return known;
    const made = duration.labels({ method, route, status });
    series.set(name, made);
    return made;
  };
  return async (ctx, next) => {
    const startedMs = performance.now();
    await next();
    const elapsedMs = performance.now() - startedMs;
    const route = ctx.state.pattern ?? NO_ROUTE;
    const method = KNOWN_METHODS.has(ctx.method) ? ctx.method : 'OTHER';
    seriesOf(method, route, ctx.status).observe(elapsedMs / 1000);
    if (logger.isLevelEnabled('info')) logger.info(lineOf(ctx, route, elapsedMs), 'request');
  };
}

function lineOf(ctx: RequestContext, route: string, elapsedMs: number) {
  const { requestId, orgId, traceId, actor } = ctx.state;
  return {
    requestId,
    method: ctx.method,
    route,
    status: ctx.status,
    ms: Math.round(elapsedMs * 10) / 10,
    orgId,
    actorKind: actor?.kind ?? null,
    actorId: actor?.id ?? null,
    ...(traceId === null ? {} : { traceId }),
  };
}
