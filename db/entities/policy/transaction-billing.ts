// What a policy change did to the invoices when its money moved. A change that moved none has no row.
import { defineEntity, p } from '@mikro-orm/core';
import type { CreditEffect, InvoiceEffect } from '../../../domain/policy/billing-effect.ts';
import { businessDate, createdAtColumn, json, orgIdColumn } from '../../columns.ts';

const TransactionBillingSchema = defineEntity({
  name: 'TransactionBilling',
  tableName: 'transaction_billings',
  properties: {
    orgId: orgIdColumn().primary(),
    transactionId: p.text().primary(),
    invoices: json<InvoiceEffect[]>(),
    credits: json<CreditEffect[]>(),
    /** The business date on which the money moved; the database sets it. */
    bookedOn: businessDate().defaultRaw('business_date()'),
    createdAt: createdAtColumn(),
  },
});

export class TransactionBilling extends TransactionBillingSchema.class {}
TransactionBillingSchema.setClass(TransactionBilling);
