// Authority to decide referrals, lent to a deputy for a time. Only its end may change.
import { defineEntity, p } from '@mikro-orm/core';
import type { Role } from '../../../domain/permissions.ts';
import {
  businessDate,
  code,
  createdAtColumn,
  idColumn,
  instant,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

const DelegationSchema = defineEntity({
  name: 'Delegation',
  tableName: 'delegations',
  properties: {
    id: idColumn('delegation'),
    orgId: orgIdColumn(),
    lenderId: p.text(),
    /** As of then. For a stored user, the current role counts. */
    lenderRole: code<Role>(),
    deputyId: p.text(),
    /** Inclusive. */
    startsOn: businessDate(),
    endsOn: businessDate(),
    endedAt: instant().strictNullable(),
    endedBy: p.text().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Delegation extends DelegationSchema.class {}
DelegationSchema.setClass(Delegation);
