// The reconciliation of the books: its activities, a run that a person starts, and the inputs of both workflows.
import { defineUpdate } from '@temporalio/workflow';
import type { CheckName } from '../domain/billing/reconciliation/checks.ts';
import type { CheckResult } from '../domain/billing/reconciliation/report.ts';
import type { Command } from './machinery/command.ts';

/** A day of the card processor's statement, UTC; lines of other organizations are left out when one is named. */
export interface StatementDay {
  /** Days back from today, 0 for today. */
  daysAgo: number;
  orgId: string | null;
}

/** What the card statement covers: its first instant, or why there is none. */
export interface StatementCover {
  /** ISO 8601. */
  from: string | null;
  reason: string | null;
}

/** The next checks of an organization's books. */
export interface BooksPage {
  orgId: string;
  statement: StatementCover;
  /** Null begins with the first check. */
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

/** The end of an organization's run; the last look raises the alert. */
export interface RunEnd {
  orgId: string;
  /** Null for a run that has no row yet. */
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
  /** How long to wait before a mismatch is checked again; a minute when left out. */
  lookAgainAfterMs?: number;
  /** Organizations of a page. */
  page?: number;
  /** The organization after which to go on; set by continue-as-new only. */
  after?: string;
  /** Set by continue-as-new only. */
  statement?: StatementCover;
  /** Set by continue-as-new only. */
  found?: { organizations: number; unclean: number; failed: number };
}

/** A run of one organization that a person starts; the command's entity is the new run. */
export interface OpenedRun {
  reconciliationId: string;
}

export interface TrustRunInput {
  orgId: string;
  /** Of a run that is open already: its workflow was lost, or has failed. */
  reconciliationId?: string;
}

export const startRunUpdate = defineUpdate<OpenedRun, [Command]>('start');
