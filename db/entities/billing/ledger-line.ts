// One side of a ledger entry on one account: either a debit or a credit.
import { defineEntity, p } from '@mikro-orm/core';
import type { AccountNumber, Ledger } from '../../../domain/billing/ledger/chart.ts';
import { cents, code, createdAtColumn, idColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const LedgerLineSchema = defineEntity({
  name: 'LedgerLine',
  tableName: 'ledger_lines',
  properties: {
    id: idColumn('ledgerLine'),
    orgId: orgIdColumn(),
    entryId: p.text(),
    ledger: code<Ledger>(),
    account: p.integer().$type<AccountNumber>(),
    debitCents: cents(),
    creditCents: cents(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class LedgerLine extends LedgerLineSchema.class {}
LedgerLineSchema.setClass(LedgerLine);
