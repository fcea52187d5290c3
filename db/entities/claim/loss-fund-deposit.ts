// What a carrier has paid into its loss fund.
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
    /** Of the bank; unique for each carrier. */
    reference: p.text(),
    depositedOn: businessDate(),
    createdBy: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class LossFundDeposit extends LossFundDepositSchema.class {}
LossFundDepositSchema.setClass(LossFundDeposit);
