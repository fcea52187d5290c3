/**
 * One invoice in the fiduciary ledger: how it was shared out and what has been returned. Read under the invoice's lock.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { LedgerEntry } from '../../../db/entities/billing/ledger-entry.ts';
import type { LedgerLine } from '../../../db/entities/billing/ledger-line.ts';
import { entriesOfInvoice, ledgerLinesOf, returnsOfInvoice } from '../../../db/queries/billing/refunds.ts';
import type { AccountNumber } from '../../../domain/billing/ledger/chart.ts';
import { type InvoiceSplit, splitDifference } from '../../../domain/billing/ledger/invoice-split.ts';
import { NO_SPLIT, type ReturnedShares } from '../../../domain/billing/ledger/returned-part.ts';

const ACCOUNT_OF: Record<keyof InvoiceSplit, AccountNumber> = {
  carrierCents: 2010,
  agentCents: 2020,
  mgaCents: 2030,
  taxCents: 2040,
  stampingCents: 2050,
  feeCents: 2090,
};

export interface InvoiceLedger {
  /** In posting order, with all their lines. */
  entries: readonly LedgerEntry[];
  lines: readonly LedgerLine[];
  /** Null until the invoice is shared out; includes later reclassifications and resettlements. */
  split: InvoiceSplit | null;
  /** What all returns still in effect took from the shares. */
  returned: InvoiceSplit;
}

/** Reads an invoice's shares from its entries; a reversed return no longer counts. */
export async function invoiceLedger(em: EntityManager, { id }: Invoice): Promise<InvoiceLedger> {
  const entries = await entriesOfInvoice(em, id);
  const lines = await ledgerLinesOf(em, entries);
  const splits = entries.filter(isShares);
  const splitLines = linesIn(lines, splits);
  const shared = splitDifference(sharesIn(splitLines, 'creditCents'), sharesIn(splitLines, 'debitCents'));
  const returned = sharesIn(linesIn(lines, standingReturns(entries)), 'debitCents');
  return { entries, lines, split: splits.length === 0 ? null : shared, returned };
}

/** Reads what all of an invoice's returns took, and the part taken by those that a policy change composed. */
export async function returnedShares(
  em: EntityManager,
  { id }: Invoice,
  { entries, lines, returned }: InvoiceLedger,
): Promise<ReturnedShares> {
  const standing = standingReturns(entries);
  const rows = standing.length === 0 ? [] : await returnsOfInvoice(em, id);
  const composedIds = new Set(rows.filter(({ composition }) => composition !== null).map((row) => row.id));
  const composed = standing.filter(({ sourceId }) => composedIds.has(sourceId));
  return { returned, composed: sharesIn(linesIn(lines, composed), 'debitCents') };
}

/** Picks the entries' lines. */
export function linesIn(lines: readonly LedgerLine[], entries: readonly LedgerEntry[]): LedgerLine[] {
  const ids = new Set(entries.map(({ id }) => id));
  return lines.filter(({ entryId }) => ids.has(entryId));
}

function isShares({ entryType, sourceType }: LedgerEntry): boolean {
  if (entryType === 'reclassification' || entryType === 'sharing') return true;
  return entryType === 'split' && (sourceType === 'invoice' || sourceType === 'journal');
}

/** Totals one side of the accounts that an invoice is shared out to. */
export function sharesIn(lines: readonly LedgerLine[], side: 'debitCents' | 'creditCents'): InvoiceSplit {
  const shares = { ...NO_SPLIT };
  for (const [part, account] of Object.entries(ACCOUNT_OF) as [keyof InvoiceSplit, AccountNumber][]) {
    shares[part] = sumOn(lines, account, side);
  }
  return shares;
}

function standingReturns(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const reversed = new Set(entries.map(({ reversesEntryId }) => reversesEntryId));
  return entries.filter(({ id, entryType }) => entryType === 'return' && !reversed.has(id));
}

function sumOn(lines: readonly LedgerLine[], account: AccountNumber, side: 'debitCents' | 'creditCents'): number {
  return lines.filter((line) => line.account === account).reduce((sum, line) => sum + line[side], 0);
}
