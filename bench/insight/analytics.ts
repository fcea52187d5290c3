// Whether analytics cost the same however many policies there are: reads the portfolio, receivables and authority
// usage of an organization with few and of one with a hundred times as many, in turn. The cost without the daily sums
// is measured once on each.
import { rebuildSums } from '../../db/facts/rebuild-sums.ts';
import { connectDatabase, type Database } from '../../db/orm.ts';
import { silentLogger } from '../../test/support/logger.ts';
import { measure, type Round, summarize } from '../measure.ts';
import { call, type Organization, type Setting } from '../setting.ts';
import { bind, quotedSubmissions } from '../submissions.ts';
import type { Comparison } from '../table.ts';
import { clonePolicies } from './cloned-policies.ts';

const FEW = 10_000;
/** `BENCH_POLICIES` makes the larger organization smaller, if a million takes too long. */
const MANY = Number(process.env.BENCH_POLICIES ?? 1_000_000);
const ROUNDS = 20;
const REQUESTS = 5;
const WARM_UP_ROUNDS = 3;
/** Policies bound through the platform after the sums were built: today's live part. */
const BOUND_SINCE = 20;
/** The copies are spread over this many days. */
const DAYS = 1_400;
/** Building the sums of a million policies takes minutes. */
const PATIENCE = { statementTimeoutMs: 3_600_000, silenceTimeoutMs: 3_700_000, idleInTransactionTimeoutMs: 600_000 };

/** The tables that a build writes. */
const BUILT = [
  ...['portfolio_facts', 'quote_lags', 'portfolio_changes', 'portfolio_marks', 'receivable_facts', 'commission_facts'],
];

/** How long to wait each time, a few times, for a worker that is building the same sums. */
const WORKER_MS = 60_000;

const READ = ['portfolio', 'receivables', 'da-utilization'] as const;
const GROUPED = ['portfolio?groupBy=month', 'portfolio?groupBy=state', 'portfolio?groupBy=line'] as const;
/** Reads the rows of the terms that ended in the period, so its cost grows with them: it only has to answer in time. */
const FROM_ROWS = ['retention'] as const;
const MOST_MS = 50;
const MOST_RATIO = 1.5;
const MOST_FROM_ROWS_MS = 5_000;

interface Side {
  organization: Organization;
  count: number;
}

export async function compareAnalytics(setting: Setting, progress: (line: string) => void): Promise<Comparison[]> {
  const database = await connectDatabase({
    ...setting.database,
    poolSize: 2,
    logger: silentLogger,
    timeouts: PATIENCE,
  });
  const sides: Record<'few' | 'many', Side> = {
    few: { organization: await setting.createOrganization('Few policies'), count: FEW },
    many: { organization: await setting.createOrganization('Many policies'), count: MANY },
  };
  try {
    for (const [series, { organization, count }] of Object.values(sides).entries()) {
      progress(`generating ${count} policies`);
      await clonePolicies(setting, organization, { count, series, day: daysBack });
    }
    const found = [await withoutSums(setting, Object.values(sides), progress)];
    for (const { organization, count } of Object.values(sides)) await build(database, organization, count, progress);
    // Building updates the same rows page after page. An installation's server would vacuum the old versions; here
    // nothing does, and reads would have to skip them all.
    for (const table of BUILT) await setting.owner.query(`vacuum (analyze, freeze) ${table}`);
    for (const { organization } of Object.values(sides)) await bindSome(setting, organization);
    for (const name of [...READ, ...GROUPED]) {
      progress(`reading ${name}`);
      found.push(await compare(setting, sides, name));
    }
    for (const name of FROM_ROWS) found.push(await fromRows(setting, Object.values(sides), name));
    return found;
  } finally {
    await database.close();
  }
}

/** The copies are spread over years. */
function daysBack(column: string): string {
  return `source.${column} - (i::bigint * 7919 % ${DAYS})::int`;
}

/** How long the portfolio takes from the rows, once on each side, before the sums exist. */
async function withoutSums(
  setting: Setting,
  sides: readonly Side[],
  progress: (line: string) => void,
): Promise<Comparison> {
  const lines = [];
  for (const { organization, count } of sides) {
    progress(`reading the portfolio of ${count} policies without sums`);
    const read = await reader(setting, organization, 'portfolio', 1);
    const round = await read().catch(() => null);
    const name = `at ${count.toLocaleString('en')} policies${round ? '' : ' (no answer in time)'}`;
    lines.push({ name, figures: summarize(round ? [round] : []) });
  }
  return { title: 'Portfolio without daily sums', lines, verdicts: [] };
}

async function build(database: Database, { id }: Organization, count: number, progress: (line: string) => void) {
  progress(`building the sums of ${count} policies`);
  await rebuildSums(database, id, WORKER_MS);
}

async function bindSome(setting: Setting, organization: Organization): Promise<void> {
  const authorization = await organization.authorization();
  for (const { submissionId } of await quotedSubmissions(setting, organization, BOUND_SINCE)) {
    await bind(setting, authorization, submissionId);
  }
}

async function compare(
  setting: Setting,
  { few, many }: Record<'few' | 'many', Side>,
  name: string,
): Promise<Comparison> {
  const read = {
    few: await reader(setting, few.organization, name, REQUESTS),
    many: await reader(setting, many.organization, name, REQUESTS),
  };
  const rounds: Record<'few' | 'many', Round[]> = { few: [], many: [] };
  for (let i = 0; i < WARM_UP_ROUNDS; i += 1) await Promise.all([read.few(), read.many()]);
  for (let i = 0; i < ROUNDS; i += 1) {
    rounds.few.push(await read.few());
    rounds.many.push(await read.many());
  }
  const figures = { few: summarize(rounds.few), many: summarize(rounds.many) };
  return {
    title: `Analytics: ${name}, one at a time`,
    lines: [
      { name: `at ${few.count.toLocaleString('en')} policies`, figures: figures.few },
      { name: `at ${many.count.toLocaleString('en')} policies`, figures: figures.many },
    ],
    verdicts: [
      { what: 'p50 ratio', value: figures.many.p50Ms / figures.few.p50Ms, aim: { most: MOST_RATIO } },
      { what: 'p50 in milliseconds', value: figures.many.p50Ms, aim: { most: MOST_MS } },
    ],
  };
}

async function fromRows(setting: Setting, sides: readonly Side[], name: string): Promise<Comparison> {
  const lines = [];
  for (const { organization, count } of sides) {
    const read = await reader(setting, organization, name, 1);
    const rounds = [await read(), await read(), await read()];
    lines.push({ name: `at ${count.toLocaleString('en')} policies`, figures: summarize(rounds) });
  }
  const slowest = Math.max(...lines.map(({ figures }) => figures.p50Ms));
  const verdict = { what: 'p50 in milliseconds', value: slowest, aim: { most: MOST_FROM_ROWS_MS } };
  return { title: `Analytics: ${name}, from the rows`, lines, verdicts: [verdict] };
}

async function reader(setting: Setting, { id, authorization }: Organization, name: string, requests: number) {
  const credential = await authorization();
  const paths = Array.from({ length: requests }, () => `/v1/analytics/${id}/${name}`);
  return () =>
    measure(paths, 1, async (path) => {
      await call(setting.http, 'GET', path, credential, 200);
    });
}
