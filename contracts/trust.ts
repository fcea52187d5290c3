// The daily check of the trust: its look at one organization, and the input of its workflow.

/** One look at the trust of an organization; the last one raises the alarm. */
export interface TrustCheck {
  orgId: string;
  isLastLook: boolean;
}

export interface TrustResult {
  /** The discrepancies; empty when the trust reconciles. */
  findings: string[];
}

export interface TrustReconciliationInput {
  /** How long an organization that does not agree is given before it is looked at again; a minute when left out. */
  lookAgainAfterMs?: number;
  /** Organizations of a page. */
  page?: number;
  /** The organization after which to go on; set by continue-as-new only. */
  after?: string;
  /** Set by continue-as-new only. */
  found?: { organizations: number; unclean: number };
}
