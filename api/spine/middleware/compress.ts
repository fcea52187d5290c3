// Compresses large read responses for clients that accept it.
import { compressed, encodingFor } from '../../../http/compression.ts';
import type { Middleware, RequestContext } from './state.ts';

/** Below this, compression costs more time than it saves. */
const LEAST_BYTES = 8_192;
const COMPRESSIBLE = /^(application\/json|text\/)/;

/**
 * Compresses large text responses to GET. A response with an entity tag is left alone: a strong tag identifies its
 * bytes, and `If-Match` sends it back. So are responses to commands, which may contain secrets; files are streams or
 * already compressed.
 */
export function compressAnswers(): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.method !== 'GET' || ctx.status !== 200 || ctx.res.hasHeader('ETag')) return;
    if (ctx.res.hasHeader('Content-Encoding') || !COMPRESSIBLE.test(ctx.response.get('Content-Type') ?? '')) return;
    const bytes = bytesOf(ctx);
    if (bytes === null || bytes.length < LEAST_BYTES) return;
    ctx.vary('Accept-Encoding');
    const encoding = encodingFor(ctx.req.headers['accept-encoding']);
    if (encoding === null) return;
    ctx.set('Content-Encoding', encoding);
    ctx.body = await compressed(bytes, encoding);
  };
}

/** The bytes that Koa would send; null for a stream or nothing. */
function bytesOf({ body }: RequestContext): Buffer | null {
  if (typeof body === 'string') return Buffer.from(body);
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body) || 'pipe' in body) return null;
  return Buffer.from(JSON.stringify(body));
}
