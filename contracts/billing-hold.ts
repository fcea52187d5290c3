// Billing holds: payload, outcome, updates and the input of their workflow.

import { defineUpdate } from '@temporalio/workflow';
import type { BusinessDate } from '../domain/dates.ts';
import type { Command } from './machinery/command.ts';

export interface BillingHoldWorkflowInput {
  orgId: string;
  /** Replaces the default pauses after a failure. */
  backOff?: { firstMs: number; longestMs: number };
  /** Left over by the run before. */
  carried?: UnnotifiedHolds;
}

/** Changes whose policies could not be notified yet, the oldest first, and how often that has failed for that one. */
export interface UnnotifiedHolds {
  changes: BillingHoldOutcome[];
  failures: number;
}

export const placeHoldUpdate = defineUpdate<BillingHoldOutcome, [Command<BillingHoldPayload>]>('place');

export const liftHoldUpdate = defineUpdate<BillingHoldOutcome, [Command]>('lift');

export interface BillingHoldPayload {
  state: string;
  from: BusinessDate;
  /** The last day. */
  to: BusinessDate;
}

export interface BillingHoldOutcome {
  holdId: string;
  state: string;
}
