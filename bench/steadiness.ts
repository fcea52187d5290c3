// What must stay flat: the api's memory over 100,000 reads, the worker's over 5,000 binds and 6,000 documents, and
// the api's event loop delay under load. Also how long `npm start` takes to become ready.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import { installation } from '../test/scripts/installation.ts';
import { certify, insuredIn } from './documents.ts';
import { measure } from './measure.ts';
import type { Organization, Setting } from './setting.ts';
import { bind, quotedSubmissions } from './submissions.ts';
import type { Comparison } from './table.ts';

const MIB = 1_048_576;
const CONNECTIONS = 8;
/** Reads before the first measurement: by then caches are full and the code is compiled. */
const [FIRST_READS, READS] = [20_000, 100_000];
/** So many that none comes near the rate limit per minute. */
const READERS = 200;
const [FIRST_BINDS, BINDS] = [1_000, Number(process.env.BENCH_BINDS ?? '5000')];
const BINDS_IN_FLIGHT = 8;
/** V8 lets garbage grow to 200 MiB between collections: each half is long enough for several. */
const DOCUMENTS = 6_000;
const READING_EVERY_MS = 1_000;
/** One certificate is printed for each at the same time. */
const INSURED = ['Printed A', 'Printed B', 'Printed C'];
const LOADED_SECONDS = 20;
const SHARE_OF_MOST = 0.7;
const STARTS = 3;
const BOOTSTRAP = join(import.meta.dirname, '../scripts/bootstrap.mjs');
const READY = /is ready after ([\d.]+) s/;

type Progress = (line: string) => void;

/** Growth in MiB after the first part of the work, which fills the caches. */
export async function compareMemory(setting: Setting, progress: Progress): Promise<Comparison[]> {
  const organization = await setting.createOrganization('Memory');
  progress(`binding ${FIRST_BINDS}, then up to ${BINDS}`);
  await bindSome(setting, organization, FIRST_BINDS);
  const afterFirstBinds = await residentMib(setting.platform.workerUrl);
  await bindSome(setting, organization, BINDS - FIRST_BINDS);
  const worker = (await residentMib(setting.platform.workerUrl)) - afterFirstBinds;
  progress(`the worker has ${afterFirstBinds.toFixed(0)} MiB and ${worker.toFixed(0)} more`);
  const printing = await growthOverDocuments(setting, progress);
  const reading = await readingOf(setting, organization);
  progress(`reading ${FIRST_READS} times, then up to ${READS}`);
  await read(reading, { amount: FIRST_READS });
  const afterFirstReads = await residentMib(setting.platform.baseUrl);
  await read(reading, { amount: READS - FIRST_READS });
  const api = (await residentMib(setting.platform.baseUrl)) - afterFirstReads;
  progress(`the api has ${afterFirstReads.toFixed(0)} MiB and ${api.toFixed(0)} more`);
  const grows = (what: string, value: number) => ({ what, value, aim: { most: 64 } });
  return [
    {
      title: `Memory over ${READS} reads, ${BINDS} binds and ${DOCUMENTS} documents`,
      lines: [],
      verdicts: [
        grows('MiB by which the api grows', api),
        grows('MiB by which the worker grows by binds', worker),
        grows('MiB by which the worker grows by documents', printing),
      ],
    },
  ];
}

/** Event loop delay while the api serves 70 percent of the most requests it can answer. */
export async function compareLoop(setting: Setting, progress: Progress): Promise<Comparison[]> {
  const organization = await setting.createOrganization('Loop');
  const reading = await readingOf(setting, organization);
  await read(reading, { amount: FIRST_READS });
  const most = await read(reading, { duration: LOADED_SECONDS });
  const rate = Math.round(most * SHARE_OF_MOST);
  progress(`${most.toFixed(0)} a second at most, now ${rate}`);
  await metric(setting.platform.baseUrl, 'nodejs_eventloop_lag_p99_seconds');
  await read(reading, { duration: LOADED_SECONDS, overallRate: rate });
  const p99Ms = (await metric(setting.platform.baseUrl, 'nodejs_eventloop_lag_p99_seconds')) * 1_000;
  return [
    {
      title: `Event loop of the api with ${rate} reads a second`,
      lines: [],
      verdicts: [{ what: 'p99 of its delay in milliseconds', value: p99Ms, aim: { most: 50 } }],
    },
  ];
}

