// The daily trust reconciliation: the check of one organization, and the input of its workflow.

/** One check of an organization's trust; the last one raises the alert. */
export interface TrustCheck {
  orgId: string;
  isLastLook: boolean;
}

export interface TrustResult {
  /** The discrepancies; empty when the trust reconciles. */
  findings: string[];
}

export interface TrustReconciliationInput {
  /** How long to wait before a mismatch is checked again; a minute when left out. */
  lookAgainAfterMs?: number;
  /** Organizations of a page. */
  page?: number;
  /** The organization after which to go on; set by continue-as-new only. */
  after?: string;
  /** Set by continue-as-new only. */
  found?: { organizations: number; unclean: number };
}
