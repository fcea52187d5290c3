// Carrier money that we hold to pay its claims.
import { defineEntity, p } from '@mikro-orm/core';
import { cents, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const LossFundSchema = defineEntity({
  name: 'LossFund',
  tableName: 'loss_funds',
  properties: {
    orgId: orgIdColumn().primary(),
    carrier: p.text().primary(),
    balanceCents: cents().default(0),
    /** Requested from the carrier and not yet deposited. */
    requestedCents: cents().default(0),
    updatedAt: updatedAtColumn(),
  },
});

export class LossFund extends LossFundSchema.class {}
LossFundSchema.setClass(LossFund);
