// The making of bordereaux. What one reports is in its row and in the books; only ids go through workflows.

export interface BordereauWorkflowInput {
  orgId: string;
  bordereauId: string;
}

export interface BordereauSweepInput {
  /** Organizations of a page. */
  page?: number;
  /** The organization after which to go on; set by continue-as-new only. */
  after?: string;
  /** Bordereaux started so far, and organizations that failed; set by continue-as-new only. */
  started?: number;
  failed?: number;
}
