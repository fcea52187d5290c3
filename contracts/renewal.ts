// Renewal batches and the daily run: payloads, outcomes, updates and the inputs of their workflows.

import { defineUpdate } from '@temporalio/workflow';
import type { BusinessDate } from '../domain/dates.ts';
import type { BatchCounts } from '../domain/renewal/renewal-batch.ts';
import type { Command } from './command.ts';

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

/** Some policies of a batch. `round` separates attempts between which an operator repaired something. */
export interface RenewalSlice extends BatchRef {
  policyIds: string[];
  round: number;
}

export interface SliceOutcome {
  counts: BatchCounts;
  /** Policies whose renewal failed through a fault of ours; they have no outcome yet. */
  faultyIds: string[];
}

/** How a batch ends. */
export interface BatchEnd extends BatchRef {
  status: 'completed' | 'failed';
}

/** Policies that an operator gives up. */
export interface RenewalsGivenUp extends BatchRef {
  policyIds: string[];
  /** Null when there were too few to ask an operator. */
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
  /** Left out for the daily batch, which opens itself. */
  batchId?: string;
  /** Other than the usual. */
  pace?: Partial<RenewalPace>;
  /** Set by continue-as-new only. */
  carried?: CarriedRenewals;
}

/**
 * How a batch goes on: policies of a page and of a slice, slices under way at a time, and of a run before it is
 * continued as new.
 */
export interface RenewalPace {
  page: number;
  slice: number;
  atOnce: number;
  slicesOfARun: number;
}

/** Nothing is under way when a batch is continued as new. */
export interface CarriedRenewals {
  batchId: string;
  matched: number;
  counts: BatchCounts;
  /** The policy after which to go on. */
  after: string | null;
  /** Those that failed by a fault of ours and have no outcome yet. */
  faultyIds: string[];
  round: number;
}

export interface RenewalSweepInput {
  /** Organizations of a page. */
  page?: number;
  /** Organizations whose batches run at a time. */
  atOnce?: number;
  /** The organization after which to go on; set by continue-as-new only. */
  after?: string;
  /** Set by continue-as-new only. */
  started?: number;
}

export const runRenewalsUpdate = defineUpdate<BatchOutcome, [Command<RunRenewalsPayload>]>('run');
