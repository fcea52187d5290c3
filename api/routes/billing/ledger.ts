// The ledgers: account balances, and the entries behind them. They are read-only here; money movements write them.
// Contract 3.4.
import { accountTotals, listEntries } from '../../../db/queries/billing/ledger-lists.ts';
import { ACCOUNTS } from '../../../domain/billing/ledger/chart.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { pageToWire } from '../../spine/schemas.ts';
import { LedgerAccountQuery, LedgerAccountsSchema, LedgerEntryPageSchema, LedgerEntryQuery } from './ledger.schemas.ts';
import { accountToWire, ledgerEntryToWire } from './ledger.wire.ts';

const TAG = 'Billing';
const SPEC = 'Contract 3.4';

const listAccounts = route({
  method: 'get',
  path: '/ledger/accounts',
  operationId: 'listLedgerAccounts',
  tag: TAG,
  spec: SPEC,
  summary: 'List the accounts of both ledgers with their balances',
  description:
    'Balances are in dollars, over all entries or at the end of `asOf`. Fiduciary accounts hold money that belongs to others.',
  access: allow('ledger:read'),
  query: LedgerAccountQuery,
  response: { status: 200, body: LedgerAccountsSchema },
  errors: [],
  handler: async ({ query: { asOf }, db }) => {
    const totals = await db.read((em) => accountTotals(em, asOf));
    return { data: ACCOUNTS.map((account) => accountToWire(account, totals.get(account.account))), nextCursor: null };
  },
});

const listEntriesRoute = route({
  method: 'get',
  path: '/ledger/entries',
  operationId: 'listLedgerEntries',
  tag: TAG,
  spec: SPEC,
  summary: 'List the entries of the ledgers, newest first',
  description:
    'Filter by account, ledger, invoice or date. Entries are never changed: a mistake is corrected by an entry that reverses it.',
  access: allow('ledger:read'),
  query: LedgerEntryQuery,
  response: { status: 200, body: LedgerEntryPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, db }) =>
    pageToWire(await db.read((em) => listEntries(em, filter, { limit, cursor })), ledgerEntryToWire),
});

export const ledgerRoutes = [listAccounts, listEntriesRoute];
