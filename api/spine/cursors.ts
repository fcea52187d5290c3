// A cursor goes on where its own list ended, and nowhere else: outside it has a mark of the list. Other filters are
// allowed: a cursor is a place in time, which the rows of one list share.
import { hash } from 'node:crypto';
import { badCursor } from '../../db/queries/pages.ts';
import { canonical } from './canonical-json.ts';
import type { Route } from './route.ts';

/** 66 bits: a mark keeps lists apart by mistake, not by force. What a row shows is judged when it is read. */
const MARK_CHARACTERS = 11;

/** Gives the mark of the list at a path, or of the one that a body asks for; null for an operation without pages. */
export function listMarkOf({ method, query: schema }: Route, path: string, body: unknown): string | null {
  if (!schema || !('cursor' in schema.shape)) return null;
  return hash('sha256', canonical([method, path, body ?? null]), 'base64url').slice(0, MARK_CHARACTERS);
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
