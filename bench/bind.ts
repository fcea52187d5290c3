// A bind through the whole platform, compared with a bare workflow that receives one update and runs the same
// statements in one local activity through plain `pg`, and with a peer: the same statements as a step of a DBOS
// workflow. All use the same servers, tables and organization.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { type Child, launch } from '../scripts/start/child.ts';
import { eventually } from '../test/support/eventually.ts';
import { freePort } from '../test/support/servers/free-port.ts';
import { cpuBetween, usedCpu } from './cpu.ts';
import type { FloorBind } from './floor/bind-command.ts';
import { bindUpdate as floorBindUpdate, warmUpdate } from './floor/bind-workflow.ts';
import { type Figures, measure, type Round, summarize, take } from './measure.ts';
import type { Organization, Setting } from './setting.ts';
import { bind, clonedSubmissions, type Quoted, quotedSubmissions } from './submissions.ts';
import type { Comparison } from './table.ts';

const FLOOR_WORKER = join(import.meta.dirname, 'floor/bind-worker.ts');
const PEER_SERVER = join(import.meta.dirname, 'peer/bind-server.ts');
const FLOOR_QUEUE = 'bench-floor';
const FLOOR_WORKFLOW = 'floorWorkflow';
const PREPARED_AT_A_TIME = 8;
/**
 * Work after the last answer (a policy's workflow starting) must not slow down the next round, which is the other
 * side's.
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
  const [source] = take(ours.prepared, 1);
  if (!source) throw new Error('There is no submission to copy');
  const port = await freePort();
  const children = [await launchFloor(setting, organization), await launchPeer(setting, organization, port)];
  try {
    const floor = await floorSide(setting, await clonedSubmissions(setting, source, { series: 1, count: needed }));
    const peer = await peerSide(port, await clonedSubmissions(setting, source, { series: 2, count: needed }));
    const found: Comparison[] = [];
    for (const load of loads) {
      progress(`binding, ${load.inFlight} at a time`);
      found.unshift(comparison(load, await alternate({ ours, floor, peer }, load)));
    }
    return found;
  } finally {
    for (const child of children) await child.stop(5_000);
  }
}

async function platformSide(setting: Setting, organization: Organization, count: number): Promise<Side> {
  const authorization = await organization.authorization();
  // One more than is bound: the floor's submissions are copied from it.
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

function launchPeer(setting: Setting, organization: Organization, port: number): Promise<Child> {
  const { appUrl, ownerUrl } = setting.database;
  const systemUrl = new URL(ownerUrl);
  systemUrl.pathname = `${systemUrl.pathname}_dbos`;
  const args = [PEER_SERVER, String(port), appUrl, systemUrl.href, organization.id];
  const onLine = (line: string) => process.stderr.write(`peer: ${line}\n`);
  return launch({ name: 'peer', command: process.execPath, args, onLine });
}

/** One bare workflow per bind, each in the worker's cache, as the platform's are. */
async function floorSide(setting: Setting, prepared: Quoted[]): Promise<Side> {
  const { workflow } = setting.temporal;
  await measure(prepared, PREPARED_AT_A_TIME, async ({ submissionId }) => {
    const handle = await workflow.start(FLOOR_WORKFLOW, { workflowId: submissionId, taskQueue: FLOOR_QUEUE });
    await handle.executeUpdate(warmUpdate);
  });
  const bindOne = async (quoted: FloorBind) =>
    void (await workflow.getHandle(quoted.submissionId).executeUpdate(floorBindUpdate, { args: [quoted] }));
  return { prepared, bind: bindOne };
}

async function peerSide(port: number, prepared: Quoted[]): Promise<Side> {
  const url = `http://127.0.0.1:${port}`;
  const listens = () =>
    request(url, { method: 'HEAD' }).then(
      () => true,
      () => false,
    );
  await eventually(listens, { what: 'the peer' });
  const bindOne = async ({ submissionId, quoteId }: Quoted) => {
    const { statusCode, body } = await request(`${url}/${submissionId}/${quoteId}`, { method: 'POST' });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`The peer answered ${statusCode}: ${text}`);
  };
  return { prepared, bind: bindOne };
}

type Named<T> = Record<'ours' | 'floor' | 'peer', T>;

async function alternate(sides: Named<Side>, { inFlight, binds, warmUp, rounds }: Load): Promise<Named<Figures>> {
  const round = async (side: Side, count: number) => {
    const before = usedCpu();
    const measured = await measure(take(side.prepared, count), inFlight, side.bind);
    await delay(SETTLE_MS);
    return { ...measured, cpu: cpuBetween(before, usedCpu(), count) };
  };
  const measured: Named<Round[]> = { ours: [], floor: [], peer: [] };
  const names = Object.keys(measured) as (keyof Named<unknown>)[];
  for (const name of names) await round(sides[name], warmUp);
  for (let i = 0; i < rounds; i += 1) {
    for (const name of names) measured[name].push(await round(sides[name], binds));
  }
  const { ours, floor, peer } = measured;
  return { ours: summarize(ours), floor: summarize(floor), peer: summarize(peer) };
}

function comparison({ inFlight }: Load, { ours, floor, peer }: Named<Figures>): Comparison {
  const latency = { what: 'p50 ratio', value: ours.p50Ms / floor.p50Ms, aim: { most: 1.25 } };
  const throughput = { what: 'throughput ratio', value: ours.perSecond / floor.perSecond, aim: { least: 0.85 } };
  const ofPeer = { what: 'throughput ratio to the peer', value: ours.perSecond / peer.perSecond, aim: { least: 0.8 } };
  return {
    title: inFlight === 1 ? 'Bind, one at a time' : `Bind, ${inFlight} at a time`,
    lines: [
      { name: 'Bindery, through HTTP', figures: ours },
      { name: 'bare workflow, one update, same SQL', figures: floor },
      { name: 'DBOS workflow, three steps, same SQL', figures: peer },
    ],
    verdicts: inFlight === 1 ? [latency, throughput] : [latency, throughput, ofPeer],
  };
}
