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
  /** A producer id, a carrier name or a state code; empty for a transfer to operating cash. */
  payee: string;
  /** It covers what was owed up to this day. */
  through: BusinessDate;
  /** The filing that it pays. */
  filingId: string | null;
  /** Covers only this policy's amounts. */
  policyId: string | null;
}

export interface RemittanceDecisionPayload {
  decision: RemittanceDecision;
  /** For a rejection. */
  reason: string | null;
  /** For an approval: the check number, or the transfer's reference. */
  reference?: string;
}

export interface RemittanceOutcome {
  remittanceId: string;
}

export const prepareRemittanceUpdate = defineUpdate<RemittanceOutcome, [Command<PreparePayload>]>('prepare');

export const decideRemittanceUpdate = defineUpdate<RemittanceOutcome, [Command<RemittanceDecisionPayload>]>('decide');
