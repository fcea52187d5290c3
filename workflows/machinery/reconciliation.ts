/** The reconciliation of one organization, step by step; what cannot be read is skipped and says so. */
import { ActivityFailure } from '@temporalio/workflow';
import type { BooksChecked, BooksPage, ReceiptsChecked, RunEnd, StatementCover } from '../../contracts/trust.ts';
import { type CheckResult, joinResults, skippedCheck } from '../../domain/billing/reconciliation/report.ts';
import { READING_STATEMENT, RECONCILING } from './options.ts';
import { activitiesOn } from './queues.ts';

const { checkBooksPage, closeReconciliation } = activitiesOn('batch', RECONCILING);
const { importCardStatement, checkReceipts } = activitiesOn('outside', READING_STATEMENT);

/** Days of the card statement that every run reads again: the processor repeats an event for three days. */
const STATEMENT_DAYS = 7;
const AWAY = 'The card processor could not be reached.';

/** Reads the last days of the card statement, of all organizations or one; never fails. */
export async function readStatement(orgId: string | null): Promise<StatementCover> {
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

/** Makes every check of an organization and stores the result; answers whether it is clean. */
export async function reconcile(
  run: Pick<RunEnd, 'orgId' | 'reconciliationId' | 'isLastLook'> & { statement: StatementCover },
): Promise<boolean> {
  const { statement, ...end } = run;
  const { orgId } = end;
  const books: CheckResult[][] = [];
  for (let from: BooksPage['from'] | 'end' = null; from !== 'end'; ) {
    const page: BooksChecked = await checkBooksPage({ orgId, statement, from });
    books.push(page.results);
    from = page.next ?? 'end';
  }
  const results = joinResults(...books, await receipts(orgId));
  return (await closeReconciliation({ ...end, results })).isClean;
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
