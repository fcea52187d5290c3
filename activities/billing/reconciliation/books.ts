/** Checks an organization's books, as many pages as an attempt has time for. */
import type { BooksChecked, BooksPage } from '../../../contracts/trust.ts';
import { checkBooks } from '../../../db/queries/billing/reconciliation/run.ts';
import { outstandingSince } from '../../../domain/billing/ledger/trust.ts';
import { activityFailure, type Deps } from '../../context.ts';

/** Well within an attempt's timeout; a page takes a fraction of a second. */
const TIME_OF_A_PAGE_MS = 20_000;

/** Runs the next checks. `next` is where to continue, null when all are done. Writes nothing. */
export const checkBooksPage =
  (deps: Deps) =>
  async ({ orgId, statement, from }: BooksPage): Promise<BooksChecked> => {
    const since = outstandingSince(deps.now());
    const statementFrom = statement.from === null ? null : new Date(statement.from);
    const endMs = performance.now() + TIME_OF_A_PAGE_MS;
    const isTimeUp = () => performance.now() > endMs;
    try {
      const checked = await deps.database.forOrg(orgId, (em) =>
        checkBooks(em, { since, statementFrom }, { from, isTimeUp }),
      );
      const { reason } = statement;
      const results = checked.results.map((result) =>
        result.status === 'skipped' && reason !== null ? { ...result, reason } : result,
      );
      return { results, next: checked.next };
    } catch (error) {
      throw activityFailure(deps, { kind: 'checkBooksPage', orgId }, error);
    }
  };
