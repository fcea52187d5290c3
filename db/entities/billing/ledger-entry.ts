// A balanced entry of the general or the fiduciary ledger. Never altered: a reversal is a separate entry.
import { defineEntity, p } from '@mikro-orm/core';
import type { Ledger } from '../../../domain/billing/ledger/chart.ts';
import { businessDate, code, createdAtColumn, idColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const LedgerEntrySchema = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entries',
  properties: {
    id: idColumn('ledgerEntry'),
    orgId: orgIdColumn(),
    ledger: code<Ledger>(),
    entryType: p.text(),
    /** Together with the type, the reason for the entry: unique in the organization. */
    sourceType: p.text(),
    sourceId: p.text(),
    reversesEntryId: p.text().strictNullable(),
    date: businessDate(),
    /** The intended day, if its month was closed; the database sets both dates. */
    originalDate: businessDate().nullable(),
    description: p.text(),
    policyId: p.text().strictNullable(),
    invoiceId: p.text().strictNullable(),
    lineCount: p.integer(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class LedgerEntry extends LedgerEntrySchema.class {}
LedgerEntrySchema.setClass(LedgerEntry);
