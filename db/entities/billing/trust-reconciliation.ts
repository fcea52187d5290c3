// A run of the reconciliation: whether the trust holds what it owes, and which records disagree.
import { defineEntity, p } from '@mikro-orm/core';
import type { CheckResult } from '../../../domain/billing/reconciliation/report.ts';
import {
  businessDate,
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
} from '../../columns.ts';

const TrustReconciliationSchema = defineEntity({
  name: 'TrustReconciliation',
  tableName: 'trust_reconciliations',
  properties: {
    id: idColumn('trustReconciliation'),
    orgId: orgIdColumn(),
    date: businessDate(),
    status: code<'running' | 'completed'>().default('completed'),
    /** Whether the checks found nothing; null while it runs. */
    isClean: p.boolean().strictNullable(),
    /** Cents by name. */
    figures: json<Record<string, number>>(),
    /** What the trust owes, by account. */
    liabilities: json<{ account: number; cents: number }[]>().onCreate(() => []),
    checks: json<CheckResult[]>().onCreate(() => []),
    finishedAt: instant().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class TrustReconciliation extends TrustReconciliationSchema.class {}
TrustReconciliationSchema.setClass(TrustReconciliation);
