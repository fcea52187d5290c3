// What an entity's workflow carries from one run to the next: its state, and the held step.
import type { BusinessDate } from '../domain/dates.ts';

/** A step that an entity takes automatically: its name for operators, and its date, or null if it has none. */
export interface StepName {
  step: string;
  on: BusinessDate | null;
}

/** A failed step, its failures in a row, and when it is retried. */
export interface HeldStep extends StepName {
  failures: number;
  message: string;
  /** Milliseconds since 1970. */
  retryAtMs: number;
}

/** What one run of an entity's workflow hands to the next, besides the entity's state. */
export interface Standing {
  /** Newest last. Update ids are remembered per run, so the next run must know what this one accepted. */
  recentCommandIds: string[];
  /** The step that failed and is waiting; null if none. */
  held: HeldStep | null;
  /** Steps skipped by an operator. */
  skipped: StepName[];
}

export interface EntityInput {
  orgId: string;
  /** Set by continue-as-new only. */
  standing?: Standing;
  /** Replaces the default pauses after a failed step. */
  backOff?: { firstMs: number; longestMs: number };
}
