// The daily sweep of deadlines that fall due.

export interface ComplianceSweepInput {
  /** Organizations per page. */
  page?: number;
  /** The organization to continue after; set by continue-as-new only. */
  after?: string;
  /** Steps taken so far, and organizations that failed; set by continue-as-new only. */
  announced?: number;
  failed?: number;
}
