// Whether a page of policies costs the same however many there are: the newest 25 of an organization with ten thousand
// and of one with a million in the same table, read in turn.
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
const PATH = '/v1/policies?limit=25';

export async function compareLists(setting: Setting, progress: (line: string) => void): Promise<Comparison> {
  const small = await setting.createOrganization('Ten Thousand Policies');
  const large = await setting.createOrganization('A Million Policies');
  await fill(setting, small, FEW, 0);
  progress(`generating ${MANY} policies`);
  await fill(setting, large, MANY, 1);
  await setting.owner.query('vacuum analyze policies');
  progress('listing');
  const rounds: { small: Round[]; large: Round[] } = { small: [], large: [] };
  const sides = { small: await pages(setting, small), large: await pages(setting, large) };
  for (let i = 0; i < WARM_UP_ROUNDS; i += 1) await Promise.all([sides.small(), sides.large()]);
  for (let i = 0; i < ROUNDS; i += 1) {
    rounds.small.push(await sides.small());
    rounds.large.push(await sides.large());
  }
  const figures = { small: summarize(rounds.small), large: summarize(rounds.large) };
  return {
    title: 'List of 25 policies, one at a time',
    lines: [
      { name: 'at 10,000 policies', figures: figures.small },
      { name: 'at 1,000,000 policies', figures: figures.large },
    ],
    verdicts: [{ what: 'p50 ratio', value: figures.large.p50Ms / figures.small.p50Ms, aim: { most: 1.2 } }],
  };
}

async function fill(setting: Setting, organization: Organization, count: number, series: number): Promise<void> {
  const [quoted] = await quotedSubmissions(setting, organization, 1);
  if (!quoted) throw new Error('No submission was quoted');
  const { policyId } = await bind(setting, await organization.authorization(), quoted.submissionId);
  // The rows are copies of one that satisfies every constraint; checking a million again would take minutes.
  await setting.owner.query("set session_replication_role = 'replica'");
  await cloneRow(setting.owner, {
    table: 'policies',
    sourceId: policyId,
    count: count - 1,
    columns: {
      id: cloneId('pol', series),
      policy_number: `'CLONE-${series}-' || i`,
      submission_id: 'null',
      quote_id: 'null',
    },
  });
  await setting.owner.query("set session_replication_role = 'origin'");
}

async function pages(setting: Setting, organization: Organization): Promise<() => Promise<Round>> {
  const authorization = await organization.authorization();
  const requests = Array.from({ length: REQUESTS }, () => PATH);
  return () =>
    measure(requests, 1, async (path) => {
      const { data } = await call(setting.http, 'GET', path, authorization, 200);
      if (!Array.isArray(data) || data.length !== 25) throw new Error('A page did not have 25 policies');
    });
}
