// A carrier's appointment of a producer for one line in one state. One at a time for each producer, carrier, state and
// line; ended ones stay unchanged.
import { defineEntity, p } from '@mikro-orm/core';
import type { AppointmentStatus } from '../../../domain/distribution/appointment.ts';
import {
  businessDate,
  code,
  createdAtColumn,
  idColumn,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

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
    /** The first day without the appointment. */
    expirationDate: businessDate().strictNullable(),
    /** Whether it is for surplus lines, for which appointments are not filed. */
    surplusLines: p.boolean().default(false),
    /** Whether it was terminated for cause; null unless it was terminated. */
    forCause: p.boolean().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Appointment extends AppointmentSchema.class {}
AppointmentSchema.setClass(Appointment);
