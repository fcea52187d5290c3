// The daily proof that the trust holds what it owes: ledger, payments and invoices side by side.
import { defineEntity, p } from '@mikro-orm/core';
import { businessDate, createdAtColumn, idColumn, json, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const TrustReconciliationSchema = defineEntity({
  name: 'TrustReconciliation',
  tableName: 'trust_reconciliations',
  properties: {
    id: idColumn('trustReconciliation'),
    orgId: orgIdColumn(),
    date: businessDate(),
    isClean: p.boolean(),
    /** Amounts in cents by name. */
    figures: json<Record<string, number>>(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class TrustReconciliation extends TrustReconciliationSchema.class {}
TrustReconciliationSchema.setClass(TrustReconciliation);
