// Queries on the calendar of compliance: its address, and what it shows.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { CalendarFeed } from '../../entities/insight/calendar-feed.ts';
import { Filing } from '../../entities/insight/filing.ts';

/** A calendar holds so many filings at most, the earliest. */
const MOST = 2_000;

/** Reads the organization's address; null when there is none. */
export function findFeed(em: EntityManager): Promise<CalendarFeed | null> {
  return em.findOne(CalendarFeed, {});
}

/** Makes an address in place of the one before, which is read no more. */
export async function renewFeed(em: EntityManager, createdBy: string): Promise<CalendarFeed> {
  await removeFeed(em);
  const feed = em.create(CalendarFeed, { createdBy }, { persist: true });
  await em.flush();
  return feed;
}

/** Removes the organization's address. @returns whether there was one */
export async function removeFeed(em: EntityManager): Promise<boolean> {
  return (await em.nativeDelete(CalendarFeed, {})) > 0;
}

/** Reads the open filings that fall due between two days, both included, earliest first. */
export function openFilingsBetween(
  em: EntityManager,
  { from, to }: { from: BusinessDate; to: BusinessDate },
): Promise<Filing[]> {
  const dueDate = { $gte: from, $lte: to };
  return em.find(Filing, { status: 'open', dueDate }, { orderBy: { dueDate: 'asc', id: 'asc' }, limit: MOST });
}
