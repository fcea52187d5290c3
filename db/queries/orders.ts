// The orders that a list offers beside its own: by a field of its rows, and by the id where two are equal.
// Decision 0128.
import { type FilterQuery, raw } from '@mikro-orm/core';
import { isRealDate } from '../../domain/dates.ts';

/** What an order goes by: a date, a date that may be missing, or a number such as `INV-2026-000321`. */
export type OrderKind = 'date' | 'optionalDate' | 'number';

/** The fields by which a list can be ordered, as callers and entities name them. Each has an index. */
export type Orders = Readonly<Record<string, OrderKind>>;

/** An order that a caller has chosen. `kind` is null for the one in which the rows were made. */
export interface Order {
  field: string;
  kind: OrderKind | null;
  isDescending: boolean;
}

/** The order of a list whose caller chooses none. */
export const NEWEST_FIRST: Order = { field: 'createdAt', kind: null, isDescending: true };

/** Where a page ended: the row, and what the order went by when it was read. It stays there when the row changes. */
export interface Place {
  value: string | null;
  id: string;
}

/** Later than every date: rows without one come after all others. */
const NEVER = 'infinity';
const NUMBER = /^[A-Z0-9-]{1,60}$/;

/** Whether a list in this order may have ended at a value. */
export function isPlaceOf({ kind }: Order, value: string | null): boolean {
  if (kind === null || value === null) return kind === null && value === null;
  if (kind === 'number') return NUMBER.test(value);
  return isRealDate(value) || (kind === 'optionalDate' && value === NEVER);
}

/** Gives the place of a row. */
export function placeOf(order: Order, row: { id: string }): Place {
  if (order.kind === null) return { value: null, id: row.id };
  const value = (row as unknown as Record<string, string | null>)[order.field] ?? NEVER;
  return { value, id: row.id };
}

/** The condition that a row comes after a place. As one comparison it is found by an index. */
export function behind<T>(order: Order, { value, id }: Place): FilterQuery<T> {
  const isAfter = order.isDescending ? '<' : '>';
  if (value === null) return { id: { [order.isDescending ? '$lt' : '$gt']: id } } as unknown as FilterQuery<T>;
  const comparison = raw((alias) => `(${sqlOf(order, alias)}, ${alias}.id) ${isAfter} (?, ?)`, [value, id]);
  return { [comparison as never]: [] } as FilterQuery<T>;
}

/** Gives the order for a query; both parts have one direction, so that one index serves it and its reverse. */
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
