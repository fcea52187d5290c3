// The daily sweep over what falls due.

export interface ComplianceSweepInput {
  /** Organizations of a page. */
  page?: number;
  /** The organization after which to go on; set by continue-as-new only. */
  after?: string;
  /** Steps made so far, and organizations that failed; set by continue-as-new only. */
  announced?: number;
  failed?: number;
}
