// A carrier's appointment of a producer for one line in one state. Unique per producer, carrier, state and line.
import { defineEntity, p } from '@mikro-orm/core';
import {
  businessDate,
  code,
  createdAtColumn,
  idColumn,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

export type AppointmentStatus = 'pending' | 'active' | 'suspended' | 'terminated' | 'expired' | 'rejected';

const AppointmentSchema = defineEntity({
  name: 'Appointment',
  tableName: 'appointments',
  properties: {
    id: idColumn('appointment'),
    orgId: orgIdColumn(),
    producerId: p.text(),
    state: p.text(),
    lineOfBusiness: p.text(),
    carrier: p.text(),
    status: code<AppointmentStatus>().default('pending'),
    effectiveDate: businessDate().strictNullable(),
    expirationDate: businessDate().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Appointment extends AppointmentSchema.class {}
AppointmentSchema.setClass(Appointment);
