// Turns a handler's result into what is sent.

import { isKnown } from '../../http/known-answer.ts';
import { takeOver } from '../../http/upgrades.ts';
import { markedPage } from './cursors.ts';
import { etagHeader } from './entity-tag.ts';
import { nextPageLink } from './links.ts';
import type { RequestContext } from './middleware/state.ts';
import { entityTag, Reply, TakeOver } from './reply.ts';
import type { ResponseSpec, Route } from './route.ts';

const SWITCHED = 101;

export interface RouteAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** Set only on a response that takes over the connection. */
  begin?: TakeOver['begin'];
}

/** The row's facts after the handler has run. */
export interface RowVersion {
  id: string;
  version: number;
}

/** The row of a call; its version is null if its kind has none. */
export type TaggedRow = Pick<RowVersion, 'id'> & { version: number | null };

/**
 * Turns a handler's result into a response that the operation declares.
 * @param listMark of the list that the call reads
 * @throws Error for an undeclared status: a bug in the handler
 */
export function answerOf(route: Route, result: unknown, row: TaggedRow | null, listMark: string | null): RouteAnswer {
  if (result instanceof TakeOver) return { status: SWITCHED, headers: {}, body: null, begin: result.begin };
  const made = result instanceof Reply ? result : null;
  const body = markedPage(made ? made.body : result, listMark);
  const spec = specOf(route, made?.status ?? route.response.status);
  const headers: Record<string, string> = { 'Cache-Control': 'no-store', ...made?.headers };
  const versionTag = made?.etag ?? entityTagOf(route, body, row);
  if (versionTag !== null) headers.ETag = etagHeader(versionTag, body);
  if (spec.contentType) headers['Content-Type'] ??= spec.contentType;
  return { status: spec.status, headers, body: spec.body === null ? null : body };
}

/** Sends an answer. */
export function send(ctx: RequestContext, answer: RouteAnswer): void {
  ctx.status = answer.status;
  if (answer.begin) {
    ctx.respond = false;
    answer.begin(takeOver(ctx.req));
    return;
  }
  // Before the body: Koa guesses the type of text unless it is set.
  ctx.set(answer.headers);
  const next = isRead(ctx) ? nextPageLink(ctx.path, ctx.search, answer.body) : null;
  if (next !== null) ctx.append('Link', next);
  ctx.body = answer.body;
  if (isRead(ctx) && isKnown(ctx.req.headers['if-none-match'], answer.headers.ETag)) ctx.status = 304;
}

function isRead({ method }: RequestContext): boolean {
  return method === 'GET' || method === 'HEAD';
}

function specOf(route: Route, status: number): ResponseSpec {
  const spec = [route.response, ...route.alternates].find((each) => each.status === status);
  if (!spec) throw new Error(`${route.operationId} does not declare the status ${status}`);
  return spec;
}

/**
 * Only representations of the row itself carry its tag: its detail, and the response to a change. For a row without a
 * version, the tag is that of the contents.
 */
function entityTagOf(route: Route, body: unknown, row: TaggedRow | null): string | null {
  if (row === null || !route.path.endsWith('/:id')) return null;
  if (route.method === 'get') return row.version === null ? row.id : entityTag(row.id, row.version);
  const { id, version } = (body ?? {}) as Partial<RowVersion>;
  return row.version !== null && id === row.id && typeof version === 'number' ? entityTag(id, version) : null;
}
