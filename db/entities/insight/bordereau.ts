// A version of a bordereau: what was reported to a carrier for a month. Its files are documents that belong to it.
import { defineEntity, p } from '@mikro-orm/core';
import type { BordereauKind } from '../../../domain/insight/bordereau.ts';
import type { Totals } from '../../../domain/insight/bordereau-columns.ts';
import type { Differences } from '../../../domain/insight/bordereau-differences.ts';
import {
  businessDate,
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
} from '../../columns.ts';

/** What changed, and since which version. */
export interface VersionDifferences extends Differences {
  previousId: string;
  previousVersion: number;
}

const BordereauSchema = defineEntity({
  name: 'Bordereau',
  tableName: 'bordereaux',
  properties: {
    id: idColumn('bordereau'),
    orgId: orgIdColumn(),
    /** As the authority contracts name it. */
    carrier: p.text(),
    /** `2026-03`. */
    month: p.text(),
    kind: code<BordereauKind>(),
    /** Counts the runs for the same carrier, month and kind from 1. */
    version: p.integer(),
    status: code<'running' | 'completed' | 'failed'>(),
    /** The last day it reports: the end of the month, or the business date on which it was started. */
    through: businessDate(),
    rowCount: p.integer().strictNullable(),
    totals: json<Totals>().strictNullable(),
    /** Null for a first version, or if the previous one cannot be read. */
    differences: json<VersionDifferences>().strictNullable(),
    /** The error code of a version that could not be made. */
    failure: p.text().strictNullable(),
    createdBy: p.text(),
    completedAt: instant().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Bordereau extends BordereauSchema.class {}
BordereauSchema.setClass(Bordereau);
