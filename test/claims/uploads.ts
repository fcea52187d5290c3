// Files that all arrive on one claim at the same time, at an API that runs as its own process with a bounded heap:
// each is halfway through before any may finish. The growth of the process is what counts.
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { quotedSubmission } from '../faults/bind.ts';
import { startPlatform } from '../faults/platform.ts';
import type { TestClient } from '../support/client.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';
import { signToken } from '../support/tokens.ts';
import { UploadBodies, type UploadBody } from './upload-bodies.ts';

const MIB = 1024 * 1024;
const CREATED = 201;

export interface UploadsOptions {
  /** How many arrive at the same time. */
  uploads: number;
  /** Size of each file. */
  mebibytes: number;
  /** Limit of the API's heap. */
  heapMebibytes: number;
  dataDir: string;
}

export interface UploadsReport {
  /** The API's memory, as the system counts it, before the uploads and at its peak. */
  restingMebibytes: number;
  mostMebibytes: number;
  seconds: number;
  /** Uploads whose answer did not match what was sent. */
  findings: string[];
}

/** Runs it on the servers that the environment names; stops whatever it started. */
export async function runUploads({ uploads, mebibytes, heapMebibytes, dataDir }: UploadsOptions) {
  const database = await createTestDatabase({ title: 'uploads' });
  const platform = await startPlatform({
    ...{ database, taskQueuePrefix: `uploads-${process.pid}`, variables: { DATA_DIR: dataDir } },
    temporalAddress: process.env[TEMPORAL_VARIABLE] ?? '',
    apiFlags: [`--max-old-space-size=${heapMebibytes}`],
  });
  try {
    const { id: org } = await created(platform.machine, '/v1/organizations', { name: 'Uploads', tier: 'enterprise' });
    const claims = { role: 'org_admin', org };
    const path = `/v1/claims/${await filedClaim(await platform.as(claims))}/attachments`;
    const target = {
      url: `${platform.baseUrl}${path}`,
      authorization: `Bearer ${await signToken(platform.config, claims)}`,
    };
    // One upload of each kind first: code that is loaded once does not count as growth.
    const bodies = new UploadBodies(Math.floor((mebibytes * MIB) / 3) * 3);
    await Promise.all([uploads, uploads + 1].map((number) => upload(target, bodies.of(number), async () => {})));
    return await measured(platform.api.pid(), () => all(target, bodies, uploads));
  } finally {
    await platform.stop();
  }
}

async function created(client: TestClient, path: string, body: object) {
  const answer = await client.post(path, body);
  if (answer.status !== CREATED) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

async function filedClaim(client: TestClient): Promise<string> {
  const submissionId = await quotedSubmission(client, 'Uploads Diner');
  const { policyId } = await created(client, `/v1/submissions/${submissionId}/bind`, {
    installmentPlan: 'PAY_IN_FULL',
  });
  const lossDate = new Date().toISOString().slice(0, 10);
  return (await created(client, '/v1/claims', { policyId, lossDate, description: 'A guest fell.' })).id;
}

/** How far a process grows while something happens. */
async function measured(pid: number, work: () => Promise<string[]>): Promise<UploadsReport> {
  // Resets the system's peak count.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const restingMebibytes = mostMebibytesOf(pid);
  const startedMs = performance.now();
  const findings = await work();
  const seconds = (performance.now() - startedMs) / 1_000;
  return { restingMebibytes, mostMebibytes: mostMebibytesOf(pid), seconds, findings };
}

function mostMebibytesOf(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kibibytes === undefined) throw new Error('The system does not tell how much memory a process took');
  return Math.round(Number(kibibytes) / 1024);
}

interface Target {
  url: string;
  authorization: string;
}

async function all(target: Target, bodies: UploadBodies, uploads: number): Promise<string[]> {
  const together = gathering(uploads);
  const sent = Array.from({ length: uploads }, async (_, number) => {
    const body = bodies.of(number);
    const answer = await upload(target, body, together.arrive).catch((error: Error) => {
      together.giveUp(error);
      return { status: 0, sha256: error.message };
    });
    return answer.status === CREATED && answer.sha256 === body.sha256
      ? []
      : [`upload ${number}: ${answer.status} ${answer.sha256}`];
  });
  return (await Promise.all(sent)).flat();
}

/** A place where that many wait for each other. */
function gathering(expected: number) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => {});
  let missing = expected;
  return {
    arrive: () => {
      missing -= 1;
      if (missing === 0) resolve();
      return promise;
    },
    giveUp: reject,
  };
}

/** Sends a file, waiting halfway for the others. */
async function upload({ url, authorization }: Target, body: UploadBody, halfWay: () => Promise<void>) {
  const headers = { authorization, 'content-type': body.contentType, 'content-length': body.length };
  const sending = request(url, { method: 'POST', headers, agent: false });
  const answered = new Promise<{ status: number; sha256: string }>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (answer) => {
      json(answer).then((found) => {
        const { sha256, error } = found as { sha256?: string; error?: string };
        resolve({ status: answer.statusCode ?? 0, sha256: sha256 ?? String(error) });
      }, reject);
    });
  });
  const [answer] = await Promise.all([answered, pipeline(Readable.from(paused(body, halfWay)), sending)]);
  return answer;
}

async function* paused({ pieces, length }: UploadBody, halfWay: () => Promise<void>): AsyncIterable<Uint8Array> {
  let left = length;
  let isWaiting = true;
  for (const piece of pieces()) {
    if (isWaiting && left <= length / 2) {
      isWaiting = false;
      await halfWay();
    }
    left -= piece.length;
    yield piece;
  }
}
