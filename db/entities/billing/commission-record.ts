// How a paid invoice's premium is shared between agent, managing general agent and carrier. A reversal is negative.
import { defineEntity, p } from '@mikro-orm/core';
import {
  businessDate,
  cents,
  code,
  createdAtColumn,
  idColumn,
  json,
  orgIdColumn,
  updatedAtColumn,
} from '../../columns.ts';

const CommissionRecordSchema = defineEntity({
  name: 'CommissionRecord',
  tableName: 'commission_records',
  properties: {
    id: idColumn('commissionRecord'),
    orgId: orgIdColumn(),
    type: code<'earned' | 'reversal'>(),
    reversesId: p.text().strictNullable(),
    policyId: p.text(),
    invoiceId: p.text(),
    producerId: p.text(),
    /** Its cause; unique for the invoice. */
    sourceType: p.text(),
    sourceId: p.text(),
    grossPremiumCents: cents(),
    agentCommissionCents: cents(),
    mgaCommissionCents: cents(),
    carrierNetCents: cents(),
    tier: p.integer(),
    rates: json<{ agentRate: string; mgaRate: string }>(),
    /** The date of the entry that moves the share. */
    recordedOn: businessDate(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class CommissionRecord extends CommissionRecordSchema.class {}
CommissionRecordSchema.setClass(CommissionRecord);
