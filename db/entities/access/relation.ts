// A tuple object#relation@subject, the basis of fine-grained permissions.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, idColumn, json, orgIdColumn, updatedAtColumn } from '../../columns.ts';

/** What a user may commit the organization to; null means as much as the authority contract allows. */
export interface RelationLimits {
  maxLimitCents: number;
  maxPremiumCents: number;
  linesOfBusiness: string[] | null;
}

const RelationSchema = defineEntity({
  name: 'Relation',
  tableName: 'relations',
  properties: {
    id: idColumn('relation'),
    orgId: orgIdColumn(),
    objectType: p.text(),
    objectId: p.text(),
    relation: p.text(),
    subjectType: p.text(),
    subjectId: p.text(),
    limits: json<RelationLimits>().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Relation extends RelationSchema.class {}
RelationSchema.setClass(Relation);
