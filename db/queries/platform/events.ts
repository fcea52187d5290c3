// Writes events, lists them newest first, and reads them oldest first for clients that reconcile by polling.

import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { validationError } from '../../../domain/errors.ts';
import { type DataOf, type EventType, eventFieldOf } from '../../../domain/events.ts';
import { Event } from '../../entities/platform/event.ts';
import { findById } from '../../entity-rows.ts';
import { newId } from '../../ids.ts';
import { addRow } from '../../new-rows.ts';
import { cutPage, equalTo, type Page, type PageRequest, pageOf, readCursor } from '../pages.ts';

/** Adds an event to the transaction and assigns its id. `at` is the real instant; default: now. */
export function writeEvent<T extends EventType>(em: EntityManager, type: T, data: DataOf<T>, at = new Date()): Event {
  return addRow(em, Event, {
    id: newId('event'),
    type,
    data: data as unknown as Record<string, unknown>,
    occurredAt: at,
  });
}

/** Filters of the list; an entity is the one the events are about. */
export interface EventFilter {
  type?: string | undefined;
  entityId?: string | undefined;
}

/**
 * Reads a page of events, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listEvents(em: EntityManager, filter: EventFilter, page: PageRequest): Promise<Page<Event>> {
  return pageOf(em, Event, conditionsOf(filter), page);
}

/**
 * Reads the events after an event, oldest first. Positions follow commit order, so an event that commits late comes
 * after every event that was readable before it.
 * @throws DomainError validation_failed with rule unknown_reference and field `after` when the organization has no such
 * event, and for a bad cursor
 */
export async function eventsAfter(
  em: EntityManager,
  after: string,
  { limit, cursor, ...filter }: PageRequest & EventFilter,
): Promise<Page<Event>> {
  const id = cursor ? readCursor(cursor) : after;
  const start = await findById(em, Event, id);
  if (!start) throw validationError('after', 'unknown_reference', 'There is no such event.');
  const conditions = [...conditionsOf(filter), { position: { $gt: start.position } }];
  const rows = await em.find(Event, { $and: conditions }, { orderBy: { position: 'asc' }, limit: limit + 1 });
  return cutPage(rows, limit);
}

function conditionsOf({ type, entityId }: EventFilter): FilterQuery<Event>[] {
  const field = entityId === undefined ? null : eventFieldOf(entityId);
  const about = field === null ? [] : [{ data: { [field]: entityId } } as FilterQuery<Event>];
  return [equalTo({ type }), ...about];
}
