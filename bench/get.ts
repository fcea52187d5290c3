// GET of one policy with a JWT, against the least a web server can do for it: Koa, `jose`, one query through `pg`.
import { join } from 'node:path';
import autocannon from 'autocannon';
import { launch } from '../scripts/start/child.ts';
import { eventually } from '../test/faults/eventually.ts';
import { freePort } from '../test/support/free-port.ts';
import { type Round, summarize } from './measure.ts';
import type { Setting } from './setting.ts';
import { bind, quotedSubmissions } from './submissions.ts';
import type { Comparison } from './table.ts';

const FLOOR = join(import.meta.dirname, 'floor/get-server.ts');
const ROUNDS = 8;
const WARM_UP_SECONDS = 2;
const ROUND_SECONDS = 2;
const CONNECTIONS = 8;
/** So many users that none comes near the limit of requests a minute. */
const USERS = 40;

interface Side {
  url: string;
  rounds: Round[];
}

export async function compareGets(setting: Setting, progress: (line: string) => void): Promise<Comparison> {
  const organization = await setting.createOrganization('One Policy');
  const [quoted] = await quotedSubmissions(setting, organization, 1);
  const { policyId } = await bind(setting, await organization.authorization(), quoted?.submissionId ?? '');
  const authorizations = await Promise.all(
    Array.from({ length: USERS }, (_, user) => organization.authorization(user)),
  );
  const port = await freePort();
  const floorArgs = [FLOOR, String(port), setting.database.ownerUrl, setting.platform.config.jwtSecret];
  const floorServer = await launch({ name: 'floor', command: process.execPath, args: floorArgs });
  const sides = {
    ours: { url: `${setting.platform.baseUrl}/v1/policies/${policyId}`, rounds: [] } as Side,
    floor: { url: `http://127.0.0.1:${port}/v1/policies/${policyId}`, rounds: [] } as Side,
  };
  try {
    await eventually(() => answers(sides.floor.url, authorizations[0] ?? ''), { what: 'the bare server' });
    progress('getting');
    for (const { url } of [sides.ours, sides.floor]) await shoot(url, authorizations, WARM_UP_SECONDS);
    for (let i = 0; i < ROUNDS; i += 1) {
      for (const side of [sides.ours, sides.floor])
        side.rounds.push(await shoot(side.url, authorizations, ROUND_SECONDS));
    }
  } finally {
    await floorServer.stop(1_000);
  }
  return comparison(sides.ours, sides.floor);
}

async function answers(url: string, authorization: string): Promise<boolean> {
  const response = await fetch(url, { headers: { authorization } }).catch(() => null);
  return response?.ok ?? false;
}

async function shoot(url: string, authorizations: string[], seconds: number): Promise<Round> {
  const latenciesMs: number[] = [];
  const run = autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: authorizations.map((authorization) => ({ method: 'GET', headers: { authorization } })),
  });
  run.on('response', (_client, _status, _bytes, responseTimeMs) => latenciesMs.push(responseTimeMs));
  const { non2xx, errors, duration } = await run;
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refusals, ${errors} errors`);
  return { latenciesMs, elapsedMs: duration * 1000 };
}

function comparison(ours: Side, floor: Side): Comparison {
  const [us, bare] = [summarize(ours.rounds), summarize(floor.rounds)];
  return {
    title: `GET one policy, ${CONNECTIONS} at a time`,
    lines: [
      { name: 'Bindery', figures: us },
      { name: 'bare Koa + jose + pg', figures: bare },
    ],
    verdicts: [{ what: 'throughput ratio', value: us.perSecond / bare.perSecond, aim: { least: 0.6 } }],
  };
}
