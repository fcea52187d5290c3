// Compares analytics of a book created through the API with an independent sum of the rows: equal to the cent. Rebuilt
// sums must give the same answers as incrementally updated ones.
import pg from 'pg';
import { foldPortfolio } from '../../db/facts/fold-portfolio.ts';
import { rebuildSums } from '../../db/facts/rebuild-sums.ts';
import { addDays } from '../../domain/dates.ts';
import { Rows } from '../faults/bind.ts';
import { bodyOf } from '../support/house.ts';
import { type Platform, runPlatform } from '../support/run-platform.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { compareBordereaux } from './bordereaux.ts';
import * as expected from './expected.ts';
import { type KnownRows, knownRows } from './known-rows.ts';
import { type BookSize, type LivedBook, liveBook } from './lived-book.ts';

/** Fourteen hours ahead of business days. */
const ZONE = 'Pacific/Kiritimati';

export interface FiguresOptions extends BookSize {
  report: (line: string) => void;
}

export interface FiguresReport {
  policies: number;
  /** Those that follow another. */
  renewals: number;
  claims: number;
  compared: number;
  done: Record<string, number>;
  findings: string[];
}

type Read = (name: string, query?: Record<string, string>) => Promise<Record<string, unknown>>;

/** Runs it on the servers that the environment names; stops whatever it started. */
export async function runFigures({ report, ...size }: FiguresOptions): Promise<FiguresReport> {
  const database = await createTestDatabase({ title: `figures-${size.seed}` });
  await inZone(database.ownerUrl);
  const platform = await runPlatform({ database, monthlyReports: true });
  try {
    const book = await liveBook(platform, size, report);
    const rows = await knownRows(new Rows(database.ownerUrl), book.orgId);
    const read: Read = async (name, query = {}) =>
      bodyOf(
        await platform
          .as({ role: 'finance_analyst', org: book.orgId })
          .get(`/v1/analytics/${book.orgId}/${name}`, { query }),
      );
    const findings: string[] = [];
    const first = await compareAll(read, rows, book, findings);
    report(`${first.length} answers compared, ${findings.length} findings`);
    await foldAll(platform, book.orgId);
    const folded = await compareAll(read, rows, book, findings);
    await rebuildSums(platform.database, book.orgId);
    const rebuilt = await compareAll(read, rows, book, findings);
    await compareBordereaux(platform.as({ role: 'org_admin', org: book.orgId }), rows, book, judgeOf(findings));
    if (!isSame(folded, first)) findings.push('The sums answer something else than sums and rows');
    if (!isSame(rebuilt, folded)) findings.push('Sums that are built from scratch answer something else');
    const claims = new Set(rows.moves.map(({ claimId }) => claimId)).size;
    const { done } = book;
    const renewals = rows.policies.filter(({ renewalOf }) => renewalOf !== null).length;
    const counted = { policies: rows.policies.length, renewals, claims, compared: first.length, done };
    return { ...counted, findings: [...new Set(findings)] };
  } catch (error) {
    // Calls in progress while the platform closes may end the process before the error is shown.
    report(`It ended early: ${error instanceof Error ? error.stack : String(error)}`);
    throw error;
  } finally {
    await platform.close();
  }
}

async function inZone(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(
    `do $$ begin execute format('alter database %I set timezone to ''${ZONE}''', current_database()); end $$`,
  );
  await owner.end();
}

async function foldAll({ database }: Platform, orgId: string): Promise<void> {
  while (await foldPortfolio(database, orgId));
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Returns every answer; any difference from the oracle becomes a finding. */
async function compareAll(read: Read, rows: KnownRows, book: LivedBook, findings: string[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  const judge = judgeOf(findings, answers);
  for (const days of periodsOf(book)) await comparePortfolio(read, rows, { ...book, days }, judge);
  await compareOthers(read, rows, book, judge);
  return answers;
}

type Judge = (what: string, answer: object, must: object) => void;

/** Compares the expected values with the same fields of an answer, and keeps the answer. */
function judgeOf(findings: string[], answers: unknown[] = []): Judge {
  return (what, answer, must) => {
    const given = Object.fromEntries(Object.keys(must).map((key) => [key, answer[key as keyof object]]));
    answers.push(given);
    if (!isSame(given, must)) findings.push(`${what}: ${difference(given, must)}`);
  };
}

function periodsOf({ begun, today }: LivedBook): expected.Days[] {
  return [
    { from: begun, to: today },
    { from: addDays(begun, 100), to: addDays(begun, 333) },
    { from: '2028-02-28', to: '2028-03-01' },
    { from: addDays(today, -30), to: addDays(today, 400) },
  ];
}

async function comparePortfolio(
  read: Read,
  rows: KnownRows,
  { days, today }: { days: expected.Days; today: string },
  judge: Judge,
): Promise<void> {
  const name = `portfolio ${days.from} to ${days.to}`;
  const query = { ...days };
  judge(name, await read('portfolio', query), expected.portfolioOf(rows, days, today));
  const { groups } = (await read('portfolio', { ...query, groupBy: 'month' })) as Grouped;
  for (const { key, ...figures } of groups) {
    const month = monthWithin(String(key), days);
    judge(`${name}, ${key}`, figures, expected.portfolioOf(rows, month, today));
  }
  for (const by of ['line', 'state', 'producer'] as const) {
    const found = ((await read('portfolio', { ...query, groupBy: by })) as Grouped).groups;
    for (const key of expected.keysOf(rows, by)) {
      const must = expected.portfolioOf(rows, days, today, (row) => row[by] === key);
      const group = found.find((each) => each.key === key);
      const isEmpty = Object.values(must).every((value) => value === 0 || value === null);
      if (group !== undefined || !isEmpty) judge(`${name}, ${by} ${key}`, group ?? {}, must);
    }
  }
}

type Grouped = { groups: ({ key: string | null } & Record<string, unknown>)[] };

/** The days of a month that fall in a period. */
function monthWithin(month: string, { from, to }: expected.Days): expected.Days {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  return { from: from > `${month}-01` ? from : `${month}-01`, to: to < last ? to : last };
}

async function compareOthers(read: Read, rows: KnownRows, { begun, today }: LivedBook, judge: Judge): Promise<void> {
  const days = { from: begun, to: today };
  for (const period of ['month', 'quarter'] as const) {
    const answer = await read('commissions', { ...days, period });
    judge(`commissions by ${period}`, answer, { data: expected.commissionsOf(rows, days, period) });
  }
  const { data: uses } = (await read('da-utilization')) as { data: Record<string, string | number>[] };
  const used = Object.fromEntries(uses.map((use) => [`${use.contractId} ${use.year}`, use.used]));
  judge('da-utilization', used, expected.usedOf(rows));
  const { data: years } = (await read('loss-triangle')) as { data: { accidentYear: number; developments: object[] }[] };
  const cells = years.flatMap(({ accidentYear, developments }) =>
    developments.map((each) => {
      const { months, incurred, paid } = each as Record<string, number>;
      return { accidentYear, months, incurred, paid };
    }),
  );
  judge('loss triangle', { cells }, { cells: expected.triangleOf(rows, today) });
  judge('retention', await read('retention', days), expected.retentionOf(rows, days, today));
  judge('receivables', await read('receivables'), { data: expected.agingOf(rows, today) });
}

function difference(given: Record<string, unknown>, must: object): string {
  const keys = Object.keys(must).filter((key) => !isSame(given[key], must[key as keyof object]));
  return keys
    .map((key) => `${key} is ${JSON.stringify(given[key])}, and must be ${JSON.stringify(must[key as keyof object])}`)
    .join('; ');
}
