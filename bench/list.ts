// Whether a page of policies or claims costs the same however many there are: the newest 25 of an organization with ten
// thousand and of one with a million in the same table, read in turn.
import { fileClaim } from './claims.ts';
import { cloneId, cloneRow } from './clone-rows.ts';
import { measure, type Round, summarize } from './measure.ts';
import { call, type Organization, type Setting } from './setting.ts';
import { bind, quotedSubmissions } from './submissions.ts';
import type { Comparison } from './table.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const ROUNDS = 40;
const REQUESTS = 20;
const WARM_UP_ROUNDS = 5;

/** What is listed, and how one of it becomes many. */
interface Listed {
  noun: string;
  table: string;
  prefix: string;
  /** Makes one through the platform and answers its id. */
  make: (setting: Setting, organization: Organization) => Promise<string>;
  /** SQL of the columns that differ from copy to copy, besides the id. */
  columns: (series: number) => Record<string, string>;
}

const POLICIES: Listed = {
  noun: 'policies',
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
  table: 'claims',
  prefix: 'clm',
  make: async (setting, organization) => {
    const authorization = await organization.authorization();
    return fileClaim(setting, authorization, await boundPolicy(setting, organization));
  },
  columns: (series) => ({ claim_number: `'CLONE-${series}-' || i` }),
};

export async function compareLists(setting: Setting, progress: (line: string) => void): Promise<Comparison[]> {
  const found: Comparison[] = [];
  for (const listed of [POLICIES, CLAIMS]) found.push(await compareList(setting, listed, progress));
  return found;
}

async function compareList(setting: Setting, listed: Listed, progress: (line: string) => void): Promise<Comparison> {
  const { noun, table } = listed;
  const small = await setting.createOrganization(`Ten Thousand ${noun}`);
  const large = await setting.createOrganization(`A Million ${noun}`);
  await fill(setting, small, listed, { count: FEW, series: 0 });
  progress(`generating ${MANY} ${noun}`);
  await fill(setting, large, listed, { count: MANY, series: 1 });
  await setting.owner.query(`vacuum analyze ${table}`);
  progress(`listing ${noun}`);
  const rounds: { small: Round[]; large: Round[] } = { small: [], large: [] };
  const sides = { small: await pages(setting, small, noun), large: await pages(setting, large, noun) };
  for (let i = 0; i < WARM_UP_ROUNDS; i += 1) await Promise.all([sides.small(), sides.large()]);
  for (let i = 0; i < ROUNDS; i += 1) {
    rounds.small.push(await sides.small());
    rounds.large.push(await sides.large());
  }
  const figures = { small: summarize(rounds.small), large: summarize(rounds.large) };
  return {
    title: `List of 25 ${noun}, one at a time`,
    lines: [
      { name: `at 10,000 ${noun}`, figures: figures.small },
      { name: `at 1,000,000 ${noun}`, figures: figures.large },
    ],
    verdicts: [{ what: 'p50 ratio', value: figures.large.p50Ms / figures.small.p50Ms, aim: { most: 1.2 } }],
  };
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

async function pages(setting: Setting, organization: Organization, noun: string): Promise<() => Promise<Round>> {
  const authorization = await organization.authorization();
  const requests = Array.from({ length: REQUESTS }, () => `/v1/${noun}?limit=25`);
  return () =>
    measure(requests, 1, async (path) => {
      const { data } = await call(setting.http, 'GET', path, authorization, 200);
      if (!Array.isArray(data) || data.length !== 25) throw new Error(`A page did not have 25 ${noun}`);
    });
}
