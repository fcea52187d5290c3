// Amounts owed by due date, and commission by day. A row is one change or the sum of many; the figure is their total.
// Decision 0140.
import { defineEntity, p } from '@mikro-orm/core';
import { businessDate, cents, orgIdColumn } from '../../columns.ts';

const wholeNumber = cents;

const ReceivableFactSchema = defineEntity({
  name: 'ReceivableFact',
  tableName: 'receivable_facts',
  properties: {
    orgId: orgIdColumn().primary(),
    id: wholeNumber().primary(),
    dueDate: businessDate(),
    invoiceCount: wholeNumber(),
    balanceCents: cents(),
    merged: p.boolean(),
  },
});

export class ReceivableFact extends ReceivableFactSchema.class {}
ReceivableFactSchema.setClass(ReceivableFact);

const CommissionFactSchema = defineEntity({
  name: 'CommissionFact',
  tableName: 'commission_facts',
  properties: {
    orgId: orgIdColumn().primary(),
    id: wholeNumber().primary(),
    recordedOn: businessDate(),
    grossPremiumCents: cents(),
    agentCommissionCents: cents(),
    mgaCommissionCents: cents(),
    carrierNetCents: cents(),
    recordCount: wholeNumber(),
    merged: p.boolean(),
  },
});

export class CommissionFact extends CommissionFactSchema.class {}
CommissionFactSchema.setClass(CommissionFact);
