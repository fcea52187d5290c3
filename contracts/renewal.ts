// Renewal batches and the daily run: payloads, outcomes, updates and the inputs of their workflows.

import { defineUpdate } from '@temporalio/workflow';
import type { BusinessDate } from '../domain/dates.ts';
import type { BatchCounts } from '../domain/renewal/renewal-batch.ts';
import type { Command } from './machinery/command.ts';

/** Renews policies that expire within this many days; the command's entity is the new batch. */
export interface RunRenewalsPayload {
  withinDays: number;
}

/** An existing batch, with the number of policies in it. */
export interface BatchOutcome {
  batchId: string;
  workflowId: string;
  matched: number;
}

/** An organization's daily batch. */
export interface DailyRenewals {
  orgId: string;
  workflowId: string;
}

export interface BatchRef {
  orgId: string;
  batchId: string;
}

/** A batch's progress, for a workflow that continues it. */
export interface BatchStanding {
  isRunning: boolean;
  matched: number;
  counts: BatchCounts;
}

/** The next policies without an outcome, after the last one read. */
export interface PendingRenewals extends BatchRef {
  after: string | null;
  limit: number;
}

/** Some policies of a batch. `round` separates attempts with an operator's repair in between. */
export interface RenewalSlice extends BatchRef {
  policyIds: string[];
  round: number;
}

export interface SliceOutcome {
  counts: BatchCounts;
  /** Policies whose renewal failed through our own fault; they have no outcome yet. */
  faultyIds: string[];
}

/** How a batch ends. */
export interface BatchEnd extends BatchRef {
  status: 'completed' | 'failed';
}

/** Policies that an operator gave up on. */
export interface RenewalsGivenUp extends BatchRef {
  policyIds: string[];
  /** Null if there were too few to need an operator's decision. */
  operator: string | null;
  reason: string | null;
}

/** An organization whose daily batch must start, and its business date. */
export interface RenewingOrganization {
  orgId: string;
  date: BusinessDate;
}

export interface RenewalBatchInput {
  orgId: string;
  /** Omitted for the daily batch, which opens itself. */
  batchId?: string;
  /** Replaces the default. */
  pace?: Partial<RenewalPace>;
  /** Set by continue-as-new only. */
  carried?: CarriedRenewals;
}

/**
 * The sizes of a batch: policies per page and per slice, concurrent slices, and slices per run before continue-as-new.
 */
export interface RenewalPace {
  page: number;
  slice: number;
  atOnce: number;
  slicesOfARun: number;
}

/** A batch continues as new only when nothing is in progress. */
export interface CarriedRenewals {
  batchId: string;
  matched: number;
  counts: BatchCounts;
  /** The policy to continue after. */
  after: string | null;
  /** Policies that failed through our own fault and have no outcome yet. */
  faultyIds: string[];
  round: number;
}

export interface RenewalSweepInput {
  /** Organizations per page. */
  page?: number;
  /** Organizations whose batches run concurrently. */
  atOnce?: number;
  /** The organization to continue after; set by continue-as-new only. */
  after?: string;
  /** Set by continue-as-new only. */
  started?: number;
}

export const runRenewalsUpdate = defineUpdate<BatchOutcome, [Command<RunRenewalsPayload>]>('run');
