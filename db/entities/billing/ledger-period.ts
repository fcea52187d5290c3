// A closed ledger month: no more entries are dated in it.
import { defineEntity, p } from '@mikro-orm/core';
import type { PeriodStatus } from '../../../domain/billing/ledger/period.ts';
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

/** An account's balance at the end of the month: debits less credits. */
export interface PeriodBalance {
  account: number;
  cents: number;
}

const LedgerPeriodSchema = defineEntity({
  name: 'LedgerPeriod',
  tableName: 'ledger_periods',
  properties: {
    id: idColumn('ledgerPeriod'),
    orgId: orgIdColumn(),
    /** `YYYY-MM`; unique in the organization. */
    month: p.text(),
    lastDay: businessDate(),
    status: code<PeriodStatus>(),
    /** As of the close; null until they are summed, which happens after the close. */
    balances: json<PeriodBalance[]>().strictNullable(),
    closedBy: p.text(),
    closedAt: instant(),
    reopenedBy: p.text().strictNullable(),
    reopenedAt: instant().strictNullable(),
    reopenReason: p.text().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class LedgerPeriod extends LedgerPeriodSchema.class {}
LedgerPeriodSchema.setClass(LedgerPeriod);
