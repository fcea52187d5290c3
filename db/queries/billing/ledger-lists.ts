// Reading the ledgers: account totals and pages of entries.
import type { EntityManager } from '@mikro-orm/postgresql';
import { type AccountNumber, accountOf, type Ledger } from '../../../domain/billing/ledger/chart.ts';
import type { Cents } from '../../../domain/money.ts';
import { LedgerEntry } from '../../entities/billing/ledger-entry.ts';
import { LedgerLine } from '../../entities/billing/ledger-line.ts';
import { organizationOf } from '../../scope.ts';
import { cutPage, equalTo, type Page, type PageRequest, pageOf, readCursor } from '../pages.ts';

/** An account's debits and credits. */
export interface AccountTotals {
  debitCents: Cents;
  creditCents: Cents;
}

/** Totals each account with lines. The line index holds the amounts, so no row is read. */
export async function accountTotals(em: EntityManager): Promise<Map<AccountNumber, AccountTotals>> {
  const rows = await em.execute<{ account: AccountNumber; debit: string; credit: string }[]>(
    `select account, sum(debit_cents) as debit, sum(credit_cents) as credit from ledger_lines
     where org_id = ? group by account`,
    [organizationOf(em)],
  );
  return new Map(
    rows.map(({ account, debit, credit }) => [account, { debitCents: Number(debit), creditCents: Number(credit) }]),
  );
}

export interface EntryFilter {
  account?: AccountNumber;
  invoiceId?: string;
  ledger?: Ledger;
}

/** An entry with its lines in the order in which they were written. */
export interface EntryWithLines {
  id: string;
  entry: LedgerEntry;
  lines: LedgerLine[];
}

const OF_INVOICE = 'and entry_id in (select id from ledger_entries where org_id = ? and invoice_id = ?)';

/**
 * Reads a page of entries, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export async function listEntries(
  em: EntityManager,
  { account, invoiceId, ledger }: EntryFilter,
  page: PageRequest,
): Promise<Page<EntryWithLines>> {
  const found =
    account === undefined
      ? await pageOf(em, LedgerEntry, [equalTo({ invoiceId, ledger })], page)
      : await entriesOnAccount(em, account, { invoiceId, ledger }, page);
  const entryIds = found.data.map(({ id }) => id);
  const lines = await em.find(LedgerLine, { entryId: { $in: entryIds } }, { orderBy: { id: 'asc' } });
  const ofEntry = Map.groupBy(lines, ({ entryId }) => entryId);
  const data = found.data.map((entry) => ({ id: entry.id, entry, lines: ofEntry.get(entry.id) ?? [] }));
  return { data, nextCursor: found.nextCursor };
}

/** The line index returns an account's entries in page order, however few they are among all. */
async function entriesOnAccount(
  em: EntityManager,
  account: AccountNumber,
  { invoiceId, ledger }: Omit<EntryFilter, 'account'>,
  { limit, cursor }: PageRequest,
): Promise<Page<LedgerEntry>> {
  if (ledger !== undefined && ledger !== accountOf(account).ledger) return { data: [], nextCursor: null };
  const after = cursor ? readCursor(cursor) : null;
  const rows = await em.execute<{ id: string }[]>(
    `select distinct entry_id as id from ledger_lines where org_id = ? and account = ?
     ${after === null ? '' : 'and entry_id < ?'}
     ${invoiceId === undefined ? '' : OF_INVOICE}
     order by entry_id desc limit ?`,
    [
      ...[organizationOf(em), account],
      ...(after === null ? [] : [after]),
      ...(invoiceId === undefined ? [] : [organizationOf(em), invoiceId]),
      limit + 1,
    ],
  );
  const wanted = rows.map(({ id }) => id);
  const entries = await em.find(LedgerEntry, { id: { $in: wanted } }, { orderBy: { id: 'desc' } });
  return cutPage(entries, limit);
}
