// A run over the policies that expire soon. How far it is, its items say.
import { defineEntity, p } from '@mikro-orm/core';
import type { ActorRef } from '../../domain/permissions.ts';
import {
  businessDate,
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
} from '../columns.ts';

export type RenewalBatchStatus = 'running' | 'completed' | 'failed';

const RenewalBatchSchema = defineEntity({
  name: 'RenewalBatch',
  tableName: 'renewal_batches',
  properties: {
    id: idColumn('batch'),
    orgId: orgIdColumn(),
    workflowId: p.text(),
    withinDays: p.integer(),
    /** The business date on which it was opened: its window is counted from it. */
    businessDate: businessDate(),
    /** Whether the calendar has asked for it. */
    isDaily: p.boolean(),
    status: code<RenewalBatchStatus>(),
    /** How many policies it has taken. */
    matched: p.integer(),
    requestedBy: json<ActorRef>(),
    requestId: p.text().strictNullable(),
    completedAt: instant().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class RenewalBatch extends RenewalBatchSchema.class {}
RenewalBatchSchema.setClass(RenewalBatch);
