// The orders a list offers besides its own: by a field of its rows, then by id. Decision 0128.
import { type FilterQuery, raw } from '@mikro-orm/core';
import { isRealDate } from '../../domain/dates.ts';

/** What an order sorts by: a date, an optional date, or a number such as `INV-2026-000321`. */
export type OrderKind = 'date' | 'optionalDate' | 'number';

/** The fields by which a list can be ordered, as callers and entities name them. Each has an index. */
export type Orders = Readonly<Record<string, OrderKind>>;

/** An order chosen by a caller. `kind` is null for the order of creation. */
export interface Order {
  field: string;
  kind: OrderKind | null;
  isDescending: boolean;
}

/** The default order of a list. */
export const NEWEST_FIRST: Order = { field: 'createdAt', kind: null, isDescending: true };

/** Where a page ended: the row, and its sort value when it was read. It stays the same if the row changes. */
export interface Place {
  value: string | null;
  id: string;
}

/** Later than every date: rows without a date come last. */
const NEVER = 'infinity';
const NUMBER = /^[A-Z0-9-]{1,60}$/;

/** Whether a list in this order may have ended at a value. */
export function isPlaceOf({ kind }: Order, value: string | null): boolean {
  if (kind === null || value === null) return kind === null && value === null;
  if (kind === 'number') return NUMBER.test(value);
  return isRealDate(value) || (kind === 'optionalDate' && value === NEVER);
}

/** Returns the place of a row. */
export function placeOf(order: Order, row: { id: string }): Place {
  if (order.kind === null) return { value: null, id: row.id };
  const value = (row as unknown as Record<string, string | null>)[order.field] ?? NEVER;
  return { value, id: row.id };
}

/** The condition that a row comes after a place. A single comparison can use an index. */
export function behind<T>(order: Order, { value, id }: Place): FilterQuery<T> {
  const isAfter = order.isDescending ? '<' : '>';
  if (value === null) return { id: { [order.isDescending ? '$lt' : '$gt']: id } } as unknown as FilterQuery<T>;
  const comparison = raw((alias) => `(${sqlOf(order, alias)}, ${alias}.id) ${isAfter} (?, ?)`, [value, id]);
  return { [comparison as never]: [] } as FilterQuery<T>;
}

/** Returns the order for a query; both parts have the same direction, so that one index serves it and its reverse. */
export function orderBy(order: Order): object[] {
  const direction = order.isDescending ? 'desc' : 'asc';
  if (order.kind === null) return [{ id: direction }];
  const first = order.kind === 'optionalDate' ? raw((alias) => sqlOf(order, alias)) : order.field;
  return [{ [first as never]: direction }, { id: direction }];
}

function sqlOf({ field, kind }: Order, alias: string): string {
  const column = `${alias}.${field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  return kind === 'optionalDate' ? `coalesce(${column}, '${NEVER}')` : column;
}
