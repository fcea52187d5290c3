// Months of the ledgers: closing, opening again, and which one was closed last.
import type { EntityManager } from '@mikro-orm/postgresql';
import { LedgerPeriod, type PeriodBalance } from '../../../entities/billing/ledger-period.ts';
import { newId } from '../../../ids.ts';
import { addRow } from '../../../new-rows.ts';
import { organizationOf } from '../../../scope.ts';
import { type Page, type PageRequest, pageOf } from '../../pages.ts';
import { accountTotals } from '../ledger-lists.ts';

/**
 * Waits for the transactions that are posting entries, and lets no other one post until this one ends: the trigger of
 * the entries takes the same lock.
 */
export async function holdPostings(em: EntityManager): Promise<void> {
  const key = `ledger_periods/${organizationOf(em)}`;
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [key]);
}

/** Reads the last closed month, `YYYY-MM`; null while none is. */
export async function lastClosedMonth(em: EntityManager): Promise<string | null> {
  const [period] = await em.find(LedgerPeriod, { status: 'closed' }, { orderBy: { month: 'desc' }, limit: 1 });
  return period?.month ?? null;
}

/** Reads a month that was closed once, or null. */
export function findPeriod(em: EntityManager, month: string): Promise<LedgerPeriod | null> {
  return em.findOne(LedgerPeriod, { month });
}

/** Reads a page of the months that were closed once, the last closed for the first time first. */
export function listPeriods(em: EntityManager, page: PageRequest): Promise<Page<LedgerPeriod>> {
  return pageOf(em, LedgerPeriod, [], page);
}

export interface Closing {
  month: string;
  lastDay: string;
  by: string;
  at: Date;
}

/** Persists a month as closed, with the balances at its end. The postings are held. */
export async function persistClosed(em: EntityManager, { month, lastDay, by, at }: Closing): Promise<LedgerPeriod> {
  const totals = await accountTotals(em, lastDay);
  const balances: PeriodBalance[] = [...totals]
    .map(([account, { debitCents, creditCents }]) => ({ account, cents: debitCents - creditCents }))
    .toSorted((a, b) => a.account - b.account);
  const closed = { status: 'closed', balances, closedBy: by, closedAt: at } as const;
  const found = await findPeriod(em, month);
  if (found === null) return addRow(em, LedgerPeriod, { id: newId('ledgerPeriod'), month, lastDay, ...closed });
  Object.assign(found, closed);
  await em.flush();
  return found;
}
