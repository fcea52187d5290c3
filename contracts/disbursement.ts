// Disbursements: payloads, outcome, updates and the input of their workflow.
import { defineUpdate } from '@temporalio/workflow';
import type { DisbursementMethod } from '../domain/billing/disbursement.ts';
import type { BusinessDate } from '../domain/dates.ts';
import type { PaymentOutcome } from './billing.ts';
import type { Command } from './machinery/command.ts';

export interface DisbursementWorkflowInput {
  orgId: string;
}

export interface IssuePayload {
  method: DisbursementMethod;
  /** The check number, or the transfer's reference. */
  reference: string;
  /** Null means today. */
  issuedOn: BusinessDate | null;
}

/** For a stop or a cancellation. */
export interface StopPayload {
  reason: string;
}

export interface DisbursementOutcome {
  disbursementId: string;
  /** The money owed that stays unapplied, whose saga must start; missing if none does. */
  kept?: PaymentOutcome;
}

export const issueUpdate = defineUpdate<DisbursementOutcome, [Command<IssuePayload>]>('issue');

export const clearUpdate = defineUpdate<DisbursementOutcome, [Command]>('clear');

export const stopUpdate = defineUpdate<DisbursementOutcome, [Command<StopPayload>]>('stop');

export const cancelDisbursementUpdate = defineUpdate<DisbursementOutcome, [Command<StopPayload>]>('cancel');
