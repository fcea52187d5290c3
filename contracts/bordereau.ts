// Generating bordereaux. The reported data is in the bordereau's row and the books; only ids pass through workflows.

export interface BordereauWorkflowInput {
  orgId: string;
  bordereauId: string;
}

export interface BordereauSweepInput {
  /** Organizations per page. */
  page?: number;
  /** The organization to continue after; set by continue-as-new only. */
  after?: string;
  /** Bordereaux started so far, and organizations that failed; set by continue-as-new only. */
  started?: number;
  failed?: number;
}
