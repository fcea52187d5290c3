// Keeps of each call with a credential when it came, what it called, how it was answered, and who called.
import type { RequestLog } from '../request-log.ts';
import type { Middleware } from './state.ts';

/** A call that has proved no organization is nobody's to look up; its log line is all there is of it. */
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
