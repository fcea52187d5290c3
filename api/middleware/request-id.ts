// The name of a request: in the header of every answer, in error bodies, logs and audit rows. Contract 1 `X-Request-Id`.
import { newId } from '../../db/ids.ts';
import type { Middleware } from './state.ts';

/**
 * Decided here: an incoming id is well-formed when it has 8 to 128 letters, digits, `_` or `-`, which every `req_…`
 * TypeID and every UUID does. Anything else is replaced, so that nothing foreign reaches logs and headers.
 */
const WELL_FORMED = /^[A-Za-z0-9_-]{8,128}$/;

/** Keeps a well-formed `X-Request-Id`, or makes one. */
export function nameRequests(): Middleware {
  return (ctx, next) => {
    const given = ctx.req.headers['x-request-id'];
    const requestId = typeof given === 'string' && WELL_FORMED.test(given) ? given : newId('request');
    ctx.state = { requestId, pattern: null, orgId: null, actor: null, rated: false };
    ctx.set('X-Request-Id', requestId);
    return next();
  };
}
