// A request for coverage. The seven required fields may be null while it is incomplete.
import { defineEntity, p } from '@mikro-orm/core';
import type { Address } from '../../../domain/address.ts';
import type { SubmissionIntake } from '../../../domain/submission/acord125.ts';
import type { SanctionsMatch } from '../../../domain/submission/sanctions.ts';
import type { SubmissionStatus } from '../../../domain/submission/submission.ts';
import {
  businessDate,
  cents,
  code,
  createdAtColumn,
  idColumn,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

export interface StoredTriage {
  score: number;
  band: string;
  factors: { code: string; points: number; max: number; reason: string }[];
}

export interface StoredClearance {
  duplicateOf: string | null;
  sanctionsMatches: SanctionsMatch[];
}

const SubmissionSchema = defineEntity({
  name: 'Submission',
  tableName: 'submissions',
  properties: {
    id: idColumn('submission'),
    orgId: orgIdColumn(),
    status: code<SubmissionStatus>(),
    insuredName: p.text().strictNullable(),
    insuredNameNormalized: p.text().strictNullable(),
    naicsCode: p.text().strictNullable(),
    annualRevenueCents: cents().strictNullable(),
    requestedLimitCents: cents().strictNullable(),
    effectiveDate: businessDate().strictNullable(),
    state: p.text().strictNullable(),
    lineOfBusiness: p.text().strictNullable(),
    producerId: p.text().strictNullable(),
    insuredEmail: p.text().strictNullable(),
    insuredPhone: p.text().strictNullable(),
    insuredAddress: json<Address>().strictNullable(),
    deductibleCents: cents().strictNullable(),
    lossesLast5Years: p.integer().fieldName('losses_last_5_years').strictNullable(),
    yearsInBusiness: p.integer().strictNullable(),
    usdotNumber: p.text().strictNullable(),
    description: p.text().strictNullable(),
    missingFields: json<string[]>().onCreate(() => []),
    triage: json<StoredTriage>().strictNullable(),
    clearance: json<StoredClearance>().strictNullable(),
    /** What was read from the form it came in on. */
    intake: json<SubmissionIntake>().strictNullable(),
    /** The newest quote. */
    quoteId: p.text().strictNullable(),
    policyId: p.text().strictNullable(),
    declineReason: p.text().strictNullable(),
    /** Business date on which it expires if untouched. */
    expiresOn: businessDate().strictNullable(),
    createdBy: p.text(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Submission extends SubmissionSchema.class {}
SubmissionSchema.setClass(Submission);
