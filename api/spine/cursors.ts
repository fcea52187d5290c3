// A cursor continues only its own list: externally it carries a mark of the list and its order. Other filters are
// allowed: a cursor is a place in that order, which all rows of the list share.
import { hash } from 'node:crypto';
import { badCursor } from '../../db/queries/pages.ts';
import { canonical } from './canonical-json.ts';
import type { Route } from './route.ts';

/** 66 bits: a mark guards against mistakes, not attacks. Access to a row is checked when it is read. */
const MARK_CHARACTERS = 11;

/** What distinguishes lists: the path, what the body requests, and the chosen order. */
interface ListRequest {
  path: string;
  query: unknown;
  body: unknown;
}

/** Returns the mark of a list; null for an operation without pages. */
export function listMarkOf({ method, query: schema }: Route, { path, query, body }: ListRequest): string | null {
  if (!schema || !('cursor' in schema.shape)) return null;
  const { sort = null } = query as { sort?: unknown };
  return hash('sha256', canonical([method, path, body ?? null, sort]), 'base64url').slice(0, MARK_CHARACTERS);
}

/**
 * Returns the query with the cursor as the list itself made it.
 * @throws DomainError validation_failed for field `cursor` if it came from another list
 */
export function ownCursor(query: unknown, mark: string | null): unknown {
  const { cursor } = query as { cursor?: unknown };
  if (mark === null || typeof cursor !== 'string') return query;
  if (!cursor.startsWith(mark) || cursor.length === MARK_CHARACTERS) throw badCursor();
  return { ...(query as object), cursor: cursor.slice(MARK_CHARACTERS) };
}

/** Returns a response body with the mark on its `nextCursor`. */
export function markedPage(body: unknown, mark: string | null): unknown {
  const cursor = mark === null ? null : (body as { nextCursor?: unknown } | null | undefined)?.nextCursor;
  return typeof cursor === 'string' ? { ...(body as object), nextCursor: `${mark}${cursor}` } : body;
}
