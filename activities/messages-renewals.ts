/** What the steps of a renewal batch are asked and answer. Plain JSON; answers are references and counts, never documents. */
import type { BusinessDate } from '../domain/dates.ts';
import type { BatchCounts } from '../domain/policy-life/renewal-batch.ts';

/** Policies that expire within so many days are to be renewed; the command's entity is the new batch. */
export interface RunRenewalsPayload {
  withinDays: number;
}

/** A batch that is there, with the policies it has taken. */
export interface BatchOutcome {
  batchId: string;
  workflowId: string;
  matched: number;
}

/** The calendar's batch of an organization. */
export interface DailyRenewals {
  orgId: string;
  workflowId: string;
}

export interface BatchRef {
  orgId: string;
  batchId: string;
}

/** How far a batch is, for a workflow that goes on with it. */
export interface BatchStanding {
  isRunning: boolean;
  matched: number;
  counts: BatchCounts;
}

/** The next policies without an outcome, after the one that was read last. */
export interface PendingRenewals extends BatchRef {
  after: string | null;
  limit: number;
}

/** Some policies of a batch. `round` tells attempts apart between which an operator has repaired something. */
export interface RenewalSlice extends BatchRef {
  policyIds: string[];
  round: number;
}

export interface SliceOutcome {
  counts: BatchCounts;
  /** Those whose renewal failed by a fault of ours; they have no outcome yet. */
  faultyIds: string[];
}

/** How a batch ends. */
export interface BatchEnd extends BatchRef {
  status: 'completed' | 'failed';
}

/** An operator goes on without some policies. */
export interface RenewalsGivenUp extends BatchRef {
  policyIds: string[];
  /** Null when nobody was asked: they were too few. */
  operator: string | null;
  reason: string | null;
}

/** The organizations whose daily batch is to be started, and the business date of each. */
export interface RenewingOrganization {
  orgId: string;
  date: BusinessDate;
}
