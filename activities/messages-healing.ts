/** What healing is asked and what it answers. */

/** A row whose workflow should be running. */
export interface ExpectedWorkflow {
  kind: 'submission' | 'policy' | 'batch' | 'payment' | 'refund';
  orgId: string;
  /** Of the row. */
  id: string;
  /** Of a batch, which has one of its own; others are named after the row. */
  workflowId: string | null;
}

export interface HealingOrder {
  orgId: string;
  /** Whether what is missing is only named. */
  isDryRun: boolean;
}

/** What was found, of one organization or of many. */
export interface Healed {
  /** Rows whose workflow should be running. */
  checked: number;
  /** Workflows that were missing; each has been started, unless it was a dry run. */
  missing: number;
  /** The first of the missing workflows. */
  workflowIds: string[];
}
