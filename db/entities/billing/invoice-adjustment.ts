// A change of what an invoice claims of its policy, after it was made. The database writes and keeps it.
import { defineEntity, p } from '@mikro-orm/core';
import type { AdjustmentKind } from '../../../domain/billing/account/account.ts';
import { businessDate, cents, code, createdAtColumn, idColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const InvoiceAdjustmentSchema = defineEntity({
  name: 'InvoiceAdjustment',
  tableName: 'invoice_adjustments',
  properties: {
    id: idColumn('invoiceAdjustment'),
    orgId: orgIdColumn(),
    policyId: p.text(),
    invoiceId: p.text(),
    kind: code<AdjustmentKind>(),
    /** By how much more it claims; negative for less. */
    amountCents: cents(),
    /** The policy transaction that changed it; null where none did. */
    transactionId: p.text().strictNullable(),
    adjustedOn: businessDate(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class InvoiceAdjustment extends InvoiceAdjustmentSchema.class {}
InvoiceAdjustmentSchema.setClass(InvoiceAdjustment);
