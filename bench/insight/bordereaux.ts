// Whether a bordereau costs the same per row however many there are, and how much the worker's memory grows
// meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import { WorkerMemory } from '../../test/deliveries/memory.ts';
import { measure, type Round, summarize } from '../measure.ts';
import { call, type Organization, type Setting } from '../setting.ts';
import type { Comparison, Line } from '../table.ts';
import { clonePolicies } from './cloned-policies.ts';

const FEW = 10_000;
const MANY = 100_000;
const CARRIER = 'Default Carrier';
/** The second version of each also compares every row with the previous version. */
const VERSIONS = 2;
const LOOK_MS = 200;
const LONGEST_MS = 600_000;
const MOST_RATIO = 1.2;
/** Nothing limits the heap here, so it grows before garbage is collected. */
const MOST_GROWTH_MIB = 256;

interface Side {
  organization: Organization;
  count: number;
}

export async function compareBordereaux(setting: Setting, progress: (line: string) => void): Promise<Comparison[]> {
  const sides: Side[] = [
    { organization: await setting.createOrganization('Few rows'), count: FEW },
    { organization: await setting.createOrganization('Many rows'), count: MANY },
  ];
  const month = new Date().toISOString().slice(0, 7);
  for (const [series, { organization, count }] of sides.entries()) {
    progress(`generating ${count} policies of today`);
    await clonePolicies(setting, organization, { count, series, day: (column) => `source.${column}` });
  }
  const lines: Line[] = [];
  const grown: number[] = [];
  for (const side of sides) {
    progress(`making bordereaux of ${side.count} rows`);
    const memory = await WorkerMemory.of(setting.platform);
    const rounds: Round[] = [];
    for (let version = 1; version <= VERSIONS; version += 1) {
      rounds.push(await measure([version], 1, () => make(setting, side, { month, memory })));
    }
    const name = `${side.count.toLocaleString('en')} rows, ${VERSIONS} versions`;
    lines.push({ name, figures: summarize(rounds) });
    grown.push(memory.grownMiB);
    progress(`the worker has grown by ${memory.grownMiB} MiB`);
  }
  const [few, many] = lines.map(({ figures }, at) => figures.p50Ms / (sides[at]?.count ?? 1));
  const verdicts = [
    { what: 'p50 a row, many to few', value: (many ?? Number.NaN) / (few ?? Number.NaN), aim: { most: MOST_RATIO } },
    { what: 'MiB the worker grows beyond the first', value: grown[1] ?? 0, aim: { most: MOST_GROWTH_MIB } },
  ];
  return [{ title: 'Premium bordereaux, from the call to their files', lines, verdicts }];
}

async function make(
  { http }: Setting,
  { organization, count }: Side,
  { month, memory }: { month: string; memory: WorkerMemory },
): Promise<void> {
  const authorization = await organization.authorization();
  const order = { carrier: CARRIER, month, kind: 'premium' };
  const { id } = await call(http, 'POST', '/v1/bordereaux', authorization, 202, order);
  for (const begunAt = Date.now(); Date.now() - begunAt < LONGEST_MS; await pause(LOOK_MS)) {
    const { status, rowCount } = await call(http, 'GET', `/v1/bordereaux/${id}`, authorization, 200);
    await memory.look();
    if (status === 'running') continue;
    if (status === 'completed' && rowCount === count) return;
    throw new Error(`A bordereau of ${count} rows is ${status} with ${rowCount}`);
  }
  throw new Error(`A bordereau of ${count} rows is not made in time`);
}
