// Posting to the ledgers. Reading for the api is in ledger-lists.ts.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Posting } from '../../../domain/billing/ledger/posting.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { LedgerEntry } from '../../entities/billing/ledger-entry.ts';
import { LedgerLine } from '../../entities/billing/ledger-line.ts';
import { newId } from '../../ids.ts';
import { addRow } from '../../new-rows.ts';

/** The reason for an entry. A source has one entry per type: the database refuses a second one. */
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
    | 'loss_fund_deposit';
  sourceId: string;
  date: BusinessDate;
  description: string;
  policyId?: string | null;
  invoiceId?: string | null;
  reversesEntryId?: string | null;
}

/** Adds an entry to the transaction; an empty entry is left out. */
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

/** Reads the entries by which an invoice was shared out and earned on: its own, or journals that make up for them. */
export function sharingEntries(em: EntityManager, invoiceId: string): Promise<LedgerEntry[]> {
  const ofSharing = { sourceType: { $in: ['invoice', 'journal'] }, entryType: { $in: ['split', 'earnings'] } };
  return em.find(LedgerEntry, { invoiceId, ...ofSharing }, { orderBy: { id: 'asc' } });
}
