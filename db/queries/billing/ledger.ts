// Posting to the ledgers. Reading for the api is in ledger-lists.ts.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountNumber, Ledger } from '../../../domain/billing/ledger/chart.ts';
import type { Posting } from '../../../domain/billing/ledger/posting.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { LedgerEntry } from '../../entities/billing/ledger-entry.ts';
import { LedgerLine } from '../../entities/billing/ledger-line.ts';
import { findWhere } from '../../entity-rows.ts';
import { newId } from '../../ids.ts';
import { addRow } from '../../new-rows.ts';
import { organizationOf } from '../../scope.ts';

/** The reason for an entry. A source has one entry per type; the database rejects a second one. */
export interface EntrySource {
  sourceType:
    | 'payment'
    | 'refund'
    | 'disbursement'
    | 'invoice'
    | 'exchange'
    | 'transfer'
    | 'journal'
    | 'entry'
    | 'settlement'
    | 'claim_payment'
    | 'claim_recovery'
    | 'loss_fund_deposit'
    | 'remittance'
    | 'card_payout'
    | 'shortfall';
  sourceId: string;
  date: BusinessDate;
  description: string;
  policyId?: string | null;
  invoiceId?: string | null;
  reversesEntryId?: string | null;
}

/** Adds an entry to the transaction; skips an empty one. */
export function postEntry(em: EntityManager, posting: Posting | null, source: EntrySource): LedgerEntry | null {
  if (posting === null) return null;
  const { ledger, entryType, lines } = posting;
  const entry = addRow(em, LedgerEntry, {
    id: newId('ledgerEntry'),
    ledger,
    entryType,
    lineCount: lines.length,
    ...source,
  });
  for (const { account, debitCents, creditCents } of lines) {
    addRow(em, LedgerLine, { entryId: entry.id, ledger, account, debitCents, creditCents });
  }
  return entry;
}

/** Reads a source's entries, in posting order. */
export function entriesOf(
  em: EntityManager,
  source: Pick<EntrySource, 'sourceType' | 'sourceId'>,
): Promise<LedgerEntry[]> {
  const { sourceType, sourceId } = source;
  return em.find(LedgerEntry, { sourceType, sourceId }, { orderBy: { id: 'asc' } });
}

/** Reads the entries in which a receipt funds a return that operating money had covered, in posting order. */
export async function uncoveringEntries(
  em: EntityManager,
  { id, invoiceId }: { id: string; invoiceId: string | null },
): Promise<LedgerEntry[]> {
  const entryType = { $in: ['return', 'uncovered', 'loss_recovered'] };
  const found = await em.find(
    LedgerEntry,
    { invoiceId, sourceType: 'settlement', entryType },
    { orderBy: { id: 'asc' } },
  );
  return found.filter(({ sourceId }) => sourceId.startsWith(`${id}/`));
}

/** The accounts that hold money of an invoice once it is shared out and earned. */
const SHARES: Readonly<Record<Ledger, readonly AccountNumber[]>> = {
  fiduciary: [2010, 2020, 2030, 2040, 2050, 2090],
  general: [4010, 4020],
};

/** Whether anyone has a share of an invoice, or we have earned on it; a reversed payment takes it all back. */
export async function isSharedOut(em: EntityManager, invoiceId: string, ledger: Ledger): Promise<boolean> {
  const accounts = SHARES[ledger];
  const [row] = await em.execute<{ cents: string }[]>(
    `select coalesce(sum(l.credit_cents - l.debit_cents), 0) as cents
       from ledger_entries e join ledger_lines l on l.org_id = e.org_id and l.entry_id = e.id
       where e.org_id = ? and e.invoice_id = ? and e.entry_type not in ('transfer', 'transfer_received')
         and l.account in (${accounts.map(() => '?').join(', ')})`,
    [organizationOf(em), invoiceId, ...accounts],
  );
  return Number(row?.cents ?? 0) > 0;
}

const SHARING = `org_id = $1 and invoice_id = $2 and source_type in ('invoice', 'journal')
  and entry_type in ('split', 'earnings') order by id`;

/** Reads the entries that share out an invoice and earn on it: its own, or the journals that replace them. */
export function sharingEntries(em: EntityManager, invoiceId: string): Promise<LedgerEntry[]> {
  return findWhere(em, LedgerEntry, SHARING, [invoiceId]);
}
