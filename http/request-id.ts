// The id of a request: in the header of every response, in error bodies, logs and audit rows. Contract 1
// `X-Request-Id`.
import { newId } from '../db/ids.ts';

/**
 * Our choice: an incoming id is well-formed if it has 8 to 128 letters, digits, `_` or `-`, as every `req_…` TypeID and
 * UUID does. Anything else is replaced, so that nothing foreign gets into logs and headers.
 */
const WELL_FORMED = /^[A-Za-z0-9_-]{8,128}$/;

/** Returns the id from a header if well-formed, or a new one. */
export function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === 'string' && WELL_FORMED.test(header) ? header : newId('request');
}
