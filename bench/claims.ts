// How long a first notice of loss and a reserve change take, compared with a bind in the same run.
import { type Figures, measure, type Round, summarize, take } from './measure.ts';
import { call, type Setting } from './setting.ts';
import { bind, quotedSubmissions } from './submissions.ts';
import type { Comparison } from './table.ts';

const ROUNDS = 8;
const IN_A_ROUND = 10;
const WARM_UP = 10;
const NEEDED = WARM_UP + ROUNDS * IN_A_ROUND;
const RESERVES = { indemnity: 5_000, expense: 500, reason: 'First estimate.' };

/** Files a claim through the platform and returns its id. */
export async function fileClaim(setting: Setting, authorization: string, policyId: string): Promise<string> {
  const lossDate = new Date().toISOString().slice(0, 10);
  const notice = { policyId, lossDate, description: 'A guest fell on the wet floor.', cause: 'Slip and fall' };
  return String((await call(setting.http, 'POST', '/v1/claims', authorization, 201, notice)).id);
}

export async function compareClaims(setting: Setting, progress: (line: string) => void): Promise<Comparison[]> {
  const organization = await setting.createOrganization('Measured Claims');
  const authorization = await organization.authorization();
  progress(`quoting ${NEEDED} submissions`);
  const quoted = await quotedSubmissions(setting, organization, NEEDED);
  const policies: string[] = [];
  const claims: string[] = [];
  const rounds: Record<'bind' | 'file' | 'reserve', Round[]> = { bind: [], file: [], reserve: [] };
  // Each round binds policies, files a claim on each and sets each claim's reserves.
  const round = async (count: number) => ({
    bind: await measure(take(quoted, count), 1, async ({ submissionId }) => {
      policies.push((await bind(setting, authorization, submissionId)).policyId);
    }),
    file: await measure(take(policies, count), 1, async (policyId) => {
      claims.push(await fileClaim(setting, authorization, policyId));
    }),
    reserve: await measure(take(claims, count), 1, async (id) => {
      await call(setting.http, 'POST', `/v1/claims/${id}/reserves`, authorization, 201, RESERVES);
    }),
  });
  progress('binding, filing and reserving, one at a time');
  await round(WARM_UP);
  for (let i = 0; i < ROUNDS; i += 1) {
    const measured = await round(IN_A_ROUND);
    for (const side of ['bind', 'file', 'reserve'] as const) rounds[side].push(measured[side]);
  }
  const bound = summarize(rounds.bind);
  return [
    comparison('A first notice of loss, one at a time', 'first notice', summarize(rounds.file), bound),
    comparison('Reserves of a claim, one at a time', 'reserves', summarize(rounds.reserve), bound),
  ];
}

function comparison(title: string, name: string, figures: Figures, bound: Figures): Comparison {
  return {
    title,
    lines: [
      { name, figures },
      { name: 'bind', figures: bound },
    ],
    verdicts: [{ what: 'p50 ratio', value: figures.p50Ms / bound.p50Ms, aim: { most: 1 } }],
  };
}
