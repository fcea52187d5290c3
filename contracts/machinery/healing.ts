// Healing: the workflows that should be running, and the input and the result of the workflow that finds the lost ones.
import type { ExpectedKind } from '../../domain/platform/healing.ts';
import type { Notice } from '../notice.ts';

/** A row whose workflow should be running. */
export interface ExpectedWorkflow {
  kind: ExpectedKind;
  orgId: string;
  /** Of the row. */
  id: string;
  /** The batch's own id; other workflows are named after the row. */
  workflowId?: string;
  /** For a card attempt to cancel. */
  invoiceId?: string;
  /** For a notice: its kind, its day and its policy. */
  notice?: Notice & { policyId: string };
}

export interface HealingOrder {
  orgId: string;
  /** Whether missing workflows are only listed. */
  isDryRun: boolean;
}

/** The findings, for one organization or several. */
export interface Healed {
  /** Rows whose workflow should be running. */
  checked: number;
  /** Workflows that were missing; each was started, unless it was a dry run. */
  missing: number;
  /** The first of the missing workflows. */
  workflowIds: string[];
}

export interface HealingInput {
  /** Only this organization; all of them if omitted. */
  orgId?: string;
  /** Whether missing workflows are only listed. */
  isDryRun?: boolean;
  /** Organizations per run before it continues as new. */
  organizationsOfARun?: number;
  /** The organization to continue after; set by continue-as-new only. */
  after?: string;
  /** Set by continue-as-new only. */
  found?: HealingResult;
}

export interface HealingResult extends Healed {
  organizations: number;
  /** Organizations that could not be healed; the next day's run retries them. */
  failed: number;
}
