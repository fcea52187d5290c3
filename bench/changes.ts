// What a policy's five hundredth change costs compared with its fifth: rounds on one policy with a long history
// alternate with rounds on policies with hardly any.
import { cpuBetween, totalCpu, usedCpu } from './cpu.ts';
import { measure, median, type Round, summarize, take } from './measure.ts';
import { call, type Setting } from './setting.ts';
import { bind, quotedSubmissions } from './submissions.ts';
import type { Comparison } from './table.ts';

const ROUNDS = 3;
const CHANGES = 10;
const EARLIER = 4;
const PREPARED_AT_A_TIME = 4;
/** Number of changes in the long history before measuring; any other number is only for trying out the comparison. */
const MANY = Number(process.env.BENCH_CHANGES ?? '500');

/** Compares changes made in sequence, each for the whole term from its first day. */
export async function compareChanges(setting: Setting, progress: (line: string) => void): Promise<Comparison> {
  const organization = await setting.createOrganization('Changes');
  const count = ROUNDS * CHANGES;
  progress(`making ${count} policies with ${EARLIER} changes each`);
  const quoted = await quotedSubmissions(setting, organization, count + 1);
  const authorization = await organization.authorization();
  const policies: string[] = [];
  await measure(quoted, PREPARED_AT_A_TIME, async ({ submissionId }) => {
    policies.push((await bind(setting, authorization, submissionId)).policyId);
  });
  const [old = '', ...young] = policies;
  const { effectiveDate } = await call(setting.http, 'GET', `/v1/policies/${old}`, authorization, 200);
  const change: Change = async (policyId, n) => {
    // Revenue goes up by a tenth and back down.
    const changes = { annualRevenue: n % 2 === 0 ? 1_100_000 : 1_000_000 };
    const body = { effectiveDate, changes };
    await call(setting.http, 'POST', `/v1/policies/${policyId}/endorse`, await organization.authorization(), 201, body);
  };
  await measure(young, PREPARED_AT_A_TIME, (policyId) => changes(change, policyId, EARLIER));
  progress(`changing one of them ${MANY} times`);
  await changes(change, old, MANY);
  const rounds: { early: Round[]; late: Round[] } = { early: [], late: [] };
  for (let i = 0; i < ROUNDS; i += 1) {
    progress(`round ${i + 1}`);
    rounds.early.push(
      await round(
        change,
        take(young, CHANGES).map((policyId) => [policyId, EARLIER]),
      ),
    );
    const had = MANY + i * CHANGES;
    rounds.late.push(
      await round(
        change,
        Array.from({ length: CHANGES }, (_, n) => [old, had + n]),
      ),
    );
  }
  const [early, late] = [summarize(rounds.early), summarize(rounds.late)];
  const cpuOf = (sides: Round[]) => median(sides.map(({ cpu }) => (cpu ? totalCpu(cpu) : 0)));
  return {
    title: 'One change of a policy, one at a time',
    lines: [
      { name: `change ${EARLIER + 1}`, figures: early },
      { name: `changes ${MANY + 1} to ${MANY + count}`, figures: late },
    ],
    verdicts: [
      { what: 'p50 ratio', value: late.p50Ms / early.p50Ms, aim: { most: 1.3 } },
      { what: 'the same, by processor time', value: cpuOf(rounds.late) / cpuOf(rounds.early), aim: { most: 1.3 } },
    ],
  };
}

/** Makes a change to a policy that has had `n` changes. */
type Change = (policyId: string, n: number) => Promise<void>;

/** Changes some policies one after another; `orders` says how many changes each has had. */
async function round(change: Change, orders: readonly (readonly [policyId: string, n: number])[]): Promise<Round> {
  const before = usedCpu();
  const measured = await measure(orders, 1, ([policyId, n]) => change(policyId, n));
  return { ...measured, cpu: cpuBetween(before, usedCpu(), orders.length) };
}

async function changes(change: Change, policyId: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await change(policyId, n);
}
