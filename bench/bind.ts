// A bind through the whole platform, against a bare workflow that is sent one update and runs the same statements in
// one local activity through plain `pg`. Both use the same Temporal server, the same tables and the same organization.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, launch } from '../scripts/start/child.ts';
import { cpuBetween, usedCpu } from './cpu.ts';
import type { FloorBind } from './floor/bind-command.ts';
import { bindUpdate as floorBindUpdate, warmUpdate } from './floor/bind-workflow.ts';
import { type Figures, measure, type Round, summarize, take } from './measure.ts';
import type { Organization, Setting } from './setting.ts';
import { bind, clonedSubmissions, type Quoted, quotedSubmissions } from './submissions.ts';
import type { Comparison } from './table.ts';

const FLOOR_WORKER = join(import.meta.dirname, 'floor/bind-worker.ts');
const FLOOR_QUEUE = 'bench-floor';
const FLOOR_WORKFLOW = 'floorWorkflow';
const PREPARED_AT_A_TIME = 8;
/**
 * Work after the last answer (a policy's workflow starts) must not burden the next round, which is the other side's.
 */
const SETTLE_MS = 750;
const ONE_AT_A_TIME = { inFlight: 1, rounds: 10, binds: 12, warmUp: 12 };
const EIGHT_AT_A_TIME = { inFlight: 8, rounds: 7, binds: 40, warmUp: 120 };

type Load = typeof ONE_AT_A_TIME;

/** One side of the comparison: the items left to bind, and how to bind one. */
interface Side {
  prepared: Quoted[];
  bind: (quoted: Quoted) => Promise<void>;
}

export async function compareBinds(setting: Setting, progress: (line: string) => void): Promise<Comparison[]> {
  // Eight at a time comes first: by the time single binds are timed, both sides run compiled code.
  const loads = [EIGHT_AT_A_TIME, ONE_AT_A_TIME];
  const needed = loads.reduce((sum, { rounds, binds, warmUp }) => sum + warmUp + rounds * binds, 0);
  const organization = await setting.createOrganization('Measured Binds');
  progress(`quoting ${needed} submissions`);
  const ours = await platformSide(setting, organization, needed);
  const worker = await launchFloor(setting, organization);
  try {
    const floor = await floorSide(setting, ours, needed);
    const found: Comparison[] = [];
    for (const load of loads) {
      progress(`binding, ${load.inFlight} at a time`);
      found.unshift(comparison(load, await alternate(ours, floor, load)));
    }
    return found;
  } finally {
    await worker.stop(5_000);
  }
}

async function platformSide(setting: Setting, organization: Organization, count: number): Promise<Side> {
  const authorization = await organization.authorization();
  // One more than is bound, from which the floor's submissions are copied.
  const prepared = await quotedSubmissions(setting, organization, count + 1);
  return {
    prepared,
    bind: async ({ submissionId }) => void (await bind(setting, authorization, submissionId)),
  };
}

function launchFloor(setting: Setting, organization: Organization): Promise<Child> {
  const args = [FLOOR_WORKER, setting.temporalAddress, FLOOR_QUEUE, setting.database.appUrl, organization.id];
  const onLine = (line: string) => process.stderr.write(`floor: ${line}\n`);
  return launch({ name: 'floor', command: process.execPath, args, onLine });
}

/** As many bare workflows as binds, each of them in the worker's cache as those of the platform are. */
async function floorSide(setting: Setting, ours: Side, count: number): Promise<Side> {
  const [source] = take(ours.prepared, 1);
  if (!source) throw new Error('There is no submission to copy');
  const prepared = await clonedSubmissions(setting, source, count);
  const { workflow } = setting.temporal;
  await measure(prepared, PREPARED_AT_A_TIME, async ({ submissionId }) => {
    const handle = await workflow.start(FLOOR_WORKFLOW, { workflowId: submissionId, taskQueue: FLOOR_QUEUE });
    await handle.executeUpdate(warmUpdate);
  });
  const bindOne = async (quoted: FloorBind) =>
    void (await workflow.getHandle(quoted.submissionId).executeUpdate(floorBindUpdate, { args: [quoted] }));
  return { prepared, bind: bindOne };
}

async function alternate(ours: Side, floor: Side, load: Load) {
  const { inFlight, binds, warmUp } = load;
  const round = async (side: Side, count: number) => {
    const before = usedCpu();
    const measured = await measure(take(side.prepared, count), inFlight, side.bind);
    await delay(SETTLE_MS);
    return { ...measured, cpu: cpuBetween(before, usedCpu(), count) };
  };
  const rounds: { ours: Round[]; floor: Round[] } = { ours: [], floor: [] };
  await round(ours, warmUp);
  await round(floor, warmUp);
  for (let i = 0; i < load.rounds; i += 1) {
    rounds.ours.push(await round(ours, binds));
    rounds.floor.push(await round(floor, binds));
  }
  return { ours: summarize(rounds.ours), floor: summarize(rounds.floor) };
}

function comparison({ inFlight }: Load, { ours, floor }: { ours: Figures; floor: Figures }): Comparison {
  const latency = { what: 'p50 ratio', value: ours.p50Ms / floor.p50Ms, aim: { most: 1.25 } };
  const throughput = { what: 'throughput ratio', value: ours.perSecond / floor.perSecond, aim: { least: 0.85 } };
  return {
    title: inFlight === 1 ? 'Bind, one at a time' : `Bind, ${inFlight} at a time`,
    lines: [
      { name: 'Bindery, through HTTP', figures: ours },
      { name: 'bare workflow, one update, same SQL', figures: floor },
    ],
    verdicts: [latency, throughput],
  };
}
