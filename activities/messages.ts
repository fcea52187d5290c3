/**
 * Inputs and outputs of the steps: plain JSON that travels from the api through a workflow to an activity and back.
 * Outputs are references and states, never documents; the api reads the rows from the database.
 */
import type { BusinessDate } from '../domain/dates.ts';
import type { InstallmentPlan } from '../domain/lines.ts';
import type { ActorRef } from '../domain/permissions.ts';
import type { PolicyStatus } from '../domain/policy.ts';
import type { SubmissionStatus } from '../domain/submission.ts';

/** A request to change one entity. The outcome is stored under `commandId`. */
export interface Command<P = Record<string, never>> {
  commandId: string;
  /**
   * The update's id; the command's id by default. A run answers an update id with its first outcome for ever, so a
   * command whose refusal is not kept for its Idempotency-Key is sent under another id next time.
   */
  updateId?: string;
  orgId: string;
  entityId: string;
  actor: ActorRef;
  requestId: string;
  /** The version named by the caller's `If-Match`, checked against the locked row. */
  expectedVersion?: number;
  payload: P;
}

/** A postal address as stored. */
export interface AddressFields {
  line1: string;
  line2?: string | null;
  city: string;
  state: string;
  postalCode: string;
}

/** A submission's facts, in cents and business dates. Null means "not known"; the first seven make it complete. */
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
  /** The quote to bind; null binds the latest. */
  quoteId: string | null;
}

export interface DeclinePayload {
  reason: string;
}

/** An outcome, marked when an earlier run of the same command stored it; the entity may have moved on since. */
export type Repeatable<Outcome> = Outcome & { repeated?: true };

/** What a workflow needs to know about its entity after a step, and what the caller needs to read the rows. */
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
  /** The day of a pending cancellation; null while there is none. */
  cancellationDate: BusinessDate | null;
  /** The next term; null while there is none. */
  renewalPolicyId: string | null;
  /** What happens next for what is unpaid; null when nothing does. */
  delinquency: { on: BusinessDate; what: string } | null;
  clockOffsetDays: number;
}

/** A step triggered by a date: its entity, and the business date on which the workflow acts. */
export interface DueCommand {
  orgId: string;
  entityId: string;
  today: BusinessDate;
}

/** Names a row to read. */
export interface EntityRef {
  orgId: string;
  entityId: string;
}

/** The business date that the organization's test clock should reach. */
export interface AdvanceTestClock {
  advanceTo: BusinessDate;
}

export interface TestClockOutcome {
  date: BusinessDate;
}

/** Where the test clock is to go, and whether it passes over what is due today and cannot be done. */
export interface NextTestClockStep extends AdvanceTestClock {
  orgId: string;
  isPassing: boolean;
}

/** One stop of the test clock on its way; `isDue` is false when nothing is left to happen up to the date asked for. */
export interface TestClockStep {
  date: BusinessDate;
  clockOffsetDays: number;
  isDue: boolean;
}

/** How many entities still have something to do that has fallen due: a step failed, or an operator has left it out. */
export interface Woken {
  undone: number;
}

/** Whose workflows are to take over which offset, because something is due by which date. */
export interface WakeCommand {
  orgId: string;
  date: BusinessDate;
  clockOffsetDays: number;
}
