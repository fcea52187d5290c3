// Reading the ledgers: account totals and pages of entries.
import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type AccountNumber, accountOf, type Ledger } from '../../../domain/billing/ledger/chart.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Cents } from '../../../domain/money.ts';
import { LedgerEntry } from '../../entities/billing/ledger-entry.ts';
import { LedgerLine } from '../../entities/billing/ledger-line.ts';
import { organizationOf } from '../../scope.ts';
import { between, cutPage, equalTo, type Page, type PageRequest, pageOf, readCursor } from '../pages.ts';

/** An account's debits and credits. */
export interface AccountTotals {
  debitCents: Cents;
  creditCents: Cents;
}

/**
 * Totals each account that has lines, up to a date if given. Without one, the line index holds the amounts, so no row
 * is read.
 */
export async function accountTotals(
  em: EntityManager,
  asOf?: BusinessDate,
): Promise<Map<AccountNumber, AccountTotals>> {
  const orgId = organizationOf(em);
  const dated = 'and entry_id in (select id from ledger_entries where org_id = ? and date <= ?)';
  const rows = await em.execute<{ account: AccountNumber; debit: string; credit: string }[]>(
    `select account, sum(debit_cents) as debit, sum(credit_cents) as credit from ledger_lines
     where org_id = ? ${asOf === undefined ? '' : dated} group by account`,
    asOf === undefined ? [orgId] : [orgId, orgId, asOf],
  );
  return new Map(
    rows.map(({ account, debit, credit }) => [account, { debitCents: Number(debit), creditCents: Number(credit) }]),
  );
}

/** Reads the cash of the trust account (1010), in cents. */
export async function trustCashCents(em: EntityManager): Promise<number> {
  const [row] = await em.execute<{ cents: string }[]>(
    'select coalesce(sum(debit_cents - credit_cents), 0) as cents from ledger_lines where org_id = ? and account = 1010',
    [organizationOf(em)],
  );
  return Number(row?.cents ?? 0);
}

export interface EntryFilter {
  account?: AccountNumber;
  invoiceId?: string;
  ledger?: Ledger;
  /** Entry dates, inclusive. */
  from?: BusinessDate;
  to?: BusinessDate;
}

/** An entry with its lines in the order written. */
export interface EntryWithLines {
  id: string;
  entry: LedgerEntry;
  lines: LedgerLine[];
}

const OF_DATES =
  'and entry_id in (select id from ledger_entries where org_id = ? and date between ?::date and ?::date)';
const OF_INVOICE = 'and entry_id in (select id from ledger_entries where org_id = ? and invoice_id = ?)';

/**
 * Reads a page of entries, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export async function listEntries(
  em: EntityManager,
  { account, ...filter }: EntryFilter,
  page: PageRequest,
): Promise<Page<EntryWithLines>> {
  const found =
    account === undefined
      ? await pageOf(em, LedgerEntry, conditionsOf(filter), page)
      : await entriesOnAccount(em, account, filter, page);
  const entryIds = found.data.map(({ id }) => id);
  const lines = await em.find(LedgerLine, { entryId: { $in: entryIds } }, { orderBy: { id: 'asc' } });
  const ofEntry = Map.groupBy(lines, ({ entryId }) => entryId);
  const data = found.data.map((entry) => ({ id: entry.id, entry, lines: ofEntry.get(entry.id) ?? [] }));
  return { data, nextCursor: found.nextCursor };
}

function conditionsOf({ invoiceId, ledger, from, to }: Omit<EntryFilter, 'account'>): FilterQuery<LedgerEntry>[] {
  const date = between(from, to);
  return [equalTo({ invoiceId, ledger } as Record<string, string>), ...(date ? [{ date }] : [])];
}

/** The line index returns an account's entries in page order, however few they are. */
async function entriesOnAccount(
  em: EntityManager,
  account: AccountNumber,
  { invoiceId, ledger, from, to }: Omit<EntryFilter, 'account'>,
  { limit, cursor }: PageRequest,
): Promise<Page<LedgerEntry>> {
  if (ledger !== undefined && ledger !== accountOf(account).ledger) return { data: [], nextCursor: null };
  const after = cursor ? readCursor(cursor) : null;
  const rows = await em.execute<{ id: string }[]>(
    `select distinct entry_id as id from ledger_lines where org_id = ? and account = ?
     ${after === null ? '' : 'and entry_id < ?'}
     ${invoiceId === undefined ? '' : OF_INVOICE}
     ${from === undefined && to === undefined ? '' : OF_DATES}
     order by entry_id desc limit ?`,
    [
      ...[organizationOf(em), account],
      ...(after === null ? [] : [after]),
      ...(invoiceId === undefined ? [] : [organizationOf(em), invoiceId]),
      ...(from === undefined && to === undefined ? [] : [organizationOf(em), from ?? '-infinity', to ?? 'infinity']),
      limit + 1,
    ],
  );
  const wanted = rows.map(({ id }) => id);
  const entries = await em.find(LedgerEntry, { id: { $in: wanted } }, { orderBy: { id: 'desc' } });
  return cutPage(entries, limit);
}
