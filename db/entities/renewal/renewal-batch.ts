// A run over the policies that expire soon. Its items show its progress.
import { defineEntity, p } from '@mikro-orm/core';
import type { ActorRef } from '../../../domain/permissions.ts';
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

export type RenewalBatchStatus = 'running' | 'completed' | 'failed';

const RenewalBatchSchema = defineEntity({
  name: 'RenewalBatch',
  tableName: 'renewal_batches',
  properties: {
    id: idColumn('batch'),
    orgId: orgIdColumn(),
    workflowId: p.text(),
    withinDays: p.integer(),
    /** The business date on which it was opened: its window starts there. */
    businessDate: businessDate(),
    /** True for the daily batch. */
    isDaily: p.boolean(),
    status: code<RenewalBatchStatus>(),
    /** The number of policies it has taken. */
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
