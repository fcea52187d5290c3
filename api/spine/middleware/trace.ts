// One span for each request, named by its operation. It has no path, query, header or body, and does not join a trace
// named by a caller: outside callers have no say in our traces.
import type { Tracing } from '../../../providers/tracing/port.ts';
import type { Middleware } from './state.ts';

/** Monitors request these every few seconds; tracing them is useless. */
const PROBES: readonly string[] = ['/healthz', '/readyz', '/metrics'];
const SERVER_ERROR = 500;

/** Puts every request in its own trace. */
export function traceRequests(tracing: Tracing): Middleware {
  return (ctx, next) => {
    if (PROBES.includes(ctx.path)) return next();
    return tracing.span({ name: 'request', kind: 'server' }, async (span) => {
      ctx.state.traceId = tracing.current()?.split('-')[1] ?? null;
      await next();
      const { pattern, orgId } = ctx.state;
      span.name(`${ctx.method} ${pattern ?? 'none'}`);
      span.set({
        'http.request.method': ctx.method,
        'http.route': pattern ?? 'none',
        'http.response.status_code': ctx.status,
        ...(orgId ? { 'bindery.org_id': orgId } : {}),
      });
      if (ctx.status >= SERVER_ERROR) span.fail(String(ctx.status));
    });
  };
}