/** From `npm start` to its banner: with an empty data folder, and again with the folder that left behind. */
export async function compareStarts(progress: Progress): Promise<Comparison[]> {
  const place = await installation({ bundlesWorkflows: true });
  const seconds: number[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    seconds.push(await secondsToStart(place.env));
    progress(`ready after ${seconds.at(-1)} s`);
  }
  const [first = Number.NaN, ...others] = seconds;
  const verdict = (what: string, value: number) => ({ what, value, aim: { most: 6 } });
  return [
    {
      title: 'From npm start to ready',
      lines: [],
      verdicts: [
        verdict('seconds with an empty data folder', first),
        verdict('seconds again, the longer of two', Math.max(...others)),
      ],
    },
  ];
}

interface Reading {
  url: string;
  headers: Record<string, string>[];
}

/** One policy, read by so many users that none reaches the rate limit. */
async function readingOf(setting: Setting, organization: Organization): Promise<Reading> {
  const [quoted] = await quotedSubmissions(setting, organization, 1);
  const { policyId } = await bind(setting, await organization.authorization(), quoted?.submissionId ?? '');
  const readers = Array.from({ length: READERS }, (_, number) => organization.authorization(number + 1));
  const headers = (await Promise.all(readers)).map((authorization) => ({ authorization }));
  return { url: `${setting.platform.baseUrl}/v1/policies/${policyId}`, headers };
}

type Load = { amount: number } | { duration: number; overallRate?: number };

/** Keeps reading. Returns the reads per second. */
async function read({ url, headers }: Reading, load: Load): Promise<number> {
  const requests = headers.map((each) => ({ method: 'GET' as const, headers: each }));
  const done = await autocannon({ url, connections: CONNECTIONS, requests, ...load });
  if (done.non2xx + done.errors > 0) throw new Error(`${url}: ${done.non2xx} refusals, ${done.errors} errors`);
  return done.requests.total / done.duration;
}

/**
 * Takes submissions from their first call to a policy, so that only a realistic number of workflows is open at a
 * time.
 */
async function bindSome(setting: Setting, organization: Organization, count: number): Promise<void> {
  const lives = Array.from({ length: count }, (_, number) => number);
  await measure(lives, BINDS_IN_FLIGHT, async () => {
    const [quoted] = await quotedSubmissions(setting, organization, 1);
    await bind(setting, await organization.authorization(), quoted?.submissionId ?? '');
  });
}

async function growthOverDocuments(setting: Setting, progress: Progress): Promise<number> {
  const insured = await Promise.all(INSURED.map((name) => insuredIn(setting, name)));
  const print = (count: number) => {
    const turns = Array.from({ length: count / insured.length }, () => insured).flat();
    return measure(turns, insured.length, (each) => certify(setting, each));
  };
  const half = DOCUMENTS / 2;
  progress(`printing ${half} certificates, then up to ${DOCUMENTS}`);
  const { workerUrl } = setting.platform;
  const first = await peakMib(workerUrl, print(half));
  const grown = (await peakMib(workerUrl, print(half))) - first;
  progress(`the worker has ${first.toFixed(0)} MiB at most and then ${grown.toFixed(0)} more`);
  return grown;
}

/** The peak memory of a process until the work is done. */
async function peakMib(baseUrl: string, work: Promise<unknown>): Promise<number> {
  let [peak, isDone] = [0, false];
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    peak = Math.max(peak, await residentMib(baseUrl));
    await Promise.race([done, delay(READING_EVERY_MS)]);
  }
  await done;
  return peak;
}

async function residentMib(baseUrl: string): Promise<number> {
  return (await metric(baseUrl, 'process_resident_memory_bytes')) / MIB;
}

async function metric(baseUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
}

async function secondsToStart(env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [BOOTSTRAP, 'scripts/start.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const lines = createInterface({ input: child.stdout });
    const ready = new Promise<number>((resolve, reject) => {
      lines.on('line', (line) => {
        const [, seconds] = READY.exec(line) ?? [];
        if (seconds !== undefined) resolve(Number(seconds));
      });
      void ended.then(() => reject(new Error('It ended before it was ready.')));
    });
    return await ready;
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}
