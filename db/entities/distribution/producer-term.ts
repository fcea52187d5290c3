// The commission rate agreed with a producer for a line, effective from a date. Rows are never changed.
import { defineEntity, p } from '@mikro-orm/core';
import { businessDate, createdAtColumn, idColumn, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const ProducerTermSchema = defineEntity({
  name: 'ProducerTerm',
  tableName: 'producer_terms',
  properties: {
    id: idColumn('producerTerm'),
    orgId: orgIdColumn(),
    producerId: p.text(),
    lineOfBusiness: p.text(),
    effectiveFrom: businessDate(),
    /** Share of gross premium, as decimal text; null reverts to the line's schedule. */
    agentRate: p.text().strictNullable(),
    createdBy: p.text(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class ProducerTerm extends ProducerTermSchema.class {}
ProducerTermSchema.setClass(ProducerTerm);
