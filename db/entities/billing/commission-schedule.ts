// A line of business's commission rates, effective from a date. Rows are never changed.
import { defineEntity, p } from '@mikro-orm/core';
import type { CommissionSchedule as Schedule } from '../../../domain/billing/commission.ts';
import { businessDate, createdAtColumn, idColumn, json, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const CommissionScheduleSchema = defineEntity({
  name: 'CommissionSchedule',
  tableName: 'commission_schedules',
  properties: {
    id: idColumn('commissionSchedule'),
    orgId: orgIdColumn(),
    lineOfBusiness: p.text(),
    effectiveFrom: businessDate(),
    schedule: json<Schedule>(),
    createdBy: p.text(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class CommissionSchedule extends CommissionScheduleSchema.class {}
CommissionScheduleSchema.setClass(CommissionSchedule);
