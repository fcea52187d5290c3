// Queries on the calendar of compliance: its address, and what it shows.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { CalendarFeed } from '../../entities/insight/calendar-feed.ts';
import { Filing } from '../../entities/insight/filing.ts';
import { organizationOf } from '../../scope.ts';

/** A calendar holds so many filings at most, the earliest. */
const MOST = 2_000;

/** Reads the organization's address; null when there is none. */
export function findFeed(em: EntityManager): Promise<CalendarFeed | null> {
  return em.findOne(CalendarFeed, {});
}

/** Makes an address in place of the one before, which is read no more. @returns it, and the id of the one before */
export async function renewFeed(
  em: EntityManager,
  createdBy: string,
): Promise<{ feed: CalendarFeed; replaced: string | null }> {
  const replaced = await removeFeed(em);
  const feed = em.create(CalendarFeed, { createdBy }, { persist: true });
  await em.flush();
  return { feed, replaced };
}

/** Removes the organization's address. @returns its id; null when there was none */
export async function removeFeed(em: EntityManager): Promise<string | null> {
  const [row] = await em.execute<{ id: string }[]>('delete from calendar_feeds where org_id = ? returning id', [
    organizationOf(em),
  ]);
  return row?.id ?? null;
}

/** Reads the open filings that fall due between two days, both included, earliest first. */
export function openFilingsBetween(
  em: EntityManager,
  { from, to }: { from: BusinessDate; to: BusinessDate },
): Promise<Filing[]> {
  const dueDate = { $gte: from, $lte: to };
  return em.find(Filing, { status: 'open', dueDate }, { orderBy: { dueDate: 'asc', id: 'asc' }, limit: MOST });
}
