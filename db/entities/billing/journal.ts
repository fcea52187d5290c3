// A manual entry: it waits for someone else's approval and is then posted.
import { defineEntity, p } from '@mikro-orm/core';
import type { Ledger } from '../../../domain/billing/ledger/chart.ts';
import type { JournalStatus } from '../../../domain/billing/ledger/journal.ts';
import type { PostingLine } from '../../../domain/billing/ledger/posting.ts';
import {
  businessDate,
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

const JournalSchema = defineEntity({
  name: 'Journal',
  tableName: 'journals',
  properties: {
    id: idColumn('journal'),
    orgId: orgIdColumn(),
    status: code<JournalStatus>(),
    ledger: code<Ledger>(),
    date: businessDate(),
    description: p.text(),
    lines: json<PostingLine[]>(),
    policyId: p.text().strictNullable(),
    invoiceId: p.text().strictNullable(),
    /** The skipped step of a payment or refund that this journal makes up for. */
    completesPaymentId: p.text().strictNullable(),
    completesStep: p.text().strictNullable(),
    madeBy: p.text(),
    decidedBy: p.text().strictNullable(),
    decidedAt: instant().strictNullable(),
    rejectionReason: p.text().strictNullable(),
    /** The entry it was posted as. */
    entryId: p.text().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Journal extends JournalSchema.class {}
JournalSchema.setClass(Journal);
