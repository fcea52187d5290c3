// Billing holds: payload, outcome, updates and the input of their workflow.

import { defineUpdate } from '@temporalio/workflow';
import type { BusinessDate } from '../domain/dates.ts';
import type { Command } from './machinery/command.ts';

export interface BillingHoldWorkflowInput {
  orgId: string;
  /** Replaces the default pauses after a failure. */
  backOff?: { firstMs: number; longestMs: number };
  /** Left over from the previous run. */
  carried?: UnnotifiedHolds;
}

/** Changes whose policies could not be notified yet, oldest first; how often the oldest has failed, and why. */
export interface UnnotifiedHolds {
  changes: BillingHoldOutcome[];
  failures: number;
  reason: string;
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
