/** Inputs and outputs of the renewal batch steps. Plain JSON; outputs are references and counts, never documents. */
import type { BusinessDate } from '../domain/dates.ts';
import type { BatchCounts } from '../domain/policy-life/renewal-batch.ts';

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
