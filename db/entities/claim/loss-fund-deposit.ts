// A deposit by a carrier into its loss fund.
import { defineEntity, p } from '@mikro-orm/core';
import { businessDate, cents, createdAtColumn, idColumn, orgIdColumn } from '../../columns.ts';

const LossFundDepositSchema = defineEntity({
  name: 'LossFundDeposit',
  tableName: 'loss_fund_deposits',
  properties: {
    id: idColumn('lossFundDeposit'),
    orgId: orgIdColumn(),
    carrier: p.text(),
    amountCents: cents(),
    /** The bank's reference; unique per carrier. */
    reference: p.text(),
    depositedOn: businessDate(),
    createdBy: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class LossFundDeposit extends LossFundDepositSchema.class {}
LossFundDepositSchema.setClass(LossFundDeposit);
