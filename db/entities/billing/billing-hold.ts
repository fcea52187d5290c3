// A period during which a state allows no policy to lapse: its days do not count. A lifted hold ends the day before.
import { defineEntity, p } from '@mikro-orm/core';
import { businessDate, createdAtColumn, idColumn, orgIdColumn, updatedAtColumn, versionColumn } from '../../columns.ts';

const BillingHoldSchema = defineEntity({
  name: 'BillingHold',
  tableName: 'billing_holds',
  properties: {
    id: idColumn('billingHold'),
    orgId: orgIdColumn(),
    state: p.text(),
    fromDate: businessDate(),
    /** The last day. */
    toDate: businessDate(),
    liftedOn: businessDate().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class BillingHold extends BillingHoldSchema.class {}
BillingHoldSchema.setClass(BillingHold);
