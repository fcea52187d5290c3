// A name that a person has cleared: it only resembles a listed party. Only its withdrawal may change it.
import { defineEntity, p } from '@mikro-orm/core';
import type { ActorRef } from '../../../domain/permissions.ts';
import type { SanctionsMatch } from '../../../domain/submission/sanctions.ts';
import {
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

const SanctionsClearanceSchema = defineEntity({
  name: 'SanctionsClearance',
  tableName: 'sanctions_clearances',
  properties: {
    id: idColumn('sanctionsClearance'),
    orgId: orgIdColumn(),
    name: p.text(),
    /** The same for all spellings of the name. */
    nameKey: p.text(),
    /** The list entries that it covers, as the person saw them. */
    matches: json<SanctionsMatch[]>(),
    reason: p.text(),
    clearedBy: json<ActorRef>(),
    withdrawnAt: instant().strictNullable(),
    withdrawnBy: json<ActorRef>().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class SanctionsClearance extends SanctionsClearanceSchema.class {}
SanctionsClearanceSchema.setClass(SanctionsClearance);
