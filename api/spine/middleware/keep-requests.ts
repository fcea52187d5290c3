// Records each call with a credential: when, what, the response, and the caller.
import type { RequestLog } from '../request-log.ts';
import type { Middleware } from './state.ts';

/** A call that proved no organization cannot be looked up by anyone; it has only its log line. */
export function keepRequests(log: RequestLog, now: () => number): Middleware {
  return async (ctx, next) => {
    const startedMs = performance.now();
    await next();
    const { requestId, pattern, orgId, actor } = ctx.state;
    if (pattern === null || orgId === null || actor === null) return;
    const durationMs = Math.round(performance.now() - startedMs);
    const error = ctx.status >= 400 ? codeOf(ctx.body) : null;
    const { method, status } = ctx;
    log.add({ orgId, requestId, method, route: pattern, status, error, durationMs, actor, at: new Date(now()) });
  };
}

function codeOf(body: unknown): string | null {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : null;
}
