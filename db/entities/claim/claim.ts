// The current state of a claim. The insured's name is all it says about a person: the particulars of the loss are in
// claim-particulars.ts, reasons and notes in claim-note.ts, references in claim-reference.ts. Its entries hold the
// history.
import { defineEntity, p } from '@mikro-orm/core';
import type { ClaimStatus } from '../../../domain/claim/claim.ts';
import type { ClaimClocks } from '../../../domain/claim/clocks.ts';
import type { CoverageFlag, LossCoverage } from '../../../domain/claim/coverage.ts';
import type { Settlement } from '../../../domain/claim/settlement.ts';
import {
  businessDate,
  cents,
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

/** When coverage was denied. The note has the reason; the provision is stored under the note's id. */
export interface StoredDenial {
  noteId: string;
  on: string;
}

/** How the claim was closed. */
export interface StoredClosure {
  outcome: string | null;
  on: string;
}

const ClaimSchema = defineEntity({
  name: 'Claim',
  tableName: 'claims',
  properties: {
    id: idColumn('claim'),
    orgId: orgIdColumn(),
    /** `CLM-2026-000045`. */
    claimNumber: p.text(),
    status: code<ClaimStatus>(),
    /** The term that responds to the loss; the facts below are of that term. */
    policyId: p.text(),
    policyNumber: p.text(),
    insuredName: p.text(),
    producerId: p.text().strictNullable(),
    state: p.text(),
    lineOfBusiness: p.text(),
    lossDate: businessDate(),
    /** The business date of the notice. */
    reportedOn: businessDate(),
    /** Whether its particulars, reasons and notes are protected. */
    containsPhi: p.boolean(),
    adjusterId: p.text().strictNullable(),
    /**
     * Whether someone with the right to assign gave it to its adjuster; an adjuster also has claims they filed
     * themselves.
     */
    isAssigned: p.boolean(),
    estimatedAmountCents: cents().strictNullable(),
    coverage: json<LossCoverage>(),
    coverageFlags: json<CoverageFlag[]>(),
    duplicateOf: p.text().strictNullable(),
    /** What the claim is expected to cost, including what is already paid. */
    reserveIndemnityCents: cents().default(0),
    reserveExpenseCents: cents().default(0),
    paidIndemnityCents: cents().default(0),
    paidExpenseCents: cents().default(0),
    recoveredCents: cents().default(0),
    /** The part of the deductible that settlements have taken. */
    deductibleTakenCents: cents().default(0),
    /** The latest settlement. */
    settlement: json<Settlement>().strictNullable(),
    clocks: json<ClaimClocks>(),
    /** The business date of the calendar's next step; null when none is left. */
    nextStepOn: businessDate().strictNullable(),
    denial: json<StoredDenial>().strictNullable(),
    closure: json<StoredClosure>().strictNullable(),
    closedAt: instant().strictNullable(),
    /** Entries of its history so far. */
    entries: p.integer().default(0),
    createdBy: p.text(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Claim extends ClaimSchema.class {}
ClaimSchema.setClass(Claim);
