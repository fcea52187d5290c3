// The name of a request: in the header of every answer, in error bodies, logs and audit rows. Contract 1
// `X-Request-Id`.
import { newId } from '../db/ids.ts';

/**
 * Decided here: an incoming id is well-formed when it has 8 to 128 letters, digits, `_` or `-`, which every `req_…`
 * TypeID and every UUID does. Anything else is replaced, so that nothing foreign reaches logs and headers.
 */
const WELL_FORMED = /^[A-Za-z0-9_-]{8,128}$/;

/** Gives the id that a header brought, when it is well-formed, or a new one. */
export function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === 'string' && WELL_FORMED.test(header) ? header : newId('request');
}
