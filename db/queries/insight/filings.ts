// Filings: the list, and those with a calendar step due.
import type { FilterQuery } from '@mikro-orm/core';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { type BusinessDate, monthOf } from '../../../domain/dates.ts';
import { TRUST_REMITTANCE } from '../../../domain/insight/bordereau.ts';
import { Filing } from '../../entities/insight/filing.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { between, equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

/** Filters of the list; the due date range is inclusive. */
export interface FilingFilter {
  /** `overdue` and `open` exclude each other. */
  status?: string | undefined;
  kind?: string | undefined;
  state?: string | undefined;
  policyId?: string | undefined;
  producerId?: string | undefined;
  claimId?: string | undefined;
  dueFrom?: BusinessDate | undefined;
  dueTo?: BusinessDate | undefined;
  today: BusinessDate;
}

/** Reads a filing, or null. */
export function findFiling(em: EntityManager, id: string): Promise<Filing | null> {
  return findById(em, Filing, id);
}

/** Reads a filing and locks its row until the transaction ends; null when there is none. */
export function lockFiling(em: EntityManager, id: string): Promise<Filing | null> {
  return lockById(em, Filing, id);
}

/**
 * Reads a page of filings, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listFilings(em: EntityManager, filter: FilingFilter, page: PageRequest): Promise<Page<Filing>> {
  const { status, kind, state, policyId, producerId, claimId, dueFrom, dueTo, today } = filter;
  // An overdue filing is stored as open.
  const stored = status === 'overdue' ? 'open' : status;
  const conditions: FilterQuery<Filing>[] = [
    equalTo({ kind, state, policyId, producerId, claimId, status: stored } as Record<string, string>),
  ];
  if (status === 'overdue') conditions.push({ dueDate: { $lt: today } });
  if (status === 'open') conditions.push({ dueDate: { $gte: today } });
  const due = between(dueFrom, dueTo);
  if (due) conditions.push({ dueDate: due });
  return pageOf(em, Filing, conditions, page);
}

/** Reads the deadlines of a claim, whatever their status. */
export function filingsOfClaim(em: EntityManager, claimId: string): Promise<Filing[]> {
  return em.find(Filing, { claimId });
}

/** Reads and locks the remittances due to a carrier for months that are over. */
export function openRemittancesTo(em: EntityManager, carrier: string, today: BusinessDate): Promise<Filing[]> {
  const period = { $lt: monthOf(today) };
  const due = { carrier, kind: TRUST_REMITTANCE, status: 'open', period } as const;
  return em.find(Filing, due, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } });
}

/** Reads and locks the open filings whose next step is due by a day, earliest first. */
export function dueFilings(em: EntityManager, today: BusinessDate, limit: number): Promise<Filing[]> {
  return em.find(
    Filing,
    { status: 'open', nextStepOn: { $lte: today } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { nextStepOn: 'asc', id: 'asc' }, limit },
  );
}

/**
 * Reads the ids of organizations with a filing or an open referral whose next step is due by their business date, in
 * order, after a given one. Needs the scope of all organizations.
 */
export async function organizationsWithDueSteps(
  em: EntityManager,
  { after, limit, now }: { after: string; limit: number; now: Date },
): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select o.id from organizations o
     cross join lateral (select (?::timestamptz at time zone 'UTC')::date + o.clock_offset_days as today) c
     where o.id > ? and (exists (select from filings f
         where f.org_id = o.id and f.status = 'open' and f.next_step_on <= c.today)
       or exists (select from referrals r
         where r.org_id = o.id and r.status in ('pending', 'info_requested') and r.next_step_on <= c.today))
     order by o.id limit ?`,
    [now, after, limit],
  );
  return rows.map(({ id }) => id);
}
