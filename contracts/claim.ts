// A claim's commands and outcomes: payloads, outcomes, updates and the input of its workflow. Loss details, reasons,
// notes, payees and references are passed by id only; the steps read them from the rows.
import { defineUpdate } from '@temporalio/workflow';
import type { ClaimStatus } from '../domain/claim/claim.ts';
import type { ClaimPaymentKind, RecoveryKind } from '../domain/claim/claim-payment.ts';
import type { ClaimAmounts } from '../domain/claim/figures.ts';
import type { BusinessDate } from '../domain/dates.ts';
import type { Cents } from '../domain/money.ts';
import type { Command } from './machinery/command.ts';
import type { EntityInput } from './standing.ts';

/** A first notice of loss; its details are stored under the claim's id. */
export interface FilePayload {
  /** The policy that the caller named; the claim is filed on the term that contains the loss date. */
  policyId: string;
  lossDate: BusinessDate;
  estimatedAmountCents: Cents | null;
  containsPhi: boolean;
}

/** A reason or a note, stored under its own id; null if there is none. */
export interface Noted {
  noteId: string | null;
}

export interface InvestigatePayload extends Noted {
  /** Null does not assign the claim. */
  adjusterId: string | null;
}

export interface AssignPayload {
  adjusterId: string;
}

/** Absolute new values, in cents. */
export interface ReservePayload extends Noted {
  reserves: ClaimAmounts;
}

/** The payee is stored under the settlement's id. */
export interface SettlePayload extends Noted {
  settlementId: string;
  amountCents: Cents;
  /** Whether the actor approves it immediately. */
  isApproved: boolean;
}

export type ApprovePayload = Record<string, never>;

/** A payment outside a settlement; the payee and the reference are stored under the payment's id. */
export interface ClaimPayPayload {
  paymentId: string;
  kind: ClaimPaymentKind;
  amountCents: Cents;
}

export interface VoidPaymentPayload {
  paymentId: string;
  noteId: string;
}

/** The reference is stored under the recovery's id. */
export interface RecoverPayload {
  recoveryId: string;
  kind: RecoveryKind;
  amountCents: Cents;
}

/** The reason is stored under the note's id. */
export interface ClearPayeePayload {
  holdId: string;
  noteId: string;
}

export interface ClaimPaymentInput {
  orgId: string;
  paymentId: string;
}

/** A letter explaining why the claim is still open. */
export interface LetterPayload extends Noted {
  /** Null means today. */
  sentOn: BusinessDate | null;
}

/** The provision is stored under the note's id. */
export interface DenyPayload {
  noteId: string;
}

export interface ClosePayload extends Noted {
  outcome: string | null;
}

/** What a workflow needs to know about its claim after a step. */
export interface ClaimOutcome {
  claimId: string;
  claimNumber: string;
  policyNumber: string;
  lineOfBusiness: string;
  status: ClaimStatus;
  version: number;
  /** The next calendar step; null if none is left. */
  nextStep: { on: BusinessDate; what: string } | null;
  /** Missed deadlines, worded for an operator. */
  missed: string[];
  clockOffsetDays: number;
  /** Payments that the step owes, whose sagas must start; missing if there are none. */
  paymentIds?: string[];
  /** Payments that were waiting for this step, and are now retried. */
  retryPaymentIds?: string[];
}

export interface ClaimWorkflowInput extends EntityInput {
  claimId: string;
  /** Set by continue-as-new; without it the workflow reads the row first. */
  carried?: CarriedClaim;
}

/** What a claim's workflow must know of its row to wait for the right day. */
export type CarriedClaim = Omit<ClaimOutcome, 'claimId' | 'version' | 'paymentIds' | 'retryPaymentIds'>;

export const fileUpdate = defineUpdate<ClaimOutcome, [Command<FilePayload>]>('file');

export const investigateUpdate = defineUpdate<ClaimOutcome, [Command<InvestigatePayload>]>('investigate');

export const assignUpdate = defineUpdate<ClaimOutcome, [Command<AssignPayload>]>('assign');

export const reserveUpdate = defineUpdate<ClaimOutcome, [Command<ReservePayload>]>('reserve');

export const settleUpdate = defineUpdate<ClaimOutcome, [Command<SettlePayload>]>('settle');

export const approveUpdate = defineUpdate<ClaimOutcome, [Command<ApprovePayload>]>('approve');

export const rejectUpdate = defineUpdate<ClaimOutcome, [Command<Noted>]>('reject');

export const payUpdate = defineUpdate<ClaimOutcome, [Command<ClaimPayPayload>]>('pay');

export const voidPaymentUpdate = defineUpdate<ClaimOutcome, [Command<VoidPaymentPayload>]>('voidPayment');

export const recoverUpdate = defineUpdate<ClaimOutcome, [Command<RecoverPayload>]>('recover');

export const clearPayeeUpdate = defineUpdate<ClaimOutcome, [Command<ClearPayeePayload>]>('clearPayee');

export const denyUpdate = defineUpdate<ClaimOutcome, [Command<DenyPayload>]>('deny');

export const closeUpdate = defineUpdate<ClaimOutcome, [Command<ClosePayload>]>('close');

export const reopenUpdate = defineUpdate<ClaimOutcome, [Command<Noted>]>('reopen');
export const letterUpdate = defineUpdate<ClaimOutcome, [Command<LetterPayload>]>('statusLetter');
