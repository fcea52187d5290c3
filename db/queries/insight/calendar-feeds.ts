// Queries on the compliance calendar: its address, and what it shows.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { CalendarFeed } from '../../entities/insight/calendar-feed.ts';
import { Filing } from '../../entities/insight/filing.ts';
import { organizationOf } from '../../scope.ts';

/** More filings than this are not shown individually but grouped by day. */
const MOST_SHOWN_EACH = 2_000;

/** A calendar entry: a filing, or all filings of one kind and place due on the same day. */
export type DueEntry = Pick<Filing, 'kind' | 'state' | 'carrier' | 'period' | 'dueDate' | 'updatedAt'> &
  Pick<Filing, 'id' | 'policyId' | 'producerId' | 'claimId'> & { count: number };

/** Reads the organization's address; null when there is none. */
export function findFeed(em: EntityManager): Promise<CalendarFeed | null> {
  return em.findOne(CalendarFeed, {});
}

/** Replaces the address; the previous one stops working. @returns it, and the id of the previous one */
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

/**
 * Reads the open filings due between two days, inclusive, earliest first. If there are many, those of one kind and
 * place due on the same day share an entry: none is left out.
 */
export async function openFilingsBetween(em: EntityManager, days: DueDays): Promise<DueEntry[]> {
  const dueDate = { $gte: days.from, $lte: days.to };
  const order = { dueDate: 'asc', id: 'asc' } as const;
  const limit = MOST_SHOWN_EACH + 1;
  const each = await em.find(Filing, { status: 'open', dueDate }, { orderBy: order, limit });
  return each.length < limit ? each.map(entryOf) : filingsByDay(em, days);
}

interface DueDays {
  from: BusinessDate;
  to: BusinessDate;
}

function entryOf(filing: Filing): DueEntry {
  const { id, kind, state, carrier, period, dueDate, updatedAt, policyId, producerId, claimId } = filing;
  return { id, kind, state, carrier, period, dueDate, updatedAt, policyId, producerId, claimId, count: 1 };
}

async function filingsByDay(em: EntityManager, { from, to }: DueDays): Promise<DueEntry[]> {
  const rows = await em.execute<(Omit<DueEntry, 'updatedAt'> & { updatedAt: string })[]>(
    `select kind, state, carrier, period, due_date::text as "dueDate", count(*)::int as count, min(id) as id,
       max(updated_at) as "updatedAt", case when count(*) = 1 then min(policy_id) end as "policyId",
       case when count(*) = 1 then min(producer_id) end as "producerId",
       case when count(*) = 1 then min(claim_id) end as "claimId"
     from filings where org_id = ? and status = 'open' and due_date between cast(? as date) and cast(? as date)
     group by due_date, kind, state, carrier, period order by due_date, kind, state, carrier, period`,
    [organizationOf(em), from, to],
  );
  return rows.map((row) => ({ ...row, updatedAt: new Date(row.updatedAt) }));
}
