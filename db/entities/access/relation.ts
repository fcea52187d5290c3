// A tuple object#relation@subject, the basis of fine-grained permissions.
import { defineEntity, p } from '@mikro-orm/core';
import type { UserAuthority } from '../../../domain/permissions.ts';
import { createdAtColumn, idColumn, json, orgIdColumn, updatedAtColumn } from '../../columns.ts';

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
    limits: json<UserAuthority>().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Relation extends RelationSchema.class {}
RelationSchema.setClass(Relation);
