// Reconciling the books: its activities, a run started by a person, and the inputs of both workflows.
import { defineUpdate } from '@temporalio/workflow';
import type { CheckName } from '../domain/billing/reconciliation/checks.ts';
import type { CheckResult } from '../domain/billing/reconciliation/report.ts';
import type { Command } from './machinery/command.ts';

/**
 * A day of the card processor's statement, UTC; if an organization is named, other organizations' lines are left out.
 */
export interface StatementDay {
  /** Days back from today, 0 for today. */
  daysAgo: number;
  orgId: string | null;
}

/** The period of the card statement: its first instant, or why there is none. */
export interface StatementCover {
  /** ISO 8601. */
  from: string | null;
  reason: string | null;
}

/** The next checks of an organization's books. */
export interface BooksPage {
  orgId: string;
  statement: StatementCover;
  /** Null starts with the first check. */
  from: { check: CheckName; after: string } | null;
}

export interface BooksChecked {
  results: CheckResult[];
  next: BooksPage['from'];
}

/** The next stored receipts; `after` is the id of the last payment. */
export interface ReceiptsPage {
  orgId: string;
  after: string;
}

export interface ReceiptsChecked {
  results: CheckResult[];
  next: string | null;
}

/** The end of an organization's run; the last pass raises the alert. */
export interface RunEnd {
  orgId: string;
  /** Null for a run without a row yet. */
  reconciliationId: string | null;
  results: CheckResult[];
  isLastLook: boolean;
}

export interface RunResult {
  isClean: boolean;
  /** The checks with findings. */
  failed: CheckName[];
}

export interface TrustReconciliationInput {
  /** How long to wait before rechecking a mismatch; a minute if omitted. */
  lookAgainAfterMs?: number;
  /** Organizations per page. */
  page?: number;
  /** The organization to continue after; set by continue-as-new only. */
  after?: string;
  /** Set by continue-as-new only. */
  statement?: StatementCover;
  /** Set by continue-as-new only. */
  found?: { organizations: number; unclean: number; failed: number };
}

/** A run for one organization started by a person; the command's entity is the new run. */
export interface OpenedRun {
  reconciliationId: string;
}

export interface TrustRunInput {
  orgId: string;
  /** For a run that is already open: its workflow was lost or failed. */
  reconciliationId?: string;
}

export const startRunUpdate = defineUpdate<OpenedRun, [Command]>('start');
