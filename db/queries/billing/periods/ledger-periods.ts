// Months of the ledgers: closing, opening again, and which one was closed last.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { LedgerPeriod, type PeriodBalance } from '../../../entities/billing/ledger-period.ts';
import { newId } from '../../../ids.ts';
import { addRow } from '../../../new-rows.ts';
import { holdUntilCommit } from '../../holds.ts';
import { type Page, type PageRequest, pageOf } from '../../pages.ts';
import { accountTotals } from '../ledger-lists.ts';

/** What the trigger of the entries holds, shared. */
const PERIODS = 'ledger_periods';

/** Waits for the transactions that are posting entries, and lets no other one post until this one ends. */
export function holdPostings(em: EntityManager): Promise<void> {
  return holdUntilCommit(em, PERIODS, 'alone');
}

/**
 * Reads the last closed month, `YYYY-MM`; null while none is. No month closes or opens again until the transaction
 * ends.
 */
export async function heldClosedMonth(em: EntityManager): Promise<string | null> {
  await holdUntilCommit(em, PERIODS, 'shared');
  return lastClosedMonth(em);
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

/** Locks a month that was closed once, and reads it as it is now; null where there is none. */
export function lockPeriod(em: EntityManager, month: string): Promise<LedgerPeriod | null> {
  return em.findOne(LedgerPeriod, { month }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
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

/** Persists a month as closed, without its balances. The postings are held. */
export async function persistClosed(em: EntityManager, { month, lastDay, by, at }: Closing): Promise<LedgerPeriod> {
  const closed = { status: 'closed', balances: null, closedBy: by, closedAt: at } as const;
  const found = await lockPeriod(em, month);
  if (found === null) return addRow(em, LedgerPeriod, { id: newId('ledgerPeriod'), month, lastDay, ...closed });
  Object.assign(found, closed);
  await em.flush();
  return found;
}

/** Reads what each account had at the end of a month that is closed, in the order of their numbers. */
export async function balancesAt(em: EntityManager, lastDay: string): Promise<PeriodBalance[]> {
  return [...(await accountTotals(em, lastDay))]
    .map(([account, { debitCents, creditCents }]) => ({ account, cents: debitCents - creditCents }))
    .toSorted((a, b) => a.account - b.account);
}

/**
 * Keeps the balances of a month that has just been closed, unless it has been opened again since. Nobody posts to it
 * any more, so no lock is held while they are summed.
 */
export async function keepBalances(em: EntityManager, { id, lastDay, version }: LedgerPeriod): Promise<void> {
  const balances = await balancesAt(em, lastDay);
  await em.nativeUpdate(LedgerPeriod, { id, version, status: 'closed' }, { balances });
}
