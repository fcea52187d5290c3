// Whether a page of policies, claims or producers costs the same however many there are: reads the newest 25 of an
// organization with few, and of one with a hundred times as many in the same table, in turn.
import { fileClaim } from './claims.ts';
import { cloneId, cloneRow } from './clone-rows.ts';
import { measure, type Round, summarize } from './measure.ts';
import { call, type Organization, type Setting } from './setting.ts';
import { bind, quotedSubmissions } from './submissions.ts';
import type { Comparison } from './table.ts';

const TIMES = 100;
const ROUNDS = 40;
const REQUESTS = 20;
const SEARCHES = 5;
/** The name of the last of a hundred thousand copies. */
const LAST_NAME = 'Agency 99999';
const WARM_UP_ROUNDS = 5;

/** What is listed, and how one row is made into many. */
interface Listed {
  noun: string;
  /** Number of rows in the small organization. */
  few: number;
  table: string;
  prefix: string;
  /** Creates one through the platform and returns its id. */
  make: (setting: Setting, organization: Organization) => Promise<string>;
  /** SQL for the columns, besides the id, that differ between copies. */
  columns: (series: number) => Record<string, string>;
}

const POLICIES: Listed = {
  noun: 'policies',
  few: 10_000,
  table: 'policies',
  prefix: 'pol',
  make: boundPolicy,
  columns: (series) => ({
    policy_number: `'CLONE-${series}-' || i`,
    submission_id: 'null',
    quote_id: 'null',
  }),
};

const CLAIMS: Listed = {
  noun: 'claims',
  few: 10_000,
  table: 'claims',
  prefix: 'clm',
  make: async (setting, organization) => {
    const authorization = await organization.authorization();
    return fileClaim(setting, authorization, await boundPolicy(setting, organization));
  },
  columns: (series) => ({ claim_number: `'CLONE-${series}-' || i` }),
};

const PRODUCERS: Listed = {
  noun: 'producers',
  few: 1_000,
  table: 'producers',
  prefix: 'prd',
  make: async ({ http }, organization) => {
    const body = { name: 'Agency 0' };
    return String((await call(http, 'POST', '/v1/producers', await organization.authorization(), 201, body)).id);
  },
  columns: () => ({ name: `'Agency ' || i`, npn: 'null' }),
};

type Progress = (line: string) => void;

export async function compareLists(setting: Setting, progress: Progress): Promise<Comparison[]> {
  const found: Comparison[] = [];
  for (const listed of [POLICIES, CLAIMS]) found.push((await compareList(setting, listed, progress)).comparison);
  return found;
}

/** The list of producers, and the search for the one with a certain name. */
export async function compareProducers(setting: Setting, progress: Progress): Promise<Comparison[]> {
  const { comparison, large } = await compareList(setting, PRODUCERS, progress);
  progress('searching producers');
  const search = await pages(setting, large, { path: `/v1/producers?q=${encodeURIComponent(LAST_NAME)}`, rows: 1 });
  await search();
  const rounds: Round[] = [];
  for (let i = 0; i < SEARCHES; i += 1) rounds.push(await search());
  const figures = summarize(rounds);
  return [
    comparison,
    {
      title: 'Search for one producer by name, one at a time',
      lines: [{ name: 'at 100,000 producers', figures }],
      verdicts: [{ what: 'p50 in milliseconds', value: figures.p50Ms, aim: { most: 250 } }],
    },
  ];
}

async function compareList(
  setting: Setting,
  listed: Listed,
  progress: Progress,
): Promise<{ comparison: Comparison; large: Organization }> {
  const { noun, table, few } = listed;
  const many = few * TIMES;
  const small = await setting.createOrganization(`Few ${noun}`);
  const large = await setting.createOrganization(`Many ${noun}`);
  await fill(setting, small, listed, { count: few, series: 0 });
  progress(`generating ${many} ${noun}`);
  await fill(setting, large, listed, { count: many, series: 1 });
  await setting.owner.query(`vacuum analyze ${table}`);
  progress(`listing ${noun}`);
  const rounds: { small: Round[]; large: Round[] } = { small: [], large: [] };
  const page = { path: `/v1/${noun}?limit=25`, rows: 25 };
  const sides = { small: await pages(setting, small, page), large: await pages(setting, large, page) };
  for (let i = 0; i < WARM_UP_ROUNDS; i += 1) await Promise.all([sides.small(), sides.large()]);
  for (let i = 0; i < ROUNDS; i += 1) {
    rounds.small.push(await sides.small());
    rounds.large.push(await sides.large());
  }
  const figures = { small: summarize(rounds.small), large: summarize(rounds.large) };
  const comparison = {
    title: `List of 25 ${noun}, one at a time`,
    lines: [
      { name: `at ${few.toLocaleString('en')} ${noun}`, figures: figures.small },
      { name: `at ${many.toLocaleString('en')} ${noun}`, figures: figures.large },
    ],
    verdicts: [{ what: 'p50 ratio', value: figures.large.p50Ms / figures.small.p50Ms, aim: { most: 1.1 } }],
  };
  return { comparison, large };
}

async function boundPolicy(setting: Setting, organization: Organization): Promise<string> {
  const [quoted] = await quotedSubmissions(setting, organization, 1);
  if (!quoted) throw new Error('No submission was quoted');
  return (await bind(setting, await organization.authorization(), quoted.submissionId)).policyId;
}

async function fill(
  setting: Setting,
  organization: Organization,
  { table, prefix, make, columns }: Listed,
  { count, series }: { count: number; series: number },
): Promise<void> {
  const sourceId = await make(setting, organization);
  // The rows are copies of one that satisfies every constraint; checking a million again would take minutes.
  await setting.owner.query("set session_replication_role = 'replica'");
  const differing = { id: cloneId(prefix, series), ...columns(series) };
  await cloneRow(setting.owner, { table, sourceId, count: count - 1, columns: differing });
  await setting.owner.query("set session_replication_role = 'origin'");
}

async function pages(
  setting: Setting,
  organization: Organization,
  { path, rows }: { path: string; rows: number },
): Promise<() => Promise<Round>> {
  const authorization = await organization.authorization();
  const requests = Array.from({ length: REQUESTS }, () => path);
  return () =>
    measure(requests, 1, async (each) => {
      const { data } = await call(setting.http, 'GET', each, authorization, 200);
      if (!Array.isArray(data) || data.length !== rows) throw new Error(`${each} did not have ${rows} rows`);
    });
}
