/**
 * What the steps are asked and what they answer: plain JSON that crosses from the api through a workflow to an activity and back.
 * Answers are references and states, never documents; the rows are read from the database.
 */
import type { BusinessDate } from '../domain/dates.ts';
import type { InstallmentPlan } from '../domain/lines.ts';
import type { ActorRef } from '../domain/permissions.ts';
import type { PolicyStatus } from '../domain/policy.ts';
import type { SubmissionStatus } from '../domain/submission.ts';

/** One request to change one entity. `commandId` is the key under which the outcome is kept. */
export interface Command<P = Record<string, never>> {
  commandId: string;
  /**
   * Under which the update is sent; the command's id where it is left out. A run answers an update id with its first outcome for ever, so one
   * whose refusal is not kept for its Idempotency-Key is sent under another the next time.
   */
  updateId?: string;
  orgId: string;
  entityId: string;
  actor: ActorRef;
  requestId: string;
  /** The version that the caller's `If-Match` named; held against the row under its lock. */
  expectedVersion?: number;
  payload: P;
}

/** Postal address as it is kept. */
export interface AddressFields {
  line1: string;
  line2?: string | null;
  city: string;
  state: string;
  postalCode: string;
}

/** What a submission says, in cents and business dates. A null is "not known": the first seven make it complete. */
export interface SubmissionFields {
  insuredName: string | null;
  naicsCode: string | null;
  annualRevenueCents: number | null;
  requestedLimitCents: number | null;
  effectiveDate: BusinessDate | null;
  state: string | null;
  lineOfBusiness: string | null;
  producerId: string | null;
  insuredEmail: string | null;
  insuredPhone: string | null;
  insuredAddress: AddressFields | null;
  deductibleCents: number | null;
  lossesLast5Years: number | null;
  yearsInBusiness: number | null;
  usdotNumber: string | null;
  description: string | null;
}

/** Only the named fields change; null clears an optional one. */
export type SubmissionChanges = Partial<SubmissionFields>;

export interface BindPayload {
  installmentPlan: InstallmentPlan;
  /** The quote the caller means; null binds the latest. */
  quoteId: string | null;
}

export interface DeclinePayload {
  reason: string;
}

/** An outcome that was kept by an earlier run of the same command; the entity may have moved on since. */
export type Repeatable<Outcome> = Outcome & { repeated?: true };

/** What a workflow must know of its entity after a step, and what the caller needs to read the rows. */
export interface SubmissionOutcome {
  submissionId: string;
  status: SubmissionStatus;
  version: number;
  /** The business date on which an untouched submission expires. */
  expiresOn: BusinessDate;
  /** Days by which the organization's business date is ahead of the UTC date. */
  clockOffsetDays: number;
}

export interface QuoteOutcome extends SubmissionOutcome {
  quoteId: string;
}

export interface BindOutcome extends SubmissionOutcome {
  quoteId: string;
  policyId: string;
  policy: PolicyOutcome;
}

export interface PolicyOutcome {
  policyId: string;
  policyNumber: string;
  lineOfBusiness: string;
  status: PolicyStatus;
  version: number;
  effectiveDate: BusinessDate;
  expirationDate: BusinessDate;
  /** The day of a cancellation that is still to come; null while there is none. */
  cancellationDate: BusinessDate | null;
  /** The next term; null while there is none. */
  renewalPolicyId: string | null;
  /** What happens next for what is unpaid; null when nothing does, missing in an outcome from before it was told. */
  delinquency?: { on: BusinessDate; what: string } | null;
  clockOffsetDays: number;
}

/** A step that a date brings about: whose entity, and the business date on which the workflow acts. */
export interface DueCommand {
  orgId: string;
  entityId: string;
  today: BusinessDate;
}

/** Names a row to be read. */
export interface EntityRef {
  orgId: string;
  entityId: string;
}

/** The business date the organization's test clock is to reach. */
export interface AdvanceTestClock {
  advanceTo: BusinessDate;
}

export interface TestClockOutcome {
  date: BusinessDate;
}

/** One stop of the test clock on its way; `isDue` is false when nothing is left to happen up to the date asked for. */
export interface TestClockStep {
  date: BusinessDate;
  clockOffsetDays: number;
  isDue: boolean;
}

/** Whose workflows are to take over which offset, because something is due by which date. */
export interface WakeCommand {
  orgId: string;
  date: BusinessDate;
  clockOffsetDays: number;
}
