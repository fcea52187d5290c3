/** Reconciles one organization, step by step; sources that cannot be read are skipped and reported. */
import { ActivityFailure } from '@temporalio/workflow';
import type {
  BooksChecked,
  BooksPage,
  ReceiptsChecked,
  RunEnd,
  RunResult,
  StatementCover,
} from '../../contracts/trust.ts';
import { type CheckResult, joinResults, skippedCheck } from '../../domain/billing/reconciliation/report.ts';
import { READING_STATEMENT, RECONCILING } from './options.ts';
import { activitiesOn } from './queues.ts';

const { checkBooksPage } = activitiesOn('batch', { ...RECONCILING, summary: 'books are checked' });
const { closeReconciliation } = activitiesOn('batch', {
  ...RECONCILING,
  summary: 'totals are checked, result is kept',
});
const { importCardStatement } = activitiesOn('outside', {
  ...READING_STATEMENT,
  summary: 'a day of the card statement is read',
});
const { checkReceipts } = activitiesOn('outside', { ...READING_STATEMENT, summary: 'stored receipts are checked' });

/** Days of the card statement that every run rereads: the processor resends an event for three days. */
const STATEMENT_DAYS = 7;
const AWAY = 'The card processor could not be reached.';

/** Reads the last days of the card statement, of all organizations or one; never fails. */
export async function readCardStatement(orgId: string | null): Promise<StatementCover> {
  let cover: StatementCover = { from: null, reason: AWAY };
  for (let daysAgo = 0; daysAgo < STATEMENT_DAYS; daysAgo += 1) {
    try {
      cover = await importCardStatement({ daysAgo, orgId });
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      return { from: null, reason: AWAY };
    }
    if (cover.from === null) return cover;
  }
  return cover;
}

/** Runs every check of an organization and stores the result; returns its findings. */
export async function reconcile(
  run: Pick<RunEnd, 'orgId' | 'reconciliationId' | 'isLastLook'> & { statement: StatementCover },
): Promise<RunResult> {
  const { statement, ...end } = run;
  const { orgId } = end;
  const books: CheckResult[][] = [];
  for (let from: BooksPage['from'] | 'end' = null; from !== 'end'; ) {
    const page: BooksChecked = await checkBooksPage({ orgId, statement, from });
    books.push(page.results);
    from = page.next ?? 'end';
  }
  const results = joinResults(...books, await receipts(orgId));
  return closeReconciliation({ ...end, results });
}

async function receipts(orgId: string): Promise<CheckResult[]> {
  const pages: CheckResult[][] = [];
  try {
    for (let after: string | null = ''; after !== null; ) {
      const page: ReceiptsChecked = await checkReceipts({ orgId, after });
      pages.push(page.results);
      after = page.next;
    }
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    pages.push([skippedCheck('receipt_document', 'The storage could not be reached.')]);
  }
  return joinResults(...pages);
}
