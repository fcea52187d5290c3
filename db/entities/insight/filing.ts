// A state filing that a policy requires, with its due date.
import { defineEntity, p } from '@mikro-orm/core';
import {
  businessDate,
  code,
  createdAtColumn,
  idColumn,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

export type FilingStatus = 'open' | 'filed';

const FilingSchema = defineEntity({
  name: 'Filing',
  tableName: 'filings',
  properties: {
    id: idColumn('filing'),
    orgId: orgIdColumn(),
    policyId: p.text(),
    kind: p.text(),
    state: p.text(),
    dueDate: businessDate(),
    status: code<FilingStatus>().default('open'),
    /** Days before the due date for which a reminder has already been published. */
    announcedDays: json<number[]>().onCreate(() => []),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Filing extends FilingSchema.class {}
FilingSchema.setClass(Filing);
