// A submission's commands and outcomes: payloads, outcomes, updates and the input of its workflow.

import { defineUpdate } from '@temporalio/workflow';
import type { BusinessDate } from '../domain/dates.ts';
import type { InstallmentPlan } from '../domain/lines.ts';
import type { SubmissionIntake } from '../domain/submission/acord125.ts';
import type { SubmissionStatus, SubmissionValues } from '../domain/submission/submission.ts';
import type { Command } from './machinery/command.ts';
import type { PolicyOutcome } from './policy.ts';
import type { EntityInput } from './standing.ts';

/** Every field, so that omitting one means "not known". */
export const NOTHING_KNOWN: SubmissionValues = {
  insuredName: null,
  naicsCode: null,
  annualRevenueCents: null,
  requestedLimitCents: null,
  effectiveDate: null,
  state: null,
  lineOfBusiness: null,
  producerId: null,
  insuredEmail: null,
  insuredPhone: null,
  insuredAddress: null,
  deductibleCents: null,
  lossesLast5Years: null,
  yearsInBusiness: null,
  usdotNumber: null,
  description: null,
};

/** A new submission; one that came as a form includes what was read from it. */
export interface NewSubmission extends SubmissionValues {
  intake?: SubmissionIntake | null;
}

/** Only the named fields change; null clears an optional one. */
export type SubmissionChanges = Partial<SubmissionValues>;

export interface BindPayload {
  installmentPlan: InstallmentPlan;
  /** The quote to bind; null binds the latest. */
  quoteId: string | null;
}

export interface WithdrawPayload {
  reason?: string | undefined;
}

export interface DeclinePayload {
  reason: string;
}

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

export interface SubmissionWorkflowInput extends EntityInput {
  submissionId: string;
  /** Set by continue-as-new; without it the workflow reads the row first. */
  carried?: CarriedSubmission;
}

export interface CarriedSubmission {
  status: SubmissionStatus;
  expiresOn: BusinessDate;
  clockOffsetDays: number;
}

export const createUpdate = defineUpdate<SubmissionOutcome, [Command<NewSubmission>]>('create');

export const correctUpdate = defineUpdate<SubmissionOutcome, [Command<SubmissionChanges>]>('correct');

export const quoteUpdate = defineUpdate<QuoteOutcome, [Command]>('quote');

export const bindUpdate = defineUpdate<BindOutcome, [Command<BindPayload>]>('bind');

export const withdrawUpdate = defineUpdate<SubmissionOutcome, [Command<WithdrawPayload>]>('withdraw');

export const declineUpdate = defineUpdate<SubmissionOutcome, [Command<DeclinePayload>]>('decline');
