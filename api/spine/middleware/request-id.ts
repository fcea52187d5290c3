// Names the request and its client for rate limits before anything else happens.
import { clientOf } from '../../../http/client-address.ts';
import { requestIdFrom } from '../../../http/request-id.ts';
import type { Middleware } from './state.ts';

/** Keeps a well-formed `X-Request-Id`, or makes one. */
export function nameRequests(): Middleware {
  return (ctx, next) => {
    const requestId = requestIdFrom(ctx.req.headers['x-request-id']);
    const unknown = { pattern: null, orgId: null, traceId: null, actor: null };
    ctx.state = { requestId, client: clientOf(ctx.ip), ...unknown, rated: false };
    ctx.set('X-Request-Id', requestId);
    return next();
  };
}
