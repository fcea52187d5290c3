// A filing with its due date: a state requirement for a policy, a producer's license to renew, an appointment to file,
// a month's report to a carrier, a carrier's audit of a contract, or a claim deadline. It belongs to a policy, a
// producer, a carrier or a claim.
import { defineEntity, p } from '@mikro-orm/core';
import { firstDeadlineStep } from '../../../domain/insight/deadlines.ts';
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

export type FilingStatus = 'open' | 'filed' | 'withdrawn';

const FilingSchema = defineEntity({
  name: 'Filing',
  tableName: 'filings',
  properties: {
    id: idColumn('filing'),
    orgId: orgIdColumn(),
    policyId: p.text().strictNullable(),
    producerId: p.text().strictNullable(),
    /** Set on a claim deadline. */
    claimId: p.text().strictNullable(),
    /** Set on an appointment filing. */
    appointmentId: p.text().strictNullable(),
    /** Set on a license renewal. */
    licenseNumber: p.text().strictNullable(),
    /** Set on what is due to a carrier, with the month or half-year it is for. */
    carrier: p.text().strictNullable(),
    period: p.text().strictNullable(),
    /** Set on a carrier's audit of a contract. */
    daContractId: p.text().strictNullable(),
    kind: p.text(),
    /** Null for a filing with a carrier. */
    state: p.text().strictNullable(),
    dueDate: businessDate(),
    status: code<FilingStatus>().default('open'),
    /** Days before the due date for which a reminder has already been published. */
    announcedDays: json<number[]>().onCreate(() => []),
    /** The day of the calendar's next step while it is open; null when none is left. */
    nextStepOn: businessDate()
      .strictNullable()
      .onCreate((row) => firstDeadlineStep(row as { dueDate: string })),
    /** The day it was marked overdue. */
    missedOn: businessDate().strictNullable(),
    /** The policy change that requires it. */
    transactionId: p.text().strictNullable(),
    filedOn: businessDate().strictNullable(),
    filedBy: p.text().strictNullable(),
    reference: p.text().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Filing extends FilingSchema.class {}
FilingSchema.setClass(Filing);
