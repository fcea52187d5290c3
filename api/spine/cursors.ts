// A cursor goes on where its own list ended, and nowhere else: outside it has a mark of the list and of its filters.
import { hash } from 'node:crypto';
import { badCursor } from '../../db/queries/pages.ts';
import { canonical } from './canonical-json.ts';
import type { Route } from './route.ts';

/** 66 bits: a mark keeps lists apart by mistake, not by force. What a row shows is judged when it is read. */
const MARK_CHARACTERS = 11;

type Query = Readonly<Record<string, unknown>>;

/** What a call lists: its operation, its path, and everything that selects rows. */
export interface ListCall {
  path: string;
  query: unknown;
  /** The JSON of a POST that lists. */
  json: unknown;
}

/** Gives the mark of the list that a call reads; null for an operation that has no pages. */
export function listMarkOf({ method, query: schema }: Route, { path, query, json }: ListCall): string | null {
  if (!schema || !('cursor' in schema.shape)) return null;
  const { limit: _limit, cursor: _cursor, ...filters } = query as Query;
  return hash('sha256', canonical([method, path, filters, json ?? null]), 'base64url').slice(0, MARK_CHARACTERS);
}

/**
 * Gives the query with the cursor as the list itself has made it.
 * @throws DomainError validation_failed for field `cursor` when another list, or this one under other filters, gave it
 */
export function ownCursor(query: unknown, mark: string | null): unknown {
  const { cursor } = query as Query;
  if (mark === null || typeof cursor !== 'string') return query;
  if (!cursor.startsWith(mark) || cursor.length === MARK_CHARACTERS) throw badCursor();
  return { ...(query as Query), cursor: cursor.slice(MARK_CHARACTERS) };
}

/** Gives the body of an answer with the mark on its `nextCursor`. */
export function markedPage(body: unknown, mark: string | null): unknown {
  const cursor = mark === null ? null : (body as { nextCursor?: unknown } | null | undefined)?.nextCursor;
  return typeof cursor === 'string' ? { ...(body as object), nextCursor: `${mark}${cursor}` } : body;
}
