// Remittances: payloads, outcome, updates and the input of their workflow.
import { defineUpdate } from '@temporalio/workflow';
import type { RemittanceDecision, RemittanceKind } from '../domain/billing/remittance.ts';
import type { BusinessDate } from '../domain/dates.ts';
import type { Command } from './machinery/command.ts';

export interface RemittanceWorkflowInput {
  orgId: string;
}

export interface PreparePayload {
  kind: RemittanceKind;
  /** The id of a producer, the name of a carrier, the code of a state; empty for a transfer to operating cash. */
  payee: string;
  /** It covers what was owed up to this day. */
  through: BusinessDate;
  /** The filing that it pays. */
  filingId: string | null;
  /** Only what belongs to this policy. */
  policyId: string | null;
}

export interface RemittanceDecisionPayload {
  decision: RemittanceDecision;
  /** Of a rejection. */
  reason: string | null;
  /** Of an approval: the number of the check, or the reference of the transfer. */
  reference?: string;
}

export interface RemittanceOutcome {
  remittanceId: string;
}

export const prepareRemittanceUpdate = defineUpdate<RemittanceOutcome, [Command<PreparePayload>]>('prepare');

export const decideRemittanceUpdate = defineUpdate<RemittanceOutcome, [Command<RemittanceDecisionPayload>]>('decide');
