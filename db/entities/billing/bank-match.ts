// A movement of account 1010 that a bank booking corresponds to; released when a person undoes the match.
import { defineEntity, p } from '@mikro-orm/core';
import { cents, createdAtColumn, idColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const BankMatchSchema = defineEntity({
  name: 'BankMatch',
  tableName: 'bank_matches',
  properties: {
    id: idColumn('bankMatch'),
    orgId: orgIdColumn(),
    bankLineId: p.text(),
    ledgerLineId: p.text(),
    amountCents: cents(),
    released: p.boolean().default(false),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class BankMatch extends BankMatchSchema.class {}
BankMatchSchema.setClass(BankMatch);
