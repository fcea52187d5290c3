// GET of one policy with each kind of credential, compared with the least a web server can do for it: Koa, the check
// of that credential, and one query through `pg`.
import { join } from 'node:path';
import autocannon from 'autocannon';
import { launch } from '../scripts/start/child.ts';
import { eventually } from '../test/support/eventually.ts';
import { freePort } from '../test/support/servers/free-port.ts';
import { CREDENTIALS, type Credential, type Headers } from './get-credentials.ts';
import { type Round, summarize } from './measure.ts';
import type { Organization, Setting } from './setting.ts';
import { bind, quotedSubmissions } from './submissions.ts';
import type { Comparison } from './table.ts';

const FLOOR = join(import.meta.dirname, 'floor/get-server.ts');
const ROUNDS = 8;
const WARM_UP_SECONDS = 2;
const ROUND_SECONDS = 2;
const CONNECTIONS = 8;
/** More than a round sends with one credential shared by every caller. */
const ROOM_FOR_A_ROUND = 6_000;
const MINUTE_MS = 60_000;

interface Side {
  url: string;
  rounds: Round[];
}

interface Sides {
  ours: Side;
  floor: Side;
}

export async function compareGets(setting: Setting, progress: (line: string) => void): Promise<Comparison[]> {
  const organization = await setting.createOrganization('One Policy');
  const [quoted] = await quotedSubmissions(setting, organization, 1);
  const { policyId } = await bind(setting, await organization.authorization(), quoted?.submissionId ?? '');
  const found: Comparison[] = [];
  for (const credential of CREDENTIALS) {
    progress(`getting with ${credential.name}`);
    found.push(await compare(setting, organization, { credential, path: `/v1/policies/${policyId}` }));
  }
  return found;
}

async function compare(
  setting: Setting,
  organization: Organization,
  { credential, path }: { credential: Credential; path: string },
): Promise<Comparison> {
  const headers = await credential.headers(setting, organization);
  const port = await freePort();
  const floorArgs = [FLOOR, credential.check, String(port), setting.database.ownerUrl, credential.secret(setting)];
  const floorServer = await launch({ name: 'floor', command: process.execPath, args: floorArgs });
  const sides: Sides = {
    ours: { url: `${setting.platform.baseUrl}${path}`, rounds: [] },
    floor: { url: `http://127.0.0.1:${port}${path}`, rounds: [] },
  };
  try {
    await eventually(() => answers(sides.floor.url, headers[0] ?? {}), { what: 'the bare server' });
    await alternate(sides, headers);
  } finally {
    await floorServer.stop(1_000);
  }
  return comparison(credential, sides);
}

async function alternate({ ours, floor }: Sides, headers: Headers[]): Promise<void> {
  for (let i = 0; i <= ROUNDS; i += 1) {
    const isWarmUp = i === 0;
    for (const side of [ours, floor]) {
      if (side === ours) await roomForARound(side.url, headers);
      const round = await shoot(side.url, headers, isWarmUp ? WARM_UP_SECONDS : ROUND_SECONDS);
      if (!isWarmUp) side.rounds.push(round);
    }
  }
}

/** If all requests count as one caller's, waits for the next minute before the rate limit is reached. */
async function roomForARound(url: string, [first = {}, ...others]: Headers[]): Promise<void> {
  if (others.length > 0) return;
  const hasRoom = async () => {
    const response = await fetch(url, { headers: first });
    await response.arrayBuffer();
    return Number(response.headers.get('x-ratelimit-remaining')) >= ROOM_FOR_A_ROUND;
  };
  await eventually(hasRoom, { what: 'the next minute of the rate limit', withinMs: MINUTE_MS + 5_000 });
}

async function answers(url: string, headers: Headers): Promise<boolean> {
  const response = await fetch(url, { headers }).catch(() => null);
  return response?.ok ?? false;
}

async function shoot(url: string, headers: Headers[], seconds: number): Promise<Round> {
  const latenciesMs: number[] = [];
  const run = autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: headers.map((each) => ({ method: 'GET', headers: each })),
  });
  run.on('response', (_client, _status, _bytes, responseTimeMs) => latenciesMs.push(responseTimeMs));
  const { non2xx, errors, duration } = await run;
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refusals, ${errors} errors`);
  return { latenciesMs, elapsedMs: duration * 1000 };
}

function comparison({ name, floorName, aim }: Credential, { ours, floor }: Sides): Comparison {
  const [us, bare] = [summarize(ours.rounds), summarize(floor.rounds)];
  return {
    title: `GET with ${name}, ${CONNECTIONS} at a time`,
    lines: [
      { name: 'Bindery', figures: us },
      { name: floorName, figures: bare },
    ],
    verdicts: [{ what: 'throughput ratio', value: us.perSecond / bare.perSecond, aim: { least: aim } }],
  };
}
