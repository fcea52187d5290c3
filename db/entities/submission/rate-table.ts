// A line of business's rates, effective from a date. Rows are never changed; a later one takes over from its date.
import { defineEntity, p } from '@mikro-orm/core';
import type { RateTable as Rates } from '../../../domain/submission/rating.ts';
import { businessDate, createdAtColumn, idColumn, json, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const RateTableSchema = defineEntity({
  name: 'RateTable',
  tableName: 'rate_tables',
  properties: {
    id: idColumn('rateTable'),
    orgId: orgIdColumn(),
    lineOfBusiness: p.text(),
    effectiveFrom: businessDate(),
    table: json<Rates>(),
    createdBy: p.text(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class RateTable extends RateTableSchema.class {}
RateTableSchema.setClass(RateTable);
