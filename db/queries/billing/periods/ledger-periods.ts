// Ledger months: closing, reopening, and which one was closed last.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { LedgerPeriod, type PeriodBalance } from '../../../entities/billing/ledger-period.ts';
import { newId } from '../../../ids.ts';
import { addRow } from '../../../new-rows.ts';
import { holdUntilCommit } from '../../holds.ts';
import { type Page, type PageRequest, pageOf } from '../../pages.ts';
import { accountTotals } from '../ledger-lists.ts';

/** The lock that the entries' trigger holds, shared. */
const PERIODS = 'ledger_periods';

/** Waits for the transactions that are posting entries, and keeps others from posting until this one ends. */
export function holdPostings(em: EntityManager): Promise<void> {
  return holdUntilCommit(em, PERIODS, 'alone');
}

/**
 * Reads the last closed month, `YYYY-MM`; null if none is. No month is closed or reopened until the transaction ends.
 */
export async function heldClosedMonth(em: EntityManager): Promise<string | null> {
  await holdUntilCommit(em, PERIODS, 'shared');
  return lastClosedMonth(em);
}

/** Reads the last closed month, `YYYY-MM`; null if none is. */
export async function lastClosedMonth(em: EntityManager): Promise<string | null> {
  const [period] = await em.find(LedgerPeriod, { status: 'closed' }, { orderBy: { month: 'desc' }, limit: 1 });
  return period?.month ?? null;
}

/** Reads a month that was ever closed, or null. */
export function findPeriod(em: EntityManager, month: string): Promise<LedgerPeriod | null> {
  return em.findOne(LedgerPeriod, { month });
}

/** Locks a month that was ever closed and rereads it; null if there is none. */
export function lockPeriod(em: EntityManager, month: string): Promise<LedgerPeriod | null> {
  return em.findOne(LedgerPeriod, { month }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** Reads a page of the months that were ever closed, most recent first closing first. */
export function listPeriods(em: EntityManager, page: PageRequest): Promise<Page<LedgerPeriod>> {
  return pageOf(em, LedgerPeriod, [], page);
}

export interface Closing {
  month: string;
  lastDay: string;
  by: string;
  at: Date;
}

/** Persists a month as closed, without its balances. The caller holds the postings. */
export async function persistClosed(em: EntityManager, { month, lastDay, by, at }: Closing): Promise<LedgerPeriod> {
  const closed = { status: 'closed', balances: null, closedBy: by, closedAt: at } as const;
  const found = await lockPeriod(em, month);
  if (found === null) return addRow(em, LedgerPeriod, { id: newId('ledgerPeriod'), month, lastDay, ...closed });
  Object.assign(found, closed);
  await em.flush();
  return found;
}

/** Reads the balance of each account at the end of a closed month, by account number. */
export async function balancesAt(em: EntityManager, lastDay: string): Promise<PeriodBalance[]> {
  return [...(await accountTotals(em, lastDay))]
    .map(([account, { debitCents, creditCents }]) => ({ account, cents: debitCents - creditCents }))
    .toSorted((a, b) => a.account - b.account);
}

/**
 * Stores the balances of a month that was just closed, unless it has been reopened since. Nothing posts to a closed
 * month, so no lock is held while they are summed.
 */
export async function keepBalances(em: EntityManager, { id, lastDay, version }: LedgerPeriod): Promise<void> {
  const balances = await balancesAt(em, lastDay);
  await em.nativeUpdate(LedgerPeriod, { id, version, status: 'closed' }, { balances });
}
