// The money of a carrier that we hold to pay its claims with.
import { defineEntity, p } from '@mikro-orm/core';
import { cents, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const LossFundSchema = defineEntity({
  name: 'LossFund',
  tableName: 'loss_funds',
  properties: {
    orgId: orgIdColumn().primary(),
    carrier: p.text().primary(),
    balanceCents: cents().default(0),
    /** Requested of the carrier and not deposited yet. */
    requestedCents: cents().default(0),
    updatedAt: updatedAtColumn(),
  },
});

export class LossFund extends LossFundSchema.class {}
LossFundSchema.setClass(LossFund);
