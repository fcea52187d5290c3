// Names the request before anything else happens to it.
import { requestIdFrom } from '../../http/request-id.ts';
import type { Middleware } from './state.ts';

/** Keeps a well-formed `X-Request-Id`, or makes one. */
export function nameRequests(): Middleware {
  return (ctx, next) => {
    const requestId = requestIdFrom(ctx.req.headers['x-request-id']);
    ctx.state = { requestId, pattern: null, orgId: null, actor: null, rated: false };
    ctx.set('X-Request-Id', requestId);
    return next();
  };
}
