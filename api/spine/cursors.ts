// A cursor goes on where its own list ended, and nowhere else: outside it has a mark of the list and of its order.
// Other filters are allowed: a cursor is a place in that order, which the rows of one list share.
import { hash } from 'node:crypto';
import { badCursor } from '../../db/queries/pages.ts';
import { canonical } from './canonical-json.ts';
import type { Route } from './route.ts';

/** 66 bits: a mark keeps lists apart by mistake, not by force. What a row shows is judged when it is read. */
const MARK_CHARACTERS = 11;

/** What tells lists apart: where it is, what a body asks for, and the order that was chosen. */
interface ListRequest {
  path: string;
  query: unknown;
  body: unknown;
}

/** Gives the mark of a list; null for an operation without pages. */
export function listMarkOf({ method, query: schema }: Route, { path, query, body }: ListRequest): string | null {
  if (!schema || !('cursor' in schema.shape)) return null;
  const { sort = null } = query as { sort?: unknown };
  return hash('sha256', canonical([method, path, body ?? null, sort]), 'base64url').slice(0, MARK_CHARACTERS);
}

/**
 * Gives the query with the cursor as the list itself has made it.
 * @throws DomainError validation_failed for field `cursor` when another list gave it
 */
export function ownCursor(query: unknown, mark: string | null): unknown {
  const { cursor } = query as { cursor?: unknown };
  if (mark === null || typeof cursor !== 'string') return query;
  if (!cursor.startsWith(mark) || cursor.length === MARK_CHARACTERS) throw badCursor();
  return { ...(query as object), cursor: cursor.slice(MARK_CHARACTERS) };
}

/** Gives the body of an answer with the mark on its `nextCursor`. */
export function markedPage(body: unknown, mark: string | null): unknown {
  const cursor = mark === null ? null : (body as { nextCursor?: unknown } | null | undefined)?.nextCursor;
  return typeof cursor === 'string' ? { ...(body as object), nextCursor: `${mark}${cursor}` } : body;
}
