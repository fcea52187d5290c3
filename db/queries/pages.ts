// Keyset pages with an opaque cursor: newest first by time-ordered id or creation instant, or in an order chosen by the
// caller; and conditions shared by lists.
import { type EntityName, type FilterQuery, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type DomainError, validationError } from '../../domain/errors.ts';
import type { Visibility } from '../../domain/permissions.ts';
import { behind, isPlaceOf, NEWEST_FIRST, type Order, orderBy, type Place, placeOf } from './orders.ts';

/** A request for a page: at most `limit` rows after the previous page's cursor. */
export interface PageRequest {
  limit: number;
  cursor?: string | null | undefined;
  /** Default: newest first. */
  sort?: Order;
}

export interface Page<T> {
  data: T[];
  /** The cursor of the next page; null on the last. */
  nextCursor: string | null;
}

/** Few enough that other work in the process can continue while a page is read. */
const WHOLE_PAGE = 500;

const CURSOR_TEXT = /^[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{26}$/;

/** Makes the cursor that continues after a row. */
export function cursorOf(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/**
 * Reads the id out of a cursor.
 * @throws DomainError validation_failed for field `cursor` when it was not made by cursorOf
 */
export function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (CURSOR_TEXT.test(id) && cursorOf(id) === cursor) return id;
  throw badCursor();
}

/** Separates the two halves of a place: no value or id contains it. */
const BETWEEN = '\n';

/** Makes the cursor that continues after a place in an order. */
function cursorAt({ value, id }: Place): string {
  return cursorOf(value === null ? id : `${value}${BETWEEN}${id}`);
}

/**
 * Reads the place out of a cursor of a list in this order.
 * @throws DomainError validation_failed for field `cursor` if no such list made it
 */
function readPlace(order: Order, cursor: string): Place {
  const parts = Buffer.from(cursor, 'base64url').toString().split(BETWEEN);
  const [id = '', value = null] = parts.reverse();
  const place = { value, id };
  if (CURSOR_TEXT.test(id) && cursorAt(place) === cursor && isPlaceOf(order, value)) return place;
  throw badCursor();
}

/** The error for a cursor that the list did not make. Contract 1 "Strings". */
export function badCursor(): DomainError {
  return validationError('cursor', 'format', 'The cursor does not belong to this list.');
}

/**
 * Reads a page of the rows that match every condition, newest first unless another order is chosen. A condition of null
 * matches nothing.
 * @throws DomainError validation_failed for a bad cursor
 */
export async function pageOf<T extends { id: string }>(
  em: EntityManager,
  entity: EntityName<T>,
  conditions: (FilterQuery<T> | null)[],
  { limit, cursor, sort = NEWEST_FIRST }: PageRequest,
): Promise<Page<T>> {
  const after = cursor ? [behind<T>(sort, readPlace(sort, cursor))] : [];
  const where = [...conditions, ...after];
  if (where.includes(null)) return { data: [], nextCursor: null };
  const rows = await em.find(entity, { $and: where } as FilterQuery<T>, {
    orderBy: orderBy(sort) as never,
    limit: limit + 1,
  });
  return cutPage(rows as T[], limit, sort);
}

/**
 * Reads a page like `pageOf`, of rows whose ids carry another instant: newest first by creation.
 * @throws DomainError validation_failed for a bad cursor
 */
export async function pageByCreation<T extends { id: string; createdAt: Date }>(
  em: EntityManager,
  entity: EntityName<T>,
  conditions: (FilterQuery<T> | null)[],
  { limit, cursor }: PageRequest,
): Promise<Page<T>> {
  if (conditions.includes(null)) return { data: [], nextCursor: null };
  const after = cursor ? [await madeBefore(em, entity, readCursor(cursor))] : [];
  const rows = await em.find(entity, { $and: [...conditions, ...after] } as FilterQuery<T>, {
    orderBy: { createdAt: 'desc', id: 'desc' } as never,
    limit: limit + 1,
  });
  return cutPage(rows as T[], limit);
}

/** The condition that a row comes after another one in such a list. A single comparison can use an index. */
async function madeBefore<T extends { id: string; createdAt: Date }>(
  em: EntityManager,
  entity: EntityName<T>,
  id: string,
): Promise<FilterQuery<T>> {
  const last = (await em.findOne(entity, { id } as FilterQuery<T>)) as T | null;
  if (last === null) throw badCursor();
  const comparison = raw((alias) => `(${alias}.created_at, ${alias}.id) < (?, ?)`, [last.createdAt, last.id]);
  return { [comparison as never]: [] } as FilterQuery<T>;
}

/** Makes a page from rows read with one extra. */
export function cutPage<T extends { id: string }>(rows: T[], limit: number, order: Order = NEWEST_FIRST): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last ? cursorAt(placeOf(order, last)) : null };
}

/**
 * Makes a page from rows that were all read, in order.
 * @throws DomainError validation_failed for a cursor that names none of them: restarting would loop forever
 */
export function pageWithin<T extends { id: string }>(rows: readonly T[], { limit, cursor }: PageRequest): Page<T> {
  const start = cursor ? rows.findIndex(({ id }) => cursorOf(id) === cursor) + 1 : 0;
  if (cursor && start === 0) throw badCursor();
  return cutPage(rows.slice(start, start + limit + 1), limit);
}

/** Reads a whole list page by page; null if it has more than `most` rows. */
export async function wholeList<T>(read: (page: PageRequest) => Promise<Page<T>>, most: number): Promise<T[] | null> {
  const rows: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page<T> = await read({ limit: WHOLE_PAGE, cursor });
    rows.push(...page.data);
    if (rows.length > most) return null;
    cursor = page.nextCursor;
  }
  return rows;
}

/** The condition that limits rows with a `producerId` to what a caller may see; null when they may see none. */
export function visibleTo(visibility: Visibility): { producerId?: { $in: string[] } } | null {
  if (visibility.kind === 'all') return {};
  if (visibility.kind !== 'producers' || visibility.producerIds.length === 0) return null;
  return { producerId: { $in: visibility.producerIds } };
}

/** The case-insensitive pattern for a typed search text; wildcards in it are escaped. */
export function containing(typed: string): { $ilike: string } {
  return { $ilike: `%${typed.replaceAll(/[\\%_]/g, (char) => `\\${char}`)}%` };
}

/** The given filters as equality conditions; missing ones are left out. */
export function equalTo(filters: Record<string, string | undefined>): Record<string, string> {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given);
}

/** A range with both ends included as a condition; null when neither end is given. */
export function between<V>(from: V | undefined, to: V | undefined): { $gte?: V; $lte?: V } | null {
  if (from === undefined && to === undefined) return null;
  return { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lte: to }) };
}
