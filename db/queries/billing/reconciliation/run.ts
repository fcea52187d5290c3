// Runs the checks page by page: however large the books, no statement reads more than a page and its related rows.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { CheckName } from '../../../../domain/billing/reconciliation/checks.ts';
import {
  type CheckResult,
  checkResult,
  type Finding,
  joinResults,
  KEPT_FINDINGS,
  skippedCheck,
} from '../../../../domain/billing/reconciliation/report.ts';
import { organizationOf } from '../../../scope.ts';
import { bound } from '../../named-values.ts';
import { type BookCheck, PAGED } from './check.ts';
import { BOOK_CHECKS } from './registry.ts';

/** Rows per statement: a fraction of a second, however large the organization. */
const PAGE_ROWS = 5_000;

/** How the books are read. */
export interface BookReading {
  /** What began after this instant may still be in progress. Null: the books are at rest. */
  since: Date | null;
  /** The first instant of the card statement. Null: there is none, and checks that need it are skipped. */
  statementFrom: Date | null;
}

/** Where to resume: a check, and the id after which its next page begins. */
export interface BookPosition {
  check: CheckName;
  after: string;
}

/** What has been checked so far; `next` is null once every check has run. */
export interface CheckedBooks {
  results: CheckResult[];
  next: BookPosition | null;
}

/** Runs the checks in order, page by page, from a position, until all are done or `isTimeUp` returns true. */
export async function checkBooks(
  em: EntityManager,
  reading: BookReading,
  { from = null, isTimeUp = () => false }: { from?: BookPosition | null; isTimeUp?: () => boolean } = {},
): Promise<CheckedBooks> {
  const results: CheckResult[] = [];
  const first = from === null ? 0 : BOOK_CHECKS.findIndex(({ name }) => name === from.check);
  for (const check of BOOK_CHECKS.slice(first)) {
    if (check.needsStatement && reading.statementFrom === null) {
      results.push(skippedCheck(check.name, 'The statement of the card processor is not available.'));
      continue;
    }
    for (let after: string | null = from?.check === check.name ? from.after : ''; after !== null; ) {
      if (isTimeUp()) return { results: joinResults(results), next: { check: check.name, after } };
      const page: CheckedPage = await checkPage(em, check, { ...reading, after, rows: PAGE_ROWS });
      results.push(page.result);
      after = page.next;
    }
  }
  return { results: joinResults(results), next: null };
}

interface PageRow {
  last: string | null;
  rows: string;
  found: string;
  findings: { id: string; part: string; expected: string; actual: string }[] | null;
}

/** One page of a check. `next` is the id after which the next page begins, null after the last. */
interface CheckedPage {
  result: CheckResult;
  next: string | null;
}

/** Runs a check on the rows after an id, in id order. One statement, so one snapshot. */
async function checkPage(
  em: EntityManager,
  check: BookCheck,
  { since, statementFrom, after, rows }: BookReading & { after: string; rows: number },
): Promise<CheckedPage> {
  const values = {
    ...{ org: organizationOf(em), after, rows, kept: KEPT_FINDINGS },
    since: since?.toISOString() ?? null,
    statementFrom: statementFrom?.toISOString() ?? null,
  };
  const [page] = await em.execute<PageRow[]>(...bound(statementOf(check), values));
  const { last = null, rows: read = '0', found = '0', findings } = page ?? {};
  const named = (findings ?? []).map((row) => findingOf(check, row));
  return { result: checkResult(check.name, named, Number(found)), next: Number(read) < rows ? null : last };
}

/** The page is materialized, so that its limit applies before any join. */
function statementOf({ over, sql }: BookCheck): string {
  return `
with page as materialized (select * from ${over} where org_id = :org and id > :after order by id limit :rows),
side_by_side as (${sql}),
disagreeing as materialized (select * from side_by_side where expected is distinct from actual)
select (select max(id) from page) as last, (select count(*) from page) as rows,
  (select count(*) from disagreeing) as found,
  (select jsonb_agg(first) from (
    select id, part, coalesce(expected, 0)::text as expected, coalesce(actual, 0)::text as actual
      from disagreeing order by id, part limit :kept) first) as findings`;
}

function findingOf({ name, over, unit }: BookCheck, row: NonNullable<PageRow['findings']>[number]): Finding {
  const { id: entityId, part, expected, actual } = row;
  return {
    ...{ check: name, entityType: PAGED[over], entityId, part, unit },
    expected: Number(expected),
    actual: Number(actual),
  };
}
