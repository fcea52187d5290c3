// A change to what an invoice claims from its policy after it was created. The database writes it.
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
    /** The increase in the claim; negative for a decrease. */
    amountCents: cents(),
    /** The policy transaction that changed it; null if none did. */
    transactionId: p.text().strictNullable(),
    adjustedOn: businessDate(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class InvoiceAdjustment extends InvoiceAdjustmentSchema.class {}
InvoiceAdjustmentSchema.setClass(InvoiceAdjustment);
