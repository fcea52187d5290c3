// How an entity stands between two runs of its workflow: the state it carries, and the step that is held.
import type { BusinessDate } from '../domain/dates.ts';

/** Something that an entity does by itself: what the operator reads of it, and its date; null for what has none. */
export interface StepName {
  step: string;
  on: BusinessDate | null;
}

/** A step that has failed so many times in a row, and when it is tried again. */
export interface HeldStep extends StepName {
  failures: number;
  message: string;
  /** Milliseconds since 1970. */
  retryAtMs: number;
}

/** What one run of an entity's workflow hands to the next, beside the entity's state. */
export interface Standing {
  /** Newest last. Update ids are remembered per run, so the next run must know what this one has accepted. */
  recentCommandIds: string[];
  /** The step that has failed and waits; null when none does. */
  held: HeldStep | null;
  /** Steps that an operator has left out. */
  skipped: StepName[];
}

export interface EntityInput {
  orgId: string;
  /** Set by continue-as-new only. */
  standing?: Standing;
  /** Pauses after a step that failed, other than the usual. */
  backOff?: { firstMs: number; longestMs: number };
}
