// Maps ledger accounts and entries from rows to the wire. Pure. Contract 3.4 "Ledgers".
import type { AccountTotals, EntryWithLines } from '../../../db/queries/billing/ledger-lists.ts';
import type { ChartAccount } from '../../../domain/billing/ledger/chart.ts';
import { toDollars } from '../../../domain/money.ts';
import { instantToWire } from './charges.wire.ts';
import type { LedgerAccountWire, LedgerEntryWire } from './ledger.schemas.ts';

/** Returns an account with its balance on its normal side; `totals` is missing for one without lines. */
export function accountToWire(
  { account, name, kind, ledger }: ChartAccount,
  totals: AccountTotals | undefined,
): LedgerAccountWire {
  const { debitCents, creditCents } = totals ?? { debitCents: 0, creditCents: 0 };
  const growsByDebit = kind === 'asset' || kind === 'expense';
  const balanceCents = growsByDebit ? debitCents - creditCents : creditCents - debitCents;
  return { account, name, kind, fiduciary: ledger === 'fiduciary', balance: toDollars(balanceCents) };
}

/** Returns an entry with its lines; amounts in dollars. */
export function ledgerEntryToWire({ entry, lines }: EntryWithLines): LedgerEntryWire {
  const { id, orgId, ledger, entryType, date, description, sourceType, sourceId, reversesEntryId } = entry;
  const { originalDate = null, policyId, invoiceId, createdAt, updatedAt } = entry;
  return {
    ...{ id, orgId, ledger, entryType, date, description, sourceType, sourceId, reversesEntryId, policyId, invoiceId },
    originalDate,
    lines: lines.map(({ account, debitCents, creditCents }) => ({
      account,
      debit: toDollars(debitCents),
      credit: toDollars(creditCents),
    })),
    createdAt: instantToWire(createdAt),
    updatedAt: instantToWire(updatedAt),
  };
}
