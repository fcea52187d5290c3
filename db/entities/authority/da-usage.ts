// How much of a contract's premium volume is used, by calendar year of the policies' effective dates.
import { defineEntity, p } from '@mikro-orm/core';
import { cents, createdAtColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const DaUsageSchema = defineEntity({
  name: 'DaUsage',
  tableName: 'da_usage',
  properties: {
    orgId: orgIdColumn().primary(),
    contractId: p.text().primary(),
    year: p.integer().primary(),
    usedCents: cents().default(0),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class DaUsage extends DaUsageSchema.class {}
DaUsageSchema.setClass(DaUsage);
